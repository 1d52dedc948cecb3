// SPDX-License-Identifier: Apache-2.0
// Operator: runs several controllers until one fails or a stop is requested.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle::watcher {

/// A part of an operator.
class PINTLE_EXPORT Controller {
 public:
  virtual ~Controller() = default;
  /// Adds the work of this controller to the manager before the manager starts. Returns false if there is none.
  virtual bool add_to(Manager&) { return false; }
  /// Runs until a stop is requested, on its own thread. An error ends the operator; a return without an error does not.
  /// May throw, which counts as an error.
  virtual Result<void> run(const std::stop_token& stop) = 0;
};

struct OperatorOptions {
  /// How long run() waits for its controllers and for the reconciles of the manager after a stop was requested.
  Duration stop_timeout = std::chrono::seconds(30);
};

/// No other code may start the manager that an Operator uses. A program that has only InformerControllers does not need
/// an Operator: InformerController::add_to() and run_until_signal() do the same, with flags, signals and exit codes.
class PINTLE_EXPORT Operator {
 public:
  explicit Operator(Manager& manager, OperatorOptions options = {}) : manager_(manager), options_(options) {}

  /// A controller that is added while the operator runs is not started.
  void add_controller(std::shared_ptr<Controller> controller);

  /// Starts the manager, if a controller needs it, and all controllers. Runs until a stop is requested, the manager has
  /// ended, or a controller has failed; then stops all the others and waits at most `stop_timeout` for their end. The
  /// error names each controller that has not ended by then as "controller-N", counted from 0 in the order of
  /// add_controller(), and each reconcile of the manager that has not ended. The destructor of the operator joins the
  /// threads of these controllers and can block; a program that must end earlier has to end its process. Can be called
  /// once. Errors: the first error, with the later ones in its message; `timeout`, for controllers and reconciles that
  /// have not ended.
  [[nodiscard]] Result<void> run(const std::stop_token& stop = {});

  /// The metrics of its controllers.
  [[nodiscard]] MetricsRegistry& metrics() noexcept { return manager_.metrics(); }

 private:
  Manager& manager_;
  const OperatorOptions options_;
  std::vector<std::shared_ptr<Controller>> controllers_;
  std::vector<Thread> threads_;  // of run()
};

}  // namespace pintle::watcher
