// Caller: sends signed requests, again where that is right, and turns answers into results.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include <pintle/client/client.hpp>

#include "call_metrics.hpp"
#include "credentials.hpp"
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

  // What Client::observe promises.
  void observe(const http::Request& request, const http::ResponseHead& head, Duration took);

 private:
  [[nodiscard]] Result<http::Answer> exchange(const http::Request& request, std::stop_token stop);
  [[nodiscard]] bool has_newer_token(const http::Request& refused) const;
  [[nodiscard]] Error explained(Error error) const;

  http::Transport& transport_;
  Runtime& runtime_;
  const Cluster cluster_;
  const std::string user_agent_;
  const std::unique_ptr<Credentials> credentials_;
  const CallMetrics metrics_;
  Warnings warnings_;
};

}  // namespace pintle
