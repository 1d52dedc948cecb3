// SPDX-License-Identifier: Apache-2.0
// Operator: a manager with one controller, as in the program of a user, for the modes that reconcile.
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
  // The CRD of the controller's kind is not installed. `options` must outlive this object.
  Operator(const BenchOptions& options, AnyController controller);

  // Returns when the cache is filled, and prints "synced" on standard error. If the server cannot be reached, returns
  // an error at once, whereas a manager would wait for the server.
  [[nodiscard]] Result<void> start();
  // Waits until finish() or Ctrl-C, and then until the last reconcile has ended.
  [[nodiscard]] Result<void> wait();
  // Can be called on any thread.
  void finish() noexcept { manager_.request_stop(); }

 private:
  const BenchOptions& options_;
  const GroupVersionKind kind_;
  Manager manager_;
  StopCallback interrupted_;
};

// Returns a controller of gadgets, as described structs or as plain objects.
template <Watchable T>
[[nodiscard]] AnyController gadgets(Type gadget, int workers, std::function<Outcome(const T&, Context&)> reconcile) {
  if constexpr (std::same_as<T, Object>) {
    return erase_type(Controller<Object>{.watch = gadget, .reconcile = std::move(reconcile), .workers = workers});
  } else {
    return erase_type(Controller<T>{.reconcile = std::move(reconcile), .workers = workers});
  }
}

}  // namespace pintle::benchmarks
