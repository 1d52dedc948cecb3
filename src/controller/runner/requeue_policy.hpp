// RequeuePolicy: when a key is reconciled again after a reconcile of it ended.
#pragma once

#include <optional>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/schedule.hpp>

#include "controller_queue.hpp"

namespace pintle {

// The rules: a failure backs off, unless it is terminal; `requeue` backs off too; a success or a delay clears the
// failures. Besides, every key recurs as ControllerSpec::every and ::schedule say. Thread-safe.
class RequeuePolicy {
 public:
  // Both outlive the policy.
  RequeuePolicy(const ControllerSpec& spec, Executor& executor, ControllerQueue& queue);

  // For a key in work whose reconcile ended. Returns the back-off of a failure that is tried again.
  Duration follow_up(const ControllerQueue::Item& item, const Outcome& outcome);
  void add_later(const ObjectKey& key, Duration delay, ReconcileCause cause, int priority);

 private:
  [[nodiscard]] static Duration delay_of(const LookAgainIn& again, const ControllerQueue::Item& item);
  void add_recurring(const ObjectKey& key);

  const ControllerSpec& spec_;
  Executor& executor_;
  ControllerQueue& queue_;
  const std::optional<Schedule> schedule_;
};

}  // namespace pintle
