// SPDX-License-Identifier: Apache-2.0
#include "easy.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>

#include "http/exchange.hpp"
#include "http/names.hpp"

namespace pintle::http {
namespace {

constexpr long receive_buffer = 64L << 10U;
constexpr long max_idle_seconds = 90;

std::uint16_t port_of(const Endpoint& endpoint) {
  if (endpoint.port != 0) return endpoint.port;
  return endpoint.tls ? 443 : 80;
}

std::string authority(const std::string& host, const Endpoint& endpoint) {
  return join_host_port(host, port_of(endpoint));
}

// libcurl takes the expected name from the URL. The URL therefore contains the server name, and CURLOPT_CONNECT_TO the
// host.
bool has_other_name(const Endpoint& endpoint) {
  return endpoint.tls && !endpoint.server_name.empty() && endpoint.server_name != endpoint.host;
}

// Returns whether a request line can contain a target unchanged.
bool is_plain_target(std::string_view target) {
  return target.starts_with('/') && is_visible_ascii(target) && target.find('#') == std::string_view::npos;
}

curl_blob blob_of(const std::string& pem) {
  return {.data = const_cast<char*>(pem.data()), .len = pem.size(), .flags = CURL_BLOB_NOCOPY};
}

std::size_t header_arrived(char* data, std::size_t, std::size_t size, void* receiver) {
  std::string_view line(data, size);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  static_cast<Easy::Receiver*>(receiver)->on_header_line(line);
  return size;
}

std::size_t chunk_arrived(char* data, std::size_t, std::size_t size, void* receiver) {
  static_cast<Easy::Receiver*>(receiver)->on_chunk({data, size});
  return size;
}

int about_to_send(void* receiver, char*, char*, int, int) {
  return static_cast<Easy::Receiver*>(receiver)->may_send() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

int socket_opened(void*, curl_socket_t socket, curlsocktype) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

}  // namespace

void Easy::append(List& list, const std::string& line) {
  if (curl_slist* longer = curl_slist_append(list.get(), line.c_str())) {
    (void)list.release();
    list.reset(longer);
  }
}

Result<void> Easy::prepare(const Request& request, const NetworkOptions& options, Receiver& receiver,
                           const Gauge& connections) {
  if (handle_ == nullptr) return fail(ErrorCode::unknown, describe(request) + ": not enough memory for the request");
  if (has_other_name(*request.endpoint)) {
    // The name becomes part of the URL, where other text could change the destination.
    if (auto named = validate_server_name(request.endpoint->server_name); !named) {
      return fail(ErrorCode::invalid, describe(request) + ": the server name of its endpoint " + named.error().message);
    }
  }
  set_headers(request);
  set_receiver(receiver);
  set_destination(request);
  if (request.endpoint->tls) set_tls(*request.endpoint);
  set_proxy_tls(*request.endpoint);
  set_method(request);
  set_connection(options);
  const auto life = std::chrono::duration_cast<std::chrono::seconds>(options.max_life);
  set(CURLOPT_MAXLIFETIME_CONN, std::max(static_cast<long>(life.count()), 1L));
  set(CURLOPT_MAXAGE_CONN, max_idle_seconds);
  set(CURLOPT_BUFFERSIZE, receive_buffer);
  set(CURLOPT_OPENSOCKETFUNCTION, &Easy::open_counted_socket);
  set(CURLOPT_OPENSOCKETDATA, &connections);
  set(CURLOPT_CLOSESOCKETFUNCTION, &Easy::close_counted_socket);
  set(CURLOPT_CLOSESOCKETDATA, &connections);
  return {};
}

Result<void> Easy::prepare_connection(const Request& request, const NetworkOptions& options, Receiver& receiver) {
  if (handle_ == nullptr) return fail(ErrorCode::unknown, describe(request) + ": not enough memory for the request");
  set_receiver(receiver);
  const Endpoint& endpoint = *request.endpoint;
  set(CURLOPT_URL, ("http://" + authority(endpoint.host, endpoint)).c_str());
  set(CURLOPT_PROXY, "");
  set_connection(options);
  set(CURLOPT_FRESH_CONNECT, 1L);
  set(CURLOPT_FORBID_REUSE, 1L);
  set(CURLOPT_OPENSOCKETFUNCTION, &Easy::open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_CLOSESOCKETFUNCTION, &Easy::close_socket);
  set(CURLOPT_CLOSESOCKETDATA, this);
  return {};
}

void Easy::set_connection(const NetworkOptions& options) {
  set(CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(options.connect_timeout).count()));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // a cancellation does not wait for a name lookup
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, 30L);
  set(CURLOPT_TCP_KEEPINTVL, 15L);
}

