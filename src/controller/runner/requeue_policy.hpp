// SPDX-License-Identifier: Apache-2.0
// RequeuePolicy: decides when a key is reconciled again after its reconcile has ended.
#pragma once

#include <optional>

#include <pintle/base/schedule.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/outcome.hpp>

#include "controller_queue.hpp"

namespace pintle {

// A failure backs off, unless it is terminal; `requeue` backs off too; a success or a delay clears the failures. In
// addition every key is added again as AnyController::resync_period and AnyController::schedule define. Thread-safe.
class RequeuePolicy {
 public:
  // The parameters must outlive the policy.
  RequeuePolicy(const AnyController& spec, Executor& executor, ControllerQueue& queue);

  // Adds a key again whose reconcile has ended. Returns the back-off if it failed and is retried.
  Duration follow_up(const ControllerQueue::Item& item, const Outcome& outcome);
  void add_later(const ObjectKey& key, Duration delay, ReconcileCause cause, int priority);

 private:
  [[nodiscard]] static Duration delay_of(const RequeueAfter& again, const ControllerQueue::Item& item);
  void add_recurring(const ObjectKey& key);

  const AnyController& spec_;
  Executor& executor_;
  ControllerQueue& queue_;
  const std::optional<Schedule> schedule_;
};

}  // namespace pintle
