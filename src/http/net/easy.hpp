// SPDX-License-Identifier: Apache-2.0
// Easy: a libcurl handle that is used for one request after another.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <curl/curl.h>

#include <pintle/base/metrics.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/net_transport.hpp>

#include "errors.hpp"

namespace pintle::http {

// Belongs to the I/O thread.
class Easy {
 public:
  // Receives the events of a request while the handle is in a multi handle.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    // A line of a head or trailer, also the blank line, without its line break.
    virtual void on_header_line(std::string_view line) = 0;
    virtual void on_chunk(std::string_view chunk) = 0;
    virtual bool may_send() = 0;  // called before a request is sent on a connection, or sent again
  };

  Easy() : handle_(curl_easy_init()) {}

  // `request`, which must be valid (validate_request()), and `receiver` must stay until reset(). `connections`, the
  // number of open connections, must outlive the multi handle. Error: invalid, if the request cannot be sent.
  [[nodiscard]] Result<void> prepare(const Request& request, const NetworkOptions& options, Receiver& receiver,
                                     const Gauge& connections);
  // Prepares the handle to open a TCP connection to the host, without TLS, and to close it afterwards. The handle must
  // not be moved until reset().
  [[nodiscard]] Result<void> prepare_connection(const Request& request, const NetworkOptions& options,
                                                Receiver& receiver);
  // Closes idle connections to the server of the prepared request before it is sent.
  void close_idle_connections() { set(CURLOPT_MAXAGE_CONN, 1L); }
  // Prepares the handle for another request. It keeps only TLS sessions.
  void reset();

  [[nodiscard]] CURL* handle() const noexcept { return handle_.get(); }
  // The duration of the name lookup of the host for the current request, available after its head. Nothing for an IP
  // address, on a connection that was already open, and through a proxy, which does the lookup.
  [[nodiscard]] std::optional<Duration> name_lookup(const Endpoint& endpoint) const;
  // Returns the socket of the current connection, which libcurl then neither uses nor closes. Call it once, in
  // may_send() after prepare_connection().
  [[nodiscard]] int take_socket();
  // The details of a request that ended with `code`.
  [[nodiscard]] Failure failure(CURLcode code) const;

 private:
  struct Free {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, Free>;

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle_.get(), option, value);
  }
  static void append(List& list, const std::string& line);
  static curl_socket_t open_counted_socket(void* gauge, curlsocktype purpose, curl_sockaddr* address);
  static int close_counted_socket(void* gauge, curl_socket_t socket);
  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int close_socket(void* self, curl_socket_t socket);

  void set_receiver(Receiver& receiver);
  void set_connection(const NetworkOptions& options);
  void set_destination(const Request& request);
  void set_tls(const Endpoint& endpoint);
  void set_proxy_tls(const Endpoint& endpoint);
  void set_method(const Request& request);
  void set_headers(const Request& request);

  std::unique_ptr<CURL, Free> handle_;
  List headers_;
  List connect_to_;
  int socket_error_ = 0;      // the error of the system for the last socket that could not be opened
  std::vector<int> sockets_;  // open sockets, after prepare_connection(); several while addresses are tried
  std::array<char, CURL_ERROR_SIZE> detail_{};
};

}  // namespace pintle::http