curl_socket_t Easy::open_counted_socket(void* gauge, curlsocktype, curl_sockaddr* address) {
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket < 0) return CURL_SOCKET_BAD;
  static_cast<const Gauge*>(gauge)->add(1);
  return socket;
}

int Easy::close_counted_socket(void* gauge, curl_socket_t socket) {
  static_cast<const Gauge*>(gauge)->add(-1);
  return ::close(socket);
}

curl_socket_t Easy::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& easy = *static_cast<Easy*>(self);
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket < 0) {
    easy.socket_error_ = errno;
    return CURL_SOCKET_BAD;
  }
  easy.sockets_.push_back(socket);
  return socket;
}

// A taken socket is not in the list: the caller of take_socket() closes it.
int Easy::close_socket(void* self, curl_socket_t socket) {
  const bool is_ours = std::erase(static_cast<Easy*>(self)->sockets_, socket) != 0;
  return is_ours ? ::close(socket) : 0;
}

// The others have lost the race of the addresses and are closed.
int Easy::take_socket() {
  if (sockets_.empty()) return -1;
  const int socket = sockets_.back();
  sockets_.pop_back();
  return socket;
}

void Easy::reset() {
  curl_easy_reset(handle_.get());
  headers_.reset();
  connect_to_.reset();
  sockets_.clear();
  socket_error_ = 0;
}

void Easy::set_receiver(Receiver& receiver) {
  detail_[0] = '\0';
  set(CURLOPT_ERRORBUFFER, detail_.data());
  set(CURLOPT_PRIVATE, &receiver);
  set(CURLOPT_HEADERFUNCTION, &header_arrived);
  set(CURLOPT_HEADERDATA, &receiver);
  set(CURLOPT_WRITEFUNCTION, &chunk_arrived);
  set(CURLOPT_WRITEDATA, &receiver);
  set(CURLOPT_PREREQFUNCTION, &about_to_send);
  set(CURLOPT_PREREQDATA, &receiver);
  set(CURLOPT_SOCKOPTFUNCTION, &socket_opened);
}

