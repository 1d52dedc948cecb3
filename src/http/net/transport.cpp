// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/net_transport.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <pintle/base/stop.hpp>

#include "curl_multi.hpp"
#include "http/loop.hpp"
#include "http/net/direct/connection_pool.hpp"
#include "http/net/direct/direct_call.hpp"
#include "http/net/direct/direct_calls.hpp"
#include "http/net/direct/request_text.hpp"
#include "http/net/direct/stream.hpp"
#include "proxied_transfer.hpp"
#include "signals.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t turn = std::size_t{64} << 10U;  // bytes that one stream receives before the next one

// libcurl compares the age of a connection with the limit of the next request, so all requests have the same limit.
NetworkOptions for_proxies(Executor& executor, NetworkOptions options) {
  options.max_life = jittered_life(executor, options.max_life);
  return options;
}

class NetworkTransport final : public Transport {
 public:
  NetworkTransport(Executor& executor, NetworkOptions options)
      : executor_(executor),
        options_(for_proxies(executor, options)),
        proxied_gauge_(connections_gauge(options.metrics, "proxied")),
        pool_(executor, options, [this] { serve_waiting_soon(); }),
        calls_(executor),
        loop_(executor, [this] { poller_.wake(); }) {
    loop_.start([this] { run(); });
  }
  ~NetworkTransport() override { stop(); }
  NetworkTransport(const NetworkTransport&) = delete;
  NetworkTransport& operator=(const NetworkTransport&) = delete;

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override {
    const ExchangeId id = next_id_++;
    const Instant started = executor_.now();
    auto exchange = std::make_shared<Exchange>(loop_, std::move(request), std::move(handler));
    if (!loop_.post([this, id, exchange, started] { begin(id, exchange, started); }, Loop::AtClose::run)) {
      exchange->end(cancelled(exchange->request()));
    }
    return id;
  }
  void cancel(ExchangeId exchange) override {
    loop_.post([this, exchange] { end_cancelled(exchange); });
  }

  Result<BufferedResponse> send_and_wait(Request request, const std::stop_token& stop, std::size_t limit) override {
    const bool is_direct = request.endpoint != nullptr && request.endpoint->proxy.empty();
    if (!is_direct) return Transport::send_and_wait(std::move(request), stop, limit);
    const auto state = std::make_shared<CallState>(executor_);
    if (!calls_.enter(*state)) return fail(cancelled(request));
    Result<BufferedResponse> response = [&] {
      const StopCallback on_stop(executor_, stop, [&state] { state->interrupt(); });
      const DirectCall::Network network{
          .executor = executor_,
          .pool = pool_,
          .connect_timeout = options_.connect_timeout,
          .connect = [&](const std::shared_ptr<CallState>& call) { connect(request, call); },
          .keep = [this](ConnectionPool::Connection connection) { keep(std::move(connection)); }};
      return DirectCall(network, request, state, limit).run();
    }();
    calls_.leave(*state);
    return response;
  }

