// Operator: a manager with one controller, as a user has it, for the modes that reconcile.
#pragma once

#include <concepts>
#include <functional>
#include <utility>

#include <pintle/base/stop.hpp>
#include <pintle/pintle.hpp>

#include "bench.hpp"

namespace pintle::benchmarks {

class Operator {
 public:
  // The CRD of the controller's kind is the server's business. The options have to outlive this.
  Operator(const BenchOptions& options, ControllerSpec controller);

  // Returns once its cache is filled, and prints "synced" on standard error. A server that cannot be reached is an
  // error at once: a manager would wait for it.
  [[nodiscard]] Result<void> start();
  // Until finish() or Ctrl-C, and then until its last pass has ended.
  [[nodiscard]] Result<void> wait();
  // From any thread.
  void finish() noexcept { manager_.request_stop(); }

 private:
  const BenchOptions& options_;
  const GroupVersionKind kind_;
  Manager manager_;
  StopCallback interrupted_;
};

// A controller of gadgets, as described structs or as plain objects.
template <Watchable T>
[[nodiscard]] ControllerSpec gadgets(Type gadget, int workers, std::function<Outcome(const T&, Context&)> reconcile) {
  if constexpr (std::same_as<T, Object>) {
    return erase_type(Controller<Object>{.watch = gadget, .reconcile = std::move(reconcile), .workers = workers});
  } else {
    return erase_type(Controller<T>{.reconcile = std::move(reconcile), .workers = workers});
  }
}

}  // namespace pintle::benchmarks