void Easy::set_destination(const Request& request) {
  const Endpoint& endpoint = *request.endpoint;
  const std::string& name = has_other_name(endpoint) ? endpoint.server_name : endpoint.host;
  const std::string server = (endpoint.tls ? "https://" : "http://") + authority(name, endpoint);
  const std::string target = endpoint.base_path + request.target;
  if (endpoint.proxy.empty() && is_plain_target(target)) {
    // As part of the URL, libcurl would parse the target and assemble it again byte by byte.
    set(CURLOPT_URL, server.c_str());
    set(CURLOPT_REQUEST_TARGET, target.c_str());
  } else {
    set(CURLOPT_URL, (server + target).c_str());
    set(CURLOPT_PATH_AS_IS, 1L);
  }
  if (has_other_name(endpoint)) {
    append(connect_to_, authority(name, endpoint) + ":" + authority(endpoint.host, endpoint));
    set(CURLOPT_CONNECT_TO, connect_to_.get());
  }
  // Set even if empty. Otherwise libcurl reads the environment variables.
  // The proxy resolves the name of the server, as for Go programs; with the scheme socks5, libcurl would do it.
  const bool is_socks = endpoint.proxy.starts_with("socks5:");
  set(CURLOPT_PROXY, (is_socks ? "socks5h" + endpoint.proxy.substr(6) : endpoint.proxy).c_str());
  set(CURLOPT_NOPROXY, "");
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

void Easy::set_tls(const Endpoint& endpoint) {
  const auto set_blob = [this](CURLoption option, const std::string& pem) {
    curl_blob blob = blob_of(pem);
    set(option, &blob);
  };
  set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  set(CURLOPT_SSL_VERIFYPEER, endpoint.insecure ? 0L : 1L);
  set(CURLOPT_SSL_VERIFYHOST, endpoint.insecure ? 0L : 2L);
  if (!endpoint.ca.empty()) {
    set_blob(CURLOPT_CAINFO_BLOB, endpoint.ca);
    // Otherwise libcurl also trusts the authorities of the system.
    set(CURLOPT_CAINFO, static_cast<const char*>(nullptr));
    set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (!endpoint.client_certificate.empty()) {
    set(CURLOPT_SSLCERTTYPE, "PEM");
    set(CURLOPT_SSLKEYTYPE, "PEM");
    set_blob(CURLOPT_SSLCERT_BLOB, endpoint.client_certificate);
    set_blob(CURLOPT_SSLKEY_BLOB, endpoint.client_key);
  }
}

// As in Go programs, the authorities of the cluster and `insecure` also apply to an https proxy. The folder of the
// system's authorities is trusted in addition.
void Easy::set_proxy_tls(const Endpoint& endpoint) {
  if (!endpoint.proxy.starts_with("https:")) return;
  set(CURLOPT_PROXY_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  set(CURLOPT_PROXY_SSL_VERIFYPEER, endpoint.insecure ? 0L : 1L);
  set(CURLOPT_PROXY_SSL_VERIFYHOST, endpoint.insecure ? 0L : 2L);
  if (endpoint.ca.empty()) return;
  curl_blob blob = blob_of(endpoint.ca);
  set(CURLOPT_PROXY_CAINFO_BLOB, &blob);
}

void Easy::set_method(const Request& request) {
  if (request.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    return;
  }
  const bool wants_length = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (!request.body.empty() || wants_length) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.data());  // not copied
  }
  set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void Easy::set_headers(const Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (same_name(name, "Content-Length")) continue;  // a wrong value would block the exchange
    append(headers_, value.empty() ? name + ";" : name + ": " + value);
  }
  // Removes the headers that libcurl adds by default.
  append(headers_, "Expect:");
  if (!request.headers.get("Content-Type")) append(headers_, "Content-Type:");
  const Endpoint& endpoint = *request.endpoint;
  if (has_other_name(endpoint) && !request.headers.get("Host")) {
    append(headers_, "Host: " + authority(endpoint.host, endpoint));
  }
  set(CURLOPT_HTTPHEADER, headers_.get());
}

std::optional<Duration> Easy::name_lookup(const Endpoint& endpoint) const {
  long connections = 0;
  curl_off_t microseconds = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_NUM_CONNECTS, &connections);
  curl_easy_getinfo(handle_.get(), CURLINFO_NAMELOOKUP_TIME_T, &microseconds);
  if (connections == 0 || !endpoint.proxy.empty() || is_ip_address(endpoint.host)) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

Failure Easy::failure(CURLcode code) const {
  Failure failure{.code = code, .detail = detail_.data()};
  long os_error = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_OS_ERRNO, &os_error);
  curl_easy_getinfo(handle_.get(), CURLINFO_SSL_VERIFYRESULT, &failure.verify_result);
  curl_easy_getinfo(handle_.get(), CURLINFO_PROXY_SSL_VERIFYRESULT, &failure.proxy_verify_result);
  failure.os_error = os_error != 0 ? static_cast<int>(os_error) : socket_error_;
  return failure;
}

}  // namespace pintle::http
