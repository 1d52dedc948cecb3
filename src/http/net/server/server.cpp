// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/server.hpp>

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/ssl/context.hpp>

#include <pintle/http/listen_address.hpp>
#include <pintle/http/server_url.hpp>

#include "blocking_pool.hpp"
#include "connection.hpp"
#include "http/net/signals.hpp"
#include "http/net/tls.hpp"
#include "http/pem_parts.hpp"
#include "service_thread.hpp"

namespace pintle::http {

Refusal refusal_of(const error_code& error, const ServerOptions& options) {
  using Code = beast::http::error;
  if (error.category() != beast::http::make_error_code(Code::end_of_stream).category()) return {};
  switch (static_cast<Code>(error.value())) {
    case Code::end_of_stream:
    case Code::partial_message: return {};
    case Code::body_limit: return {413, fmt::format("the request body is larger than {} bytes", options.max_body_size)};
    case Code::header_limit:
    case Code::buffer_overflow:
      return {431, fmt::format("the request head is larger than {} bytes", options.max_head_size)};
    default: return {400, "malformed request: " + error.message()};
  }
}

Refusal refusal_of(const beast::http::request<beast::http::string_body>& message) {
  if (message.version() != 10 && message.version() != 11) return {400, "malformed request: not HTTP/1.1"};
  if (message.version() == 11 && message.find(beast::http::field::host) == message.end()) {
    return {400, "malformed request: no Host header"};
  }
  if (!message.target().starts_with('/')) return {400, "malformed request: the target does not begin with /"};
  return {};
}

Request to_request(beast::http::request<beast::http::string_body>&& message) {
  Request request{.method = std::string(message.method_string()), .target = std::string(message.target())};
  for (const auto& field : message) request.headers.add(field.name_string(), std::string(field.value()));
  request.body = std::move(message.body());
  return request;
}

namespace {

Error listen_error(const std::string& listen, const error_code& error) {
  const auto text = [&](std::string_view what) { return fmt::format("cannot listen on {}: {}", listen, what); };
  if (error == asio::error::address_in_use) {
    return make_error(ErrorCode::unavailable,
                      text("the port is in use: stop the program that uses it, or choose another "
                           "port (0 picks a free one)"));
  }
  if (error == asio::error::access_denied) {
    return make_error(ErrorCode::invalid, text("permission denied: choose a port of 1024 or above"));
  }
  if (error == boost::system::errc::address_not_available) {
    return make_error(ErrorCode::invalid, text("this machine does not have this address"));
  }
  return make_error(ErrorCode::invalid, text(error.message()));
}

using Tls = asio::ssl::context;

constexpr std::string_view own_certificate = "the server's certificate";

Error unusable(std::string_view what) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return make_error(ErrorCode::invalid,
                    fmt::format("{} cannot be used: {}", what, reason == nullptr ? "unknown reason" : reason));
}

struct MadeTls {
  std::shared_ptr<Tls> context;
  Validity validity;  // of the certificate
};

Result<MadeTls> make_tls(const KeyPair& identity, const ServerOptions& options) {
  const auto parsed = parse_key_pair({own_certificate, identity.certificate}, {"the server's key", identity.key});
  if (!parsed) return fail(parsed.error());
  MadeTls made{.context = std::make_shared<Tls>(Tls::tls_server),
               .validity = validity_of(*parsed->certificates.front())};
  SSL_CTX* native = made.context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // there are many idle connections
  if (SSL_CTX_set_max_send_fragment(native, static_cast<long>(options.max_tls_record)) != 1) {
    return fail(ErrorCode::invalid,
                fmt::format("max_tls_record is {}; it must be from 512 to 16384", options.max_tls_record));
  }
  // Without a session id context, a session with a client certificate cannot be resumed.
  static constexpr unsigned char session_context[] = "pintle";
  SSL_CTX_set_session_id_context(native, session_context, sizeof(session_context));
  if (!use_key_pair(native, *parsed)) return fail(unusable(own_certificate));
  if (options.client_ca.empty()) return made;
  constexpr std::string_view authority = "the server's client CA";
  const auto authorities = parse_certificates({authority, options.client_ca});
  if (!authorities) return fail(authorities.error());
  if (!trust(native, *authorities)) return fail(unusable(authority));
  SSL_CTX_set_verify(native, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return made;
}

// The limit is a third of the file descriptors of the process. The others are for another server, files and outgoing
// connections.
std::size_t allowed_connections(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
  return std::min(wanted, std::max<std::size_t>(static_cast<std::size_t>(limit.rlim_cur) / 3, 1));
}

// The address of the peer. An IPv4 address on a socket for both families has its IPv4 form. Empty if the peer has
// closed the connection.
std::string address_of_peer(const Tcp::socket& socket) {
  error_code error;
  const asio::ip::address address = socket.remote_endpoint(error).address();
  if (error) return {};
  const bool is_mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  return is_mapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string() : address.to_string();
}

void close_on_exec(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace

// Everything except the constructor, start(), set_key_pair() and the counters belongs to the server thread.
class Server::Listener final : public Connections {
 public:
  Listener(Executor& server_executor, Handler& server_handler, ServerOptions server_options)
      : Connections(server_executor, server_handler, std::move(server_options)),
        thread_(server_executor),
        pool_(server_executor, std::max<std::size_t>(options.max_deferred, 1), max_queued_responses) {}

  Result<void> start() {
    if (is_tls()) {
      auto made = make_tls({options.certificate, options.key}, options);
      if (!made) return fail(std::move(made.error()));
      tls_ = std::move(made->context);
      warn_of_dates(made->validity);
    }
    if (auto listening = listen(); !listening) return listening;
    max_connections_ = allowed_connections(options.max_connections);
    accept();
    thread_.start({.name = "server", .may_block = false}, [this] {
      block_broken_pipe_signal();
      io_.run();
    });
    return {};
  }

  void drain() {
    asio::post(io_, [this] { is_draining = true; });
  }

  void stop() {
    asio::post(io_, [this] { begin_stop(); });
    thread_.join();
    pool_.stop();
  }

  Result<void> set_key_pair(const KeyPair& identity) {
    if (!is_tls()) return fail(ErrorCode::invalid, "the server was created without TLS");
    auto made = make_tls(identity, options);
    if (!made) return fail(std::move(made.error()));
    asio::post(io_, [this, tls = std::move(made->context)] { tls_ = tls; });
    warn_of_dates(made->validity);
    return {};
  }

  void ended(std::uint64_t id) override {
    const auto found = peers_.find(id);
    if (found != peers_.end()) {
      const auto of_address = by_address_.find(found->second.address);
      of_address->second.erase(id);
      if (of_address->second.empty()) by_address_.erase(of_address);
      peers_.erase(found);
      --open_;
    }
    if (is_stopping_ && peers_.empty()) timer_.cancel();
  }

  bool run_blocking(BlockingTask task) override { return pool_.run(std::move(task)); }

  std::uint16_t port() const noexcept { return local_.port(); }
  std::string url() const {
    return (is_tls() ? "https://" : "http://") + join_host_port(local_.address().to_string(), port());
  }
  ServerStats stats() const noexcept {
    return {.accepted = accepted_, .refused = refused_, .open = open_, .requests = requests};
  }

 private:
  struct Admitted {
    std::shared_ptr<Peer> peer;
    std::string address;
  };

  // Clients decide by their own clocks, so the certificate is used nevertheless.
  void warn_of_dates(const Validity& validity) const {
    const WallTime now = executor.wall_now();
    if (validity.has_ended(now)) {
      options.log.warning("the certificate of the server has expired, so clients reject it; renew it",
                          {{"expired", format_time(validity.not_after)}});
    } else if (!validity.has_begun(now)) {
      options.log.warning("the certificate of the server is not yet valid; check the clock of this machine",
                          {{"valid_from", format_time(validity.not_before)}});
    }
  }

  bool is_tls() const noexcept { return !options.certificate.empty() || !options.key.empty(); }

  Result<void> listen() {
    const Result<ListenAddress> address = parse_listen_address(options.listen);
    if (!address) return fail(address.error());
    error_code error;
    Tcp::endpoint endpoint(Tcp::v6(), address->port);
    if (!address->host.empty()) {
      Tcp::resolver resolver(io_);
      const auto found = resolver.resolve(address->host, std::to_string(address->port), Tcp::resolver::passive, error);
      if (error) return fail(listen_error(options.listen, error));
      endpoint = found.begin()->endpoint();
    }
    open_acceptor(endpoint, error);
    if (error && address->host.empty()) open_acceptor(Tcp::endpoint(Tcp::v4(), address->port), error);
    if (error) return fail(listen_error(options.listen, error));
    local_ = acceptor_.local_endpoint(error);
    return {};
  }

  void open_acceptor(const Tcp::endpoint& endpoint, error_code& error) {
    error_code ignored;
    acceptor_.close(ignored);
    acceptor_.open(endpoint.protocol(), error);
    if (error) return;
    close_on_exec(acceptor_.native_handle());
    acceptor_.set_option(Tcp::acceptor::reuse_address(true), ignored);
    if (endpoint.protocol() == Tcp::v6()) acceptor_.set_option(asio::ip::v6_only(false), ignored);
    acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  }

  void accept() {
    acceptor_.async_accept([this](const error_code& error, Tcp::socket socket) {
      if (is_stopping_) return;
      if (error) return accept_later(error);
      ++accepted_;
      admit(std::move(socket));
      accept();
    });
  }

  // Tries again later: such an error is temporary, for example if no file descriptors are left.
  void accept_later(const error_code& error) {
    options.log.warning("cannot accept a connection", {{"error", error.message()}});
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([this](const error_code&) {
      if (!is_stopping_) accept();
    });
  }

  void admit(Tcp::socket socket) {
    if (peers_.size() >= max_connections_ && !make_room()) {
      if (refused_++ == 0) options.log.warning("too many connections", {{"limit", max_connections_}});
      return;  // closes the socket
    }
    error_code ignored;
    close_on_exec(socket.native_handle());
    socket.set_option(Tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const std::uint64_t id = ++next_id_;
    std::string address = address_of_peer(socket);
    std::shared_ptr<Peer> peer;
    if (tls_ != nullptr) {
      peer = std::make_shared<Connection<asio::ssl::stream<Tcp::socket>>>(*this, id, address, std::move(socket), *tls_);
    } else {
      peer = std::make_shared<Connection<Tcp::socket>>(*this, id, address, std::move(socket));
    }
    ++open_;
    by_address_[address].insert(id);
    peers_.emplace(id, Admitted{peer, std::move(address)});
    peer->begin();
  }

  // Closes the oldest connection without a request, of the address with the most connections. Returns false if there is
  // none.
  bool make_room() {
    const auto most = std::max_element(by_address_.begin(), by_address_.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    for (const std::uint64_t id : most->second) {
      const std::shared_ptr<Peer> peer = peers_.at(id).peer;
      if (peer->has_request()) continue;
      peer->close();
      return true;
    }
    return false;
  }

  void begin_stop() {
    if (std::exchange(is_stopping_, true)) return;
    error_code ignored;
    acceptor_.close(ignored);
    timer_.expires_after(options.stop_timeout);
    timer_.async_wait([this](const error_code& over) {
      if (!over) for_each_peer(&Peer::close);
    });
    for_each_peer(&Peer::stop);
    if (peers_.empty()) timer_.cancel();
  }

  void for_each_peer(void (Peer::*function)()) {
    const auto peers = peers_;  // a copy, because the call can end a connection
    for (const auto& [id, admitted] : peers) (*admitted.peer.*function)();
  }

  std::size_t max_connections_ = 0;
  std::uint64_t next_id_ = 0;
  std::atomic<std::uint64_t> accepted_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> open_ = 0;
  bool is_stopping_ = false;
  Tcp::endpoint local_;
  std::map<std::uint64_t, Admitted> peers_;
  std::map<std::string, std::set<std::uint64_t>> by_address_;  // no set is empty
  std::shared_ptr<Tls> tls_;                                   // null: plain HTTP
  asio::io_context io_{1};                                     // after all members that its handlers use
  asio::steady_timer timer_{io_};
  Tcp::acceptor acceptor_{io_};
  ServiceThread thread_;
  BlockingPool pool_;
};

Server::Server(Executor& executor, Handler& handler, ServerOptions options)
    : listener_(std::make_unique<Listener>(executor, handler, std::move(options))) {}

Server::~Server() { stop(); }

Result<void> Server::start() { return listener_->start(); }

void Server::drain() { listener_->drain(); }

void Server::stop() { listener_->stop(); }

Result<void> Server::set_key_pair(const KeyPair& identity) { return listener_->set_key_pair(identity); }

std::uint16_t Server::port() const noexcept { return listener_->port(); }

std::string Server::url() const { return listener_->url(); }

ServerStats Server::stats() const noexcept { return listener_->stats(); }

}  // namespace pintle::http
