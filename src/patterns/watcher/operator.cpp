// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/operator.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>

namespace pintle::watcher {
namespace {

// The state that the threads of a run share. It outlives run() if one of the threads does. Thread-safe.
class Threads {
 public:
  explicit Threads(Executor& executor) : mutex_(executor), changed_(executor) {}

  // Keeps the first error, and appends later errors to its message.
  void add_error(Error error) {
    const MutexLock lock(mutex_);
    if (error_) {
      error_->message += "; then: " + error.to_string();
    } else {
      error_ = std::move(error);
    }
  }
  [[nodiscard]] Result<void> take_error() {
    const MutexLock lock(mutex_);
    if (error_) return fail(std::move(*error_));
    return {};
  }

  void begin(const std::string& name) {
    const MutexLock lock(mutex_);
    running_.insert(name);
  }
  void end(const std::string& name) {
    const MutexLock lock(mutex_);
    running_.erase(name);
    changed_.notify_all();
  }
  // Waits until all threads have ended or the deadline has passed. Returns the names of the threads that still run.
  [[nodiscard]] std::set<std::string> wait_until(Instant deadline) {
    const MutexLock lock(mutex_);
    while (!running_.empty() && changed_.wait_until(mutex_, deadline)) {}
    return running_;
  }

  std::stop_source ending;
  std::atomic<bool> manager_has_failed = false;

 private:
  Mutex mutex_;
  CondVar changed_;
  std::optional<Error> error_ PINTLE_GUARDED_BY(mutex_);
  std::set<std::string> running_ PINTLE_GUARDED_BY(mutex_);
};

constexpr const char* manager_thread = "operator";
// The manager reports the reconciles that still run this long before run() stops waiting.
constexpr Duration time_to_report_reconciles = std::chrono::seconds(1);

Error still_running(const std::set<std::string>& names, Duration grace) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return make_error(ErrorCode::timeout, "still running " + format_duration(grace) +
                                            " after a stop was requested: " + all +
                                            "; Controller::run must return when a stop is requested on its token");
}

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
  Executor& executor = manager_.executor();
  const std::vector<std::shared_ptr<Controller>> controllers = controllers_;
  bool needs_manager = false;
  for (const auto& controller : controllers) needs_manager = controller->add_to(manager_) || needs_manager;

  const auto threads = std::make_shared<Threads>(executor);
  const StopCallback on_stop(executor, stop, [&] {
    threads->ending.request_stop();
    manager_.request_stop();
  });
  if (needs_manager) {
    if (auto started = manager_.start(); !started) return stop.stop_requested() ? Result<void>() : started;
  }
  const auto spawn = [&](const std::string& name, std::function<Result<void>()> work) {
    threads->begin(name);
    threads_.push_back(executor.spawn({.name = name}, [threads, name, work = std::move(work)] {
      if (auto ended = work(); !ended) {
        threads->add_error(std::move(ended.error()));
        threads->ending.request_stop();
      }
      threads->end(name);
    }));
  };
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    const auto run_one = [threads, controller = controllers[i]] {
      return run_caught(*controller, threads->ending.get_token());
    };
    spawn("controller-" + std::to_string(i), run_one);
  }
  const Duration grace = options_.stop_timeout;
  if (needs_manager) {
    const auto run_manager = [this, threads, grace]() -> Result<void> {
      auto ended = manager_.wait();
      if (!ended) threads->manager_has_failed = true;
      threads->ending.request_stop();
      if (!ended) threads->add_error(std::move(ended.error()));
      manager_.stop(std::max(grace - time_to_report_reconciles, Duration::zero()));
      return {};
    };
    spawn(manager_thread, run_manager);
  }
  executor.sleep_until(Instant::max(), threads->ending.get_token());
  manager_.request_stop();
  std::set<std::string> late = threads->wait_until(after(executor.now(), grace));
  if (late.empty()) threads_.clear();
  if (late.erase(manager_thread) != 0 && !threads->manager_has_failed) {
    if (auto ignored = manager_.wait(); !ignored) threads->add_error(std::move(ignored.error()));
  }
  if (!late.empty()) threads->add_error(still_running(late, grace));
  return threads->take_error();
}

}  // namespace pintle::watcher
