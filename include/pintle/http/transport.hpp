// Transport: the one way out. It owns the I/O thread, on which answers arrive and timers fire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

// Receives one exchange, on the I/O thread, one call at a time: on_head once, on_body any number of times, on_end once
// and last. A failure before the head gives on_end alone.
class ExchangeHandler {
 public:
  virtual ~ExchangeHandler() = default;
  virtual void on_head(const ResponseHead& head) = 0;
  virtual void on_body(std::string_view chunk) = 0;
  // Success means that the whole body came; its HTTP status may still be an error.
  virtual void on_end(Result<void> result) = 0;
};

// One half speaks HTTP over sockets (make_network_transport), the other calls a Handler in this process
// (MemoryTransport). Thread-safe. Handlers, posted functions and timers run on the I/O thread alone and must not wait.
class Transport {
 public:
  using ExchangeId = std::uint64_t;
  using TimerId = std::uint64_t;

  virtual ~Transport() = default;

  // Starts an exchange. Always answered through the handler, never from inside this call.
  virtual ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) = 0;
  // Ends an exchange: its handler gets on_end(cancelled) soon, unless it has had on_end.
  virtual void cancel(ExchangeId exchange) = 0;

  // Runs a function on the I/O thread; dropped after shutdown.
  virtual void post(std::function<void()> function) = 0;
  virtual TimerId start_timer(Instant at, std::function<void()> function) = 0;
  virtual void cancel_timer(TimerId timer) = 0;

  // Ends every open exchange with `cancelled`, runs no more timers and joins the I/O thread. A start() afterwards ends
  // the same way at once, on the calling thread. Idempotent; not from the I/O thread.
  virtual void shutdown() = 0;

  [[nodiscard]] virtual Runtime& runtime() noexcept = 0;
};

// Passes every call on to another; what stands before one overrides what it minds.
class ForwardingTransport : public Transport {
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
  void shutdown() override { inner_->shutdown(); }
  [[nodiscard]] Runtime& runtime() noexcept override { return inner_->runtime(); }

 private:
  const std::shared_ptr<Transport> inner_;
};

// A whole answer.
struct Answer {
  int status = 0;
  Headers headers{};
  std::string body{};
  std::optional<Duration> name_lookup{};  // as in its head
};

// Error::reason of a request that was not sent since the server's certificate cannot be trusted: signed by an unknown
// authority, for another name, expired. The code is `unreachable`.
inline constexpr std::string_view untrusted_certificate = "UntrustedCertificate";

// Sends a request and waits for its whole answer. Errors: unreachable, timeout, cancelled when `stop` is requested,
// unsupported on a thread that may not block (naming it), invalid when the body is larger than `limit` bytes.
[[nodiscard]] Result<Answer> send(Transport& transport, Request request, std::stop_token stop = {},
                                  std::size_t limit = std::size_t{256} << 20U);

// What happens to an answer while it comes.
struct Reader {
  std::function<void(const ResponseHead&)> on_head{};  // once, first
  std::function<bool(std::string_view)> on_bytes{};    // any number of times; false: that is enough, end well
  std::size_t buffer = std::size_t{64} << 20U;         // bytes that may wait for a slow on_bytes
};

// Sends a request and hands its answer over as it comes, on the calling thread. Errors: those of send(), and
// unavailable when more bytes wait than the buffer may hold.
[[nodiscard]] Result<void> receive(Transport& transport, Request request, const Reader& reader,
                                   std::stop_token stop = {});

}  // namespace pintle::http
