// SPDX-License-Identifier: Apache-2.0
// Caller: sends requests with credentials, repeats them where that is safe, and converts responses into results.
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

  // Sets the common headers and, unless transport() does that at the start, the endpoint and the credentials. Does not
  // wait. Errors: those of Credentials::get().
  [[nodiscard]] Result<void> prepare(http::Request& request) const;

  // The transport that starts prepared requests.
  [[nodiscard]] http::Transport& transport() const noexcept { return *transport_; }

  [[nodiscard]] const std::shared_ptr<Credentials>& credentials() const noexcept { return credentials_; }

  // Sends the request and waits for the response. A status other than 2xx is an error. Must not be called on a thread
  // that must not block.
  [[nodiscard]] Result<http::BufferedResponse> call(http::Request request, Repeatable repeatable, std::stop_token stop);
  // The same for a response that is processed while it arrives. `on_bytes` receives the body of a 2xx response only,
  // and ends the exchange by returning false. A 2xx response that breaks off is not requested again.
  [[nodiscard]] Result<void> stream(http::Request request, Repeatable repeatable,
                                    const std::function<bool(std::string_view)>& on_bytes, std::stop_token stop);

  // Implements Client::observe().
  void observe(const http::Request& request, const http::ResponseHead& head, Duration took);

 private:
  template <class Exchange>
  [[nodiscard]] auto persist(http::Request request, const Repeatable& repeatable, const std::stop_token& stop,
                             Exchange exchange) -> decltype(exchange(request));
  [[nodiscard]] Result<http::BufferedResponse> exchange(const http::Request& request, std::stop_token stop);
  [[nodiscard]] Result<void> read(const http::Request& request, const std::function<bool(std::string_view)>& on_bytes,
                                  std::stop_token stop);
  void set_headers(http::Request& request) const;
  [[nodiscard]] Result<void> sign(http::Request& request, const std::stop_token& stop) const;
  [[nodiscard]] bool has_newer_credentials(const http::Request& refused, const std::stop_token& stop) const;
  [[nodiscard]] Error explained(Error error) const;

  Executor& executor_;
  const Cluster cluster_;
  const std::string user_agent_;
  const std::shared_ptr<Credentials> credentials_;
  const std::shared_ptr<http::Transport> transport_;
  CallMetrics metrics_;
  Warnings warnings_;
};

}  // namespace pintle
