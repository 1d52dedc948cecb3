// SPDX-License-Identifier: Apache-2.0
// Timer: a function that is called periodically for each object of a kind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/text.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

/// Calls `body` for each object, every `interval`. It needs no thread; the calls are reconciles of a controller, so two
/// calls for one object never overlap. Unlike a reconcile function that returns requeue_after(), it is not called
/// because the object changes.
///
/// The outcome of `body` defines the time until the next call. After `done` it is `interval`; after requeue_after(d) it
/// is d; after a failure or `requeue` it is the next delay of `backoff`, or Error::retry_after if that is longer. A
/// terminal error counts as `done`. No call happens while the object is being deleted or does not match `when`; when it
/// matches again, it is treated as a new object. Nothing is stored: after a restart, the times begin anew.
template <Watchable T>
struct Timer {
  std::string name{};  ///< of the controller; unique in the manager; default: the kind in lower case and "-timer"
  WatchedKind<T> watch = internal::default_watch<T>();
  std::vector<std::string> namespaces{};  ///< default: those of ManagerOptions
  std::string label_selector{};
  std::function<bool(const T&)> when{};  ///< default: every object
  Required<Duration> interval;           ///< at least 10 ms
  /// Time from the appearance of an object, or the start of the operator, to the first call.
  Duration initial_delay{};
  /// No call happens until the object has not changed for this time. Changes of the status, of managedFields and of
  /// resourceVersion do not count. 0: changes delay nothing.
  Duration idle{};
  /// If set, calls are at multiples of `interval` after the first call; if a call takes longer than
  /// `interval`, the times that it misses are left out.
  /// Otherwise `interval` is the time from the end of a call to the next one.
  bool sharp = false;
  internal::ObjectFunction<T> body{};
  Backoff backoff{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5), .jitter = 0.2};
  std::vector<Owns> owns{};  ///< kinds that `body` reads from the cache; their changes cause no call
  int workers = 1;
  std::vector<RbacRule> rbac_rules{};
};

namespace internal {

struct TimerOptions {
  Duration interval{};
  Duration initial_delay{};
  Duration idle{};
  bool sharp = false;
  Backoff backoff{};
};

/// The times of one declaration. Thread-safe.
class PINTLE_EXPORT Timers {
 public:
  Timers(Executor& executor, TimerOptions options);
  ~Timers();
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  /// Calls the body if it is due. Returns the time of the next call.
  Outcome reconcile(const Object& object, bool matches, const std::function<Outcome()>& body);
  /// Drops the times of an object that left the cache.
  void release(const ObjectKey& key);
  [[nodiscard]] std::size_t size() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace internal

/// Adds a controller with the name of the timer to the manager. Call it before start().
template <Watchable T>
void add_timer(Manager& manager, Timer<T> timer) {
  if (timer.name.empty()) timer.name = to_lower_ascii(timer.watch.kind.kind) + "-timer";
  const Duration interval = timer.interval.value();
  auto timers = std::make_shared<internal::Timers>(
      manager.executor(),
      internal::TimerOptions{interval, timer.initial_delay, timer.idle, timer.sharp, timer.backoff});
  const bool has_body = static_cast<bool>(timer.body);
  Controller<T> controller{.name = timer.name,
                           .watch = std::move(timer.watch),
                           .namespaces = std::move(timer.namespaces),
                           .label_selector = std::move(timer.label_selector),
                           .owns = std::move(timer.owns),
                           .reconcile = [timers, when = std::move(timer.when), body = std::move(timer.body)](
                                            const T& object, Context& context) -> Outcome {
                             return timers->reconcile(context.object(), !when || when(object), [&]() -> Outcome {
                               try {
                                 return body(object, context);
                               } catch (...) {
                                 return failed(context.current_exception_error("the timer"));
                               }
                             });
                           },
                           .workers = timer.workers};
  controller.on_change = [timers](const Change& change) {
    if (!change.current) timers->release(change.old.key());
  };
  controller.resync_period = Duration::zero();
  controller.rbac_rules = std::move(timer.rbac_rules);
  if (!has_body) {
    controller.errors.push_back(make_error(ErrorCode::invalid, "the timer has an empty .body; set the function"));
  }
  if (interval < std::chrono::milliseconds(10)) {
    controller.errors.push_back(
        make_error(ErrorCode::invalid, "the timer has .interval below 10ms; set a longer time"));
  }
  manager.add(std::move(controller));
}

}  // namespace pintle
