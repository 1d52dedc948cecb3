// MemoryTransport: a Transport that calls a Handler in this process; no sockets, no bytes on a wire.
#pragma once

#include <memory>

#include <pintle/http/handler.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

// Hands each request to `handler`, on its own I/O thread, and delivers the answer in pieces of up to 64 KiB, a stream
// as it grows. The endpoint of a request is ignored; its timeouts are kept. It waits only through the Runtime, so on a
// simulated one every run with the same seed is the same, faults included. `runtime` and `handler` must outlive it;
// several transports may share a handler. Thread-safe.
class MemoryTransport final : public Transport {
 public:
  MemoryTransport(Runtime& runtime, Handler& handler, FaultPlan faults = {});
  ~MemoryTransport() override;  // as shutdown()
  MemoryTransport(const MemoryTransport&) = delete;
  MemoryTransport& operator=(const MemoryTransport&) = delete;

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override;
  void cancel(ExchangeId exchange) override;
  void post(std::function<void()> function) override;
  TimerId start_timer(Instant at, std::function<void()> function) override;
  void cancel_timer(TimerId timer) override;
  void shutdown() override;
  [[nodiscard]] Runtime& runtime() noexcept override;

  // The death of the process that uses this transport, seen from outside: from now on no request reaches the handler
  // and no answer is delivered; every exchange, open or started later, ends with `cancelled`. A request that the
  // handler already has takes its effect. Posted functions and timers still run, so that what is left can be taken
  // down; shutdown() is still owed. From any thread.
  void crash();
  [[nodiscard]] bool is_crashed() const noexcept;

  // In place of the plan it has, for the requests that leave from now on; the new plan counts from the beginning.
  void set_faults(FaultPlan faults);
  // Requests that have left so far, those that a fault kept from the server too.
  [[nodiscard]] std::uint64_t calls() const;
  // How often a fault has hit one, so that a test can tell that it tested something.
  [[nodiscard]] std::uint64_t faults_done() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace pintle::http
