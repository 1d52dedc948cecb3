// Caller: sends signed requests, again where that is right, and turns answers into results.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/client/client.hpp>

#include "call_metrics.hpp"
#include "client/access/credentials.hpp"
#include "retry.hpp"
#include "warnings.hpp"

namespace pintle {

// Thread-safe.
class Caller {
 public:
  explicit Caller(const ClientOptions& options);

  // Fills in where to, who we are and the usual headers. Error: that of Credentials::token.
  [[nodiscard]] Result<void> sign(http::Request& request) const;

  // Sends and waits. An answer that is not 2xx is an error. Not from a thread that may not block.
  [[nodiscard]] Result<http::Answer> call(http::Request request, Repeatable repeatable, std::stop_token stop);
  // The same for an answer that is read while it comes; on_bytes sees that of a success alone, and may end it by
  // returning false. Never repeated once it has begun.
  [[nodiscard]] Result<void> stream(http::Request request, const std::function<bool(std::string_view)>& on_bytes,
                                    std::stop_token stop);

  // What Client::observe promises.
  void observe(const http::Request& request, const http::ResponseHead& head, Duration took);

 private:
  template <class Exchange>
  [[nodiscard]] auto persist(http::Request request, Repeatable repeatable, const std::stop_token& stop,
                             Exchange exchange) -> decltype(exchange(request));
  [[nodiscard]] Result<http::Answer> exchange(const http::Request& request, std::stop_token stop);
  [[nodiscard]] Result<void> read(const http::Request& request, const std::function<bool(std::string_view)>& on_bytes,
                                  std::stop_token stop);
  [[nodiscard]] bool has_newer_token(const http::Request& refused) const;
  [[nodiscard]] Error explained(Error error) const;

  http::Transport& transport_;
  Executor& executor_;
  const Cluster cluster_;
  const std::string user_agent_;
  const std::unique_ptr<Credentials> credentials_;
  CallMetrics metrics_;
  Warnings warnings_;
};

}  // namespace pintle
