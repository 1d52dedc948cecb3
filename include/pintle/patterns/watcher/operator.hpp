// Operator: several controllers, run until one fails or all are told to stop.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/manager/manager.hpp>

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

struct OperatorOptions {
  // How long run() waits for its controllers and for the passes of the manager once all have been asked to stop.
  Duration stop_grace = std::chrono::seconds(30);
};

// Works with a manager that nobody else starts. Programs whose controllers are InformerControllers alone need none:
// InformerController::add_to and run_until_signal do the same, with flags, signals and exit codes.
class Operator {
 public:
  explicit Operator(Manager& manager, OperatorOptions options = {}) : manager_(manager), options_(options) {}

  // One that is added while it runs is not started.
  void add_controller(std::shared_ptr<Controller> controller);

  // Starts the manager, if a controller needs it, and every controller; returns once stop is requested, the manager has
  // ended, or a controller has failed, and all the others have ended. Waits at most `stop_grace` for that; a controller
  // that has not ended by then is named in the error as "controller-N", counted from 0 in the order of add_controller,
  // and so is a pass of the manager. Its thread is joined by the destructor of the operator, so that may wait: a
  // program that has to end earlier ends its process. Once. Error: the first, with those that followed it in the
  // message; timeout for what has not ended.
  [[nodiscard]] Result<void> run(const std::stop_token& stop = {});

  // Those of its controllers.
  [[nodiscard]] MetricsRegistry& metrics() noexcept { return manager_.metrics(); }

 private:
  Manager& manager_;
  const OperatorOptions options_;
  std::vector<std::shared_ptr<Controller>> controllers_;
  std::vector<Thread> threads_;  // of the run
};

}  // namespace pintle::watcher
