// Operator: several controllers, run until one fails or all are told to stop.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/runtime/manager.hpp>

namespace pintle::watcher {

// A part of an operator.
class Controller {
 public:
  virtual ~Controller() = default;
  // Gives the manager what it is to run, before it starts; false when that is nothing.
  virtual bool add_to(Manager&) { return false; }
  // Works until stop, on a thread of its own. An error ends the operator; to return without one ends nothing. May
  // throw, which is an error.
  virtual Result<void> run(const std::stop_token& stop) = 0;
};

// Works with a manager that nobody else starts. Programs whose controllers are InformerControllers alone need none:
// InformerController::add_to and run_until_signal do the same, with flags, signals and exit codes.
class Operator {
 public:
  explicit Operator(Manager& manager) : manager_(manager) {}

  // One that is added while it runs is not started.
  void add_controller(std::shared_ptr<Controller> controller);

  // Starts the manager, if a controller needs it, and every controller; returns once stop is requested, the manager has
  // ended, or a controller has failed, and all the others have ended: one that ignores its stop is waited for. Once.
  // Error: the first, with those that followed it in the message.
  [[nodiscard]] Result<void> run(const std::stop_token& stop = {});

  // Those of its controllers.
  [[nodiscard]] MetricsRegistry& metrics() noexcept { return manager_.metrics(); }

 private:
  Manager& manager_;
  std::vector<std::shared_ptr<Controller>> controllers_;
};

}  // namespace pintle::watcher
