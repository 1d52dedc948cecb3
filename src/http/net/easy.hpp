// Easy: a libcurl handle, set up for one request after another.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <curl/curl.h>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/net_transport.hpp>

#include "errors.hpp"

namespace pintle::http {

// Belongs to the I/O thread.
class Easy {
 public:
  // What arrives while it is in a multi handle.
  class Receiver {
   public:
    virtual ~Receiver() = default;
    virtual void on_header_line(
        std::string_view line) = 0;  // of a head or trailer, the blank line too; without line break
    virtual void on_chunk(std::string_view chunk) = 0;
    virtual bool may_send() = 0;  // connected and about to send, perhaps again
  };

  Easy() : handle_(curl_easy_init()) {}

  // `request` and `receiver` must stay until reset(). Error: invalid, for what cannot be sent.
  [[nodiscard]] Result<void> prepare(const Request& request, const NetworkOptions& options, Receiver& receiver);
  // Ready for another request; what it keeps are TLS sessions.
  void reset();

  [[nodiscard]] CURL* handle() const noexcept { return handle_.get(); }
  // Of the request under way, once its head has come: how long the host's name was looked up. None for an address, on a
  // connection that was open, and through a proxy, which looks it up.
  [[nodiscard]] std::optional<Duration> name_lookup(const Endpoint& endpoint) const;
  // What is known after a request ended with `code`.
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

  void set_receiver(Receiver& receiver);
  void set_destination(const Request& request);
  void set_tls(const Endpoint& endpoint);
  void set_method(const Request& request);
  [[nodiscard]] Result<void> set_headers(const Request& request);

  std::unique_ptr<CURL, Free> handle_;
  List headers_;
  List connect_to_;
  std::array<char, CURL_ERROR_SIZE> detail_{};
};

}  // namespace pintle::http
