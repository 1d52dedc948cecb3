// SPDX-License-Identifier: Apache-2.0
// OwnWriteGate: decides whether a key that a worker has taken is reconciled now or must wait.
#pragma once

#include <optional>

#include <pintle/base/mutex.hpp>
#include <pintle/controller/outcome.hpp>

#include "controller/disputes/field_disputes.hpp"

#include "confirmation_pace.hpp"
#include "controller_queue.hpp"
#include "failing_change_pace.hpp"
#include "written_versions.hpp"

namespace pintle {

// The rule is in the comment of Controller, under "Own writes". Thread-safe.
class OwnWriteGate {
 public:
  // The queue must outlive the gate; it may be constructed after the gate.
  OwnWriteGate(Executor& executor, ControllerQueue& queue)
      : executor_(executor), queue_(queue), written_(executor), mutex_(executor) {}

  [[nodiscard]] WrittenVersions& written() noexcept { return written_; }
  // A write by a reconcile of this controller. Must be called on the thread that made it. Returns whether the write
  // took back a field from another client.
  bool note_write(const GroupVersionKind& kind, const Informer::Write& write);
  // Returns whether the cause is an own write.
  [[nodiscard]] bool is_own(const ReconcileCause& cause) const;

  // Returns whether reconciles of this key made the change. A creation does not count: its object has not been
  // reconciled yet.
  [[nodiscard]] bool is_change_by(const ObjectKey& key, const ReconcileCause& cause) const;

  // Returns whether the reconcile of a taken key must wait; the item has been given back to the queue then. Marks the
  // causes that are own writes. `others_are_busy`: reconciles of other keys are running.
  [[nodiscard]] bool holds_back(ControllerQueue::Item& item, bool others_are_busy);
  // Returns a field of the key that another client overwrites in turn, once for each dispute.
  [[nodiscard]] std::optional<FieldDisputes::Field> take_disputed(const ObjectKey& key);
  // The object of the key no longer exists.
  void forget(const ObjectKey& key);
  // A reconcile of a key ended.
  void end(const ControllerQueue::Item& item, const Outcome& outcome);

 private:
  [[nodiscard]] Instant turn_of_failing(const ControllerQueue::Item& item, Instant now) PINTLE_REQUIRES(mutex_);
  void put_back(ControllerQueue::Item& item, Instant due);

  Executor& executor_;
  ControllerQueue& queue_;
  WrittenVersions written_;
  Mutex mutex_;
  ConfirmationPace confirmations_ PINTLE_GUARDED_BY(mutex_);
  FailingChangePace failing_changes_ PINTLE_GUARDED_BY(mutex_);
  FieldDisputes disputes_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
