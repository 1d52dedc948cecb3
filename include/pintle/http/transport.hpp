// SPDX-License-Identifier: Apache-2.0
// Transport: sends all requests. It owns the I/O thread, on which responses arrive and timers fire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

/// Receives the response of one exchange, on the I/O thread, one call at a time: on_head once, on_body any number of
/// times, on_end once at the end. If the exchange fails before the head has arrived, only on_end is called.
class PINTLE_EXPORT ExchangeHandler {
 public:
  virtual ~ExchangeHandler() = default;
  virtual void on_head(const ResponseHead& head) = 0;
  virtual void on_body(std::string_view chunk) = 0;
  /// Success means that the whole body has arrived; the HTTP status may still be an error.
  virtual void on_end(Result<void> result) = 0;
};

/// A response with its whole body.
struct BufferedResponse {
  int status = 0;
  Headers headers{};
  std::string body{};
  std::optional<Duration> name_lookup{};  ///< as in ResponseHead
};

/// There are two implementations: make_network_transport() sends HTTP over sockets, InProcessTransport calls a Handler
/// in this process. Exchange handlers, posted functions and timers run only on the I/O thread and must not block.
/// Thread-safe.
class PINTLE_EXPORT Transport {
 public:
  using ExchangeId = std::uint64_t;
  using TimerId = std::uint64_t;

  virtual ~Transport() = default;

  /// Starts an exchange. The handler always receives the result, but not during this call. Exception: after stop(), it
  /// receives the error `cancelled` during this call.
  virtual ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) = 0;
  /// Ends an exchange: its handler receives on_end with the error `cancelled` soon, unless on_end was already called.
  virtual void cancel(ExchangeId exchange) = 0;
  /// Implements send(), which checks that the calling thread may block. By default it calls start() and waits. The
  /// network transport does the input and output on the calling thread, which saves two context switches.
  [[nodiscard]] virtual Result<BufferedResponse> send_and_wait(Request request, const std::stop_token& stop,
                                                               std::size_t limit);

  /// Runs a function on the I/O thread. stop() drops all functions that have not begun, and a function that is posted
  /// after stop() is dropped, too.
  virtual void post(std::function<void()> function) = 0;
  virtual TimerId start_timer(Instant at, std::function<void()> function) = 0;
  virtual void cancel_timer(TimerId timer) = 0;

  /// Ends every open exchange with `cancelled`, runs no more timers and joins the I/O thread. A later start() ends its
  /// exchange with `cancelled` immediately, on the calling thread. Idempotent. Must not be called from the I/O thread.
  virtual void stop() = 0;

  [[nodiscard]] virtual Executor& executor() noexcept = 0;

  /// Returns the transport for the requests that obtain the credentials of a client; null: this one. A decorator that
  /// changes or refuses the requests of a client returns the transport that it decorates.
  [[nodiscard]] virtual std::shared_ptr<Transport> for_credentials() { return nullptr; }
};

/// Forwards every call to another transport. A decorator derives from it and overrides the calls that it changes.
/// send_and_wait() is not forwarded but calls start(), so that a decorator that overrides only start() receives
/// all requests.
class PINTLE_EXPORT ForwardingTransport : public Transport {
 public:
  explicit ForwardingTransport(std::shared_ptr<Transport> inner) : inner_(std::move(inner)) {}

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override {
    return inner_->start(std::move(request), std::move(handler));
  }
  void cancel(ExchangeId exchange) override { inner_->cancel(exchange); }
  void post(std::function<void()> function) override { inner_->post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return inner_->start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { inner_->cancel_timer(timer); }
  void stop() override { inner_->stop(); }
  [[nodiscard]] Executor& executor() noexcept override { return inner_->executor(); }
  [[nodiscard]] std::shared_ptr<Transport> for_credentials() override { return inner_->for_credentials(); }

 protected:
  /// Implements for_credentials() of decorators that change or refuse requests.
  [[nodiscard]] std::shared_ptr<Transport> inner_for_credentials() const {
    std::shared_ptr<Transport> other = inner_->for_credentials();
    return other != nullptr ? other : inner_;
  }
  /// For decorators that override send_and_wait().
  [[nodiscard]] Transport& inner() const noexcept { return *inner_; }

 private:
  const std::shared_ptr<Transport> inner_;
};

/// Error::reason of a request that was not sent because the server's certificate is not trusted: it is expired, issued
/// for another name, or signed by an unknown authority. The error code is `unreachable`.
inline constexpr std::string_view untrusted_certificate = "UntrustedCertificate";

/// Sends a request and waits for the whole response. Errors: unreachable; timeout; cancelled if `stop` is requested;
/// unsupported, with the name of the thread, if the calling thread must not block; invalid if the body is larger than
/// `limit` bytes.
[[nodiscard]] PINTLE_EXPORT Result<BufferedResponse> send(Transport& transport, Request request,
                                                          std::stop_token stop = {},
                                                          std::size_t limit = std::size_t{256} << 20U);

/// The functions that receive a response while it arrives.
struct Reader {
  std::function<void(const ResponseHead&)> on_head{};  ///< called once, first
  std::function<bool(std::string_view)> on_bytes{};    ///< called any number of times; false: end with success
  std::size_t buffer = std::size_t{64} << 20U;         ///< maximum number of bytes that wait for a slow on_bytes
};

/// Sends a request and passes the response to `reader` while it arrives, on the calling thread. Errors: unreachable,
/// timeout, cancelled and unsupported, as for send(); unavailable if more than Reader::buffer bytes wait.
/// If a function of `reader` throws, the exchange is cancelled first.
[[nodiscard]] PINTLE_EXPORT Result<void> receive(Transport& transport, Request request, const Reader& reader,
                                                 std::stop_token stop = {});

}  // namespace pintle::http