  void post(std::function<void()> function) override { loop_.post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return loop_.start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { loop_.cancel_timer(timer); }
  void stop() override {
    pool_.close();
    calls_.close();
    loop_.stop();
  }
  Executor& executor() noexcept override { return executor_; }

 private:
  using OnConnected = std::function<void(Result<Connected>)>;
  // An exchange or a call that waits for a connection to be opened.
  struct Waiting {
    Request request;
    OnConnected on_connected;
  };

  void keep(ConnectionPool::Connection connection) {
    if (const auto sweep = pool_.put(std::move(connection))) sweep_at(*sweep);
    serve_waiting_soon();
  }
  void sweep_at(Instant at) {
    loop_.start_timer(at, [this] {
      if (const auto next = pool_.close_expired()) sweep_at(*next);
    });
  }

  // Opens a connection for a call of another thread.
  void connect(const Request& request, const std::shared_ptr<CallState>& call) {
    auto on_connected = [this, call](Result<Connected> connected) {
      if (auto unused = call->deliver(std::move(connected))) keep(std::move(unused->connection));
    };
    Request copy{.method = request.method, .target = request.target, .endpoint = request.endpoint};
    const auto open = [this, waiting = std::make_shared<Waiting>(std::move(copy), on_connected)] {
      waiting_.push_back(std::move(*waiting));
      serve_waiting();
    };
    if (!loop_.post(open, Loop::AtClose::run)) on_connected(fail(cancelled(request)));
  }

  void serve_waiting_soon() {
    if (is_short_) loop_.post([this] { serve_waiting(); });
  }

  // --- the I/O thread ---

  void run() {
    block_broken_pipe_signal();
    curl_.emplace(executor_, poller_, options_);
    while (loop_.run_due()) turn_once();
    end_all();
    spare_.clear();
    curl_.reset();
  }

  void end_all() {
    while (!transfers_.empty()) end_cancelled(transfers_.begin()->first);
    while (!streams_.empty()) end_cancelled(streams_.begin()->first);
    for (Waiting& one : std::exchange(waiting_, {})) one.on_connected(fail(cancelled(one.request)));
    while (!openings_.empty()) end_opening(openings_.begin()->first, CURLE_ABORTED_BY_CALLBACK);
  }

  [[nodiscard]] bool usable() const noexcept { return curl_->usable() && poller_.usable(); }

  void turn_once() {
    if (!usable()) return loop_.wait();
    poller_.prepare();
    const Instant due = ready_.empty() ? std::min(loop_.next_due(), curl_->due()) : Instant::min();
    const auto events = poller_.wait(until(due));
    // Timers run first: this thread may have been suspended (a stopped process, a suspended machine), and a request
    // that has timed out meanwhile must not send the rest of its body.
    loop_.run_timers();
    for (const ExchangeId id : std::exchange(ready_, {})) {
      if (const auto stream = streams_.find(id); stream != streams_.end()) stream->second->is_ready = false;
      advance(id);
    }
    for (const epoll_event& event : events) {
      const auto awaited = sockets_.find(event.data.fd);
      if (awaited != sockets_.end()) {
        const auto proceed = awaited->second;
        proceed();
      } else {
        curl_->on_socket_event(event.data.fd, event.events);
      }
    }
    curl_->run_due();
    curl_->end_done();
  }

  // Calls `proceed` each time that the socket is ready for these events, until forget().
  void await(int socket, std::uint32_t events, std::function<void()> proceed) {
    poller_.watch(socket, events);
    sockets_.insert_or_assign(socket, std::move(proceed));
  }
  // The socket is still open; from now on, other threads may use and close it.
  void forget(int socket) {
    poller_.remove(socket);
    sockets_.erase(socket);
  }

  [[nodiscard]] Duration until(Instant due) const {
    if (due == Instant::max()) return Duration::max();
    return due == Instant::min() ? Duration::zero() : due - executor_.now();
  }

  // --- exchanges ---

  void begin(ExchangeId id, const std::shared_ptr<Exchange>& exchange, Instant started) {
    const Request& request = exchange->request();
    if (auto valid = validate_request(request); !valid) return exchange->end(std::move(valid));
    // An early check, which avoids a useless connection. The decisive check takes place when there is a connection.
    if (auto allowed = exchange->before_send(); !allowed) return exchange->end(std::move(allowed));
    if (!usable()) return exchange->end(fail(out_of_descriptors(request)));
    if (!request.endpoint->proxy.empty()) return begin_transfer(id, exchange, started);
    auto text = request_text(request);
    if (!text) return exchange->end(fail(std::move(text.error())));
    streams_.emplace(id, std::make_unique<Stream>(exchange, std::move(*text)));
    exchange->arm(started, [this, id](Error error) { end_late(id, std::move(error)); });
    if (auto idle = pool_.take(request.endpoint)) return begin_stream(id, {std::move(*idle)});
    connect_stream(id);
  }

  void connect_stream(ExchangeId id) {
    const Request& request = streams_.at(id)->exchange->request();
    Request copy{.method = request.method, .target = request.target, .endpoint = request.endpoint};
    waiting_.push_back(
        {std::move(copy), [this, id](Result<Connected> connected) { on_stream_connected(id, std::move(connected)); }});
    serve_waiting();
  }

  void on_stream_connected(ExchangeId id, Result<Connected> connected) {
    if (!streams_.contains(id)) {
      if (connected) keep(std::move(connected->connection));
    } else if (connected) {
      begin_stream(id, std::move(*connected));
    } else {
      end(id, fail(std::move(connected.error())));
    }
  }

  void begin_stream(ExchangeId id, Connected connected) {
    Stream& stream = *streams_.at(id);
    if (auto begun = stream.begin(std::move(connected)); !begun) return end(id, std::move(begun));
    sockets_.insert_or_assign(stream.socket(), [this, id] { advance(id); });
    advance(id);
  }

  // A stream that continues in the next turn ignores the events of its socket, which has them while it has data.
  // Otherwise it would be added to ready_ once more in each turn.
  void advance(ExchangeId id) {
    const auto found = streams_.find(id);
    if (found == streams_.end() || !found->second->is_connected() || found->second->is_ready) return;
    Stream& stream = *found->second;
    if (stream.gathering != 0) loop_.cancel_timer(std::exchange(stream.gathering, 0));
    const RoundTrip::State state = stream.step(buffer_);
    switch (state) {
      case RoundTrip::State::busy:
        stream.is_ready = true;
        ready_.push_back(id);
        break;
      case RoundTrip::State::wants_read:
        await(stream, EPOLLIN);
        gather(id, stream);
        break;
      case RoundTrip::State::wants_write: await(stream, EPOLLIN | EPOLLOUT); break;
      case RoundTrip::State::complete: end(id, {}); break;
      case RoundTrip::State::broken:
        if (stream.may_begin_again()) {
          release(stream);
          return connect_stream(id);
        }
        [[fallthrough]];
      case RoundTrip::State::malformed: end(id, fail(stream.error_of(state))); break;
    }
  }

  // A stream usually waits for the same events as before, so this needs no call of the kernel.
  void await(Stream& stream, std::uint32_t events) {
    if (std::exchange(stream.awaited, events) != events) poller_.watch(stream.socket(), events);
  }

  // The socket wakes no thread for the last part of a response, but the timer does.
  void gather(ExchangeId id, Stream& stream) {
    const Instant now = executor_.now();
    if (stream.gathers(now))
      stream.gathering = loop_.start_timer(after(now, ReadPace::wait), [this, id] { advance(id); });
  }

  // Releases the connection of a stream.
  void release(Stream& stream) {
    if (!stream.is_connected()) return;
    forget(stream.socket());
    if (auto connection = stream.release()) keep(std::move(*connection));
  }

  void end(ExchangeId id, Result<void> result) {
    auto node = streams_.extract(id);
    if (node.empty()) return;
    release(*node.mapped());
    node.mapped()->exchange->end(std::move(result));
  }

  void end_late(ExchangeId id, Error error) {
    const auto stream = streams_.find(id);
    const auto transfer = transfers_.find(id);
    if (stream != streams_.end()) {
      end(id, fail(stream->second->was_sent ? std::move(error) : never_sent(std::move(error))));
    } else if (transfer != transfers_.end()) {
      end_transfer(id, fail(transfer->second->was_sent() ? std::move(error) : never_sent(std::move(error))));
    }
  }

  void end_cancelled(ExchangeId id) {
    if (const auto stream = streams_.find(id); stream != streams_.end()) {
      return end(id, fail(cancelled(stream->second->exchange->request())));
    }
    const auto transfer = transfers_.find(id);
    if (transfer != transfers_.end()) end_transfer(id, fail(cancelled(transfer->second->exchange->request())));
  }

  // --- connections ---

  void serve_waiting() {
    is_short_ = true;  // before the calls of the pool, so that no release is missed
    while (!waiting_.empty()) {
      // A connection may have become idle since the request began to wait.
      auto idle = pool_.take(waiting_.front().request.endpoint);
      auto slot = idle ? std::nullopt : pool_.reserve();
      if (!idle && !slot) return;
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      if (idle) {
        next.on_connected(Connected{std::move(*idle)});
      } else {
        open(std::move(next), std::move(*slot));
      }
    }
    is_short_ = false;
  }

  struct KnownTls {
    std::shared_ptr<const Endpoint> endpoint;
    std::shared_ptr<ClientTls> tls;
  };
  // A connection that is being opened.
  struct Opening {
    std::unique_ptr<Connecting> job;
    ConnectionPool::Slot slot;
    Waiting waiting;
    TimerId timer = 0;
  };
  using OpeningId = std::uint64_t;

  void open(Waiting waiting, ConnectionPool::Slot slot) {
    const Request& request = waiting.request;
    if (!usable()) return waiting.on_connected(fail(out_of_descriptors(request)));
    std::shared_ptr<ClientTls> tls;
    if (request.endpoint->tls) {
      auto made = tls_of(request.endpoint);
      if (!made)
        return waiting.on_connected(
            fail(make_error(made.error().code, describe(request) + ": " + made.error().message)));
      tls = std::move(*made);
    }
    const OpeningId id = next_opening_++;
    auto job = std::make_unique<Connecting>(request.endpoint, std::move(tls), poller_, take_easy(),
                                            [this, id](CURLcode code) { on_tcp(id, code); });
    if (auto prepared = job->prepare(options_); !prepared) return waiting.on_connected(fail(prepared.error()));
    const TimerId timer = loop_.start_timer(after(executor_.now(), options_.connect_timeout),
                                            [this, id] { end_opening(id, CURLE_OPERATION_TIMEDOUT); });
    curl_->add(*job);
    openings_.emplace(id, Opening{std::move(job), std::move(slot), std::move(waiting), timer});
  }

  // The TCP connection is open, or it cannot be opened.
  void on_tcp(OpeningId id, CURLcode code) {
    const auto found = openings_.find(id);
    if (found == openings_.end()) return;
    Connecting& job = *found->second.job;
    if (code != CURLE_OK) return end_opening(id, code);
    curl_->remove(job);
    keep_easy(std::move(job.easy));
    if (!job.begin_handshake(bio_)) return end_opening(id, CURLE_OUT_OF_MEMORY);
    shake_hands(id);
  }

  void shake_hands(OpeningId id) {
    const auto found = openings_.find(id);
    if (found == openings_.end()) return;
    Connecting& job = *found->second.job;
    switch (job.shake_hands()) {
      case Wire::Status::ok: return end_opening(id, CURLE_OK);
      case Wire::Status::wants_read: return await(job.socket(), EPOLLIN, [this, id] { shake_hands(id); });
      case Wire::Status::wants_write: return await(job.socket(), EPOLLOUT, [this, id] { shake_hands(id); });
      case Wire::Status::closed:
      case Wire::Status::failed: return end_opening(id, CURLE_SSL_CONNECT_ERROR);
    }
  }

  void end_opening(OpeningId id, CURLcode code) {
    auto node = openings_.extract(id);
    if (node.empty()) return;
    Opening& opening = node.mapped();
    Connecting& job = *opening.job;
    loop_.cancel_timer(opening.timer);
    const bool has_socket = job.socket() >= 0;
    if (has_socket) forget(job.socket());
    if (code == CURLE_OK) return opening.waiting.on_connected(job.take(pool_, std::move(opening.slot)));
    Failure failure = job.failure(code);
    if (code == CURLE_OPERATION_TIMEDOUT) failure.code = code;
    failure.connect_timeout = options_.connect_timeout;
    if (!has_socket) {
      curl_->remove(job);
      keep_easy(std::move(job.easy));
    }
    if (lacks_descriptors(failure) && pool_.close_idle()) {
      return open(std::move(opening.waiting), std::move(opening.slot));
    }
    const Request& request = opening.waiting.request;
    Error error = code == CURLE_ABORTED_BY_CALLBACK ? cancelled(request) : explain(failure, request);
    opening.waiting.on_connected(fail(std::move(error)));
  }

  Result<std::shared_ptr<ClientTls>> tls_of(const std::shared_ptr<const Endpoint>& endpoint) {
    constexpr std::size_t max_kept = 64;
    const auto known =
        std::ranges::find_if(tls_, [&](const KnownTls& one) { return shares_connections(*one.endpoint, *endpoint); });
    if (known != tls_.end()) return known->tls;
    auto made = ClientTls::make(executor_, *endpoint);
    if (!made) return fail(std::move(made.error()));
    if (tls_.size() == max_kept) tls_.erase(tls_.begin());
    tls_.push_back({std::make_shared<const Endpoint>(*endpoint), std::move(*made)});
    return tls_.back().tls;
  }

  Easy take_easy() {
    if (spare_.empty()) return {};
    Easy easy = std::move(spare_.back());
    spare_.pop_back();
    return easy;
  }

  void keep_easy(Easy easy) {
    constexpr std::size_t max_spare = 16;
    easy.reset();
    if (spare_.size() < max_spare) spare_.push_back(std::move(easy));
  }

  // --- through a proxy ---

  void begin_transfer(ExchangeId id, const std::shared_ptr<Exchange>& exchange, Instant started) {
    auto transfer = std::make_unique<ProxiedTransfer>(exchange, take_easy(),
                                                      [this, id](CURLcode code) { on_transferred(id, code); });
    if (auto prepared = transfer->easy.prepare(exchange->request(), options_, *transfer, proxied_gauge_); !prepared) {
      return exchange->end(std::move(prepared));
    }
    if (has_replaced_identity(*exchange->request().endpoint, executor_.now())) transfer->easy.close_idle_connections();
    curl_->add(*transfer);
    transfers_.emplace(id, std::move(transfer));
    exchange->arm(started, [this, id](Error error) { end_late(id, std::move(error)); });
  }

  void on_transferred(ExchangeId id, CURLcode code) {
    const ProxiedTransfer& transfer = *transfers_.at(id);
    if (code == CURLE_OK) return end_transfer(id, {});
    if (!transfer.allowed()) return end_transfer(id, transfer.allowed());
    Failure failure = transfer.easy.failure(code);
    failure.has_head = transfer.exchange->has_head();
    failure.connect_timeout = options_.connect_timeout;
    end_transfer(id, fail(explain(failure, transfer.exchange->request())));
  }

  void end_transfer(ExchangeId id, Result<void> result) {
    auto node = transfers_.extract(id);
    if (node.empty()) return;
    ProxiedTransfer& transfer = *node.mapped();
    curl_->remove(transfer);
    keep_easy(std::move(transfer.easy));
    transfer.exchange->end(std::move(result));
  }

  Executor& executor_;
  const NetworkOptions options_;
  const Gauge proxied_gauge_;
  const SocketBio bio_;
  std::atomic<ExchangeId> next_id_ = 1;
  std::atomic<bool> is_short_ = false;  // a request waits until a connection is closed
  Poller poller_;
  ConnectionPool pool_;
  DirectCalls calls_;

  // These members belong to the I/O thread:
  std::optional<CurlMulti> curl_;
  std::vector<Easy> spare_;
  std::map<ExchangeId, std::unique_ptr<ProxiedTransfer>> transfers_;
  std::map<ExchangeId, std::unique_ptr<Stream>> streams_;
  std::map<int, std::function<void()>> sockets_;  // of streams and handshakes
  std::vector<ExchangeId> ready_;                 // the streams that may have more to move
  std::deque<Waiting> waiting_;
  std::map<OpeningId, Opening> openings_;
  OpeningId next_opening_ = 0;
  std::vector<KnownTls> tls_;
  std::array<char, turn> buffer_{};

  Loop loop_;
};

}  // namespace

std::unique_ptr<Transport> make_network_transport(Executor& executor, NetworkOptions options) {
  return std::make_unique<NetworkTransport>(executor, options);
}

}  // namespace pintle::http
