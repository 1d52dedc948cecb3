// SPDX-License-Identifier: Apache-2.0
// InProcessTransport: a Transport that calls a Handler in this process, without sockets.
#pragma once

#include <memory>

#include <pintle/base/annotations.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

/// Passes each request to `handler` on its own I/O thread and delivers the response in pieces of up to 64 KiB. A stream
/// is delivered while it produces data. The endpoint of a request is ignored; its timeouts apply. The transport waits
/// only through the executor, so with a simulated executor all runs with the same seed are equal, including the faults.
/// `executor` and `handler` must outlive the transport. Several transports may share a handler. Thread-safe.
class PINTLE_EXPORT InProcessTransport final : public Transport {
 public:
  /// `max_deferred` is that of ServerOptions.
  InProcessTransport(Executor& executor, Handler& handler, FaultPlan faults = {}, std::size_t max_deferred = 2);
  ~InProcessTransport() override;  ///< as stop()
  InProcessTransport(const InProcessTransport&) = delete;
  InProcessTransport& operator=(const InProcessTransport&) = delete;

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override;
  void cancel(ExchangeId exchange) override;
  void post(std::function<void()> function) override;
  TimerId start_timer(Instant at, std::function<void()> function) override;
  void cancel_timer(TimerId timer) override;
  void stop() override;
  [[nodiscard]] Executor& executor() noexcept override;

  /// Simulates a crash of the process that uses this transport: from now on no request reaches the handler, no response
  /// is delivered, and every exchange, open or started later, ends with `cancelled`. A request that the handler has
  /// already received takes effect. Posted functions and timers still run, so that the remaining objects can be
  /// destroyed, and stop() must still be called. May be called from any thread.
  void crash();
  [[nodiscard]] bool is_crashed() const noexcept;

  /// Replaces the fault plan for requests that are sent from now on. The counts of the new plan start at zero.
  void set_faults(FaultPlan faults);
  /// Number of requests sent so far, including those that did not reach the server because of a fault.
  [[nodiscard]] std::uint64_t calls() const;
  /// Number of faults injected so far; a test can check that it is not zero.
  [[nodiscard]] std::uint64_t injected_faults() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace pintle::http
