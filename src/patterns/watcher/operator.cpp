#include <pintle/patterns/watcher/operator.hpp>

#include <optional>
#include <string>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>

namespace pintle::watcher {
namespace {

// The first error, with those that follow it in its message. Thread-safe.
class FirstError {
 public:
  explicit FirstError(Runtime& runtime) : mutex_(runtime) {}

  void add(Error error) {
    const MutexLock lock(mutex_);
    if (error_) {
      error_->message += "; then: " + error.to_string();
    } else {
      error_ = std::move(error);
    }
  }
  [[nodiscard]] Result<void> take() {
    const MutexLock lock(mutex_);
    if (error_) return fail(std::move(*error_));
    return {};
  }

 private:
  Mutex mutex_;
  std::optional<Error> error_ PINTLE_GUARDED_BY(mutex_);
};

Result<void> run_caught(Controller& controller, const std::stop_token& stop) {
  try {
    return controller.run(stop);
  } catch (...) {
    return fail(ErrorCode::unknown, "a controller threw " + describe_exception());
  }
}

}  // namespace

void Operator::add_controller(std::shared_ptr<Controller> controller) { controllers_.push_back(std::move(controller)); }

Result<void> Operator::run(const std::stop_token& stop) {
  Runtime& runtime = manager_.runtime();
  const std::vector<std::shared_ptr<Controller>> controllers = controllers_;
  bool needs_manager = false;
  for (const auto& controller : controllers) needs_manager = controller->add_to(manager_) || needs_manager;

  FirstError error(runtime);
  std::stop_source ending;
  const StopCallback when_told(runtime, stop, [&] {
    ending.request_stop();
    manager_.request_stop();
  });
  if (needs_manager) {
    if (auto started = manager_.start(); !started) return stop.stop_requested() ? Result<void>() : started;
  }
  std::vector<Thread> threads;
  for (const auto& controller : controllers) {
    threads.push_back(runtime.spawn({.name = "controller-" + std::to_string(threads.size())}, [&, controller] {
      auto ended = run_caught(*controller, ending.get_token());
      if (ended) return;
      error.add(std::move(ended.error()));
      ending.request_stop();
    }));
  }
  if (needs_manager) {
    threads.push_back(runtime.spawn({.name = "operator"}, [&] {
      if (auto ended = manager_.wait(); !ended) error.add(std::move(ended.error()));
      ending.request_stop();
    }));
  }
  runtime.sleep_until(Instant::max(), ending.get_token());
  manager_.request_stop();
  threads.clear();
  manager_.stop();
  return error.take();
}

}  // namespace pintle::watcher
