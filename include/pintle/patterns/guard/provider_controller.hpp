// SPDX-License-Identifier: Apache-2.0
// ProviderController: the functions by which a provider works on one condition of one workspace.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/guard/condition.hpp>
#include <pintle/patterns/guard/linked.hpp>
#include <pintle/patterns/guard/lock_registry.hpp>

namespace pintle::guard {

class LockKeeper;

/// The result of a task: the new status and reason of the condition. The status must not be Locked.
struct TaskResult {
  ConditionStatus status = ConditionStatus::unknown;
  std::string reason{};
};

/// A function that changes something outside the cluster. If it throws, the exception is an error of the task. The lock
/// is renewed while the task runs. If the lock is not renewed in time (see LockOptions::lock_timeout), or another
/// process has it, a stop is requested on Context::stop_token() of the reconcile, and calls of the context return
/// `cancelled` until the task ends. A task that observes this token ends before another process begins.
using Task = std::function<Result<TaskResult>()>;

/// How to recover a lock if no result of its task is known.
struct Recovery {
  Task inspect{};          ///< determines the result of the task; runs under the same lock
  bool idempotent = true;  ///< if `inspect` is empty: whether the task may run again
};

struct CreateOptions {
  /// Whether the workspace becomes the controller of the child and, in a foreground deletion, cannot disappear before
  /// the child. Default: true if Controller::owns contains the kind with OwnerMatch::controller and the child has no
  /// other controller. A change of the child then enqueues the workspace. Without such an entry in Controller::owns, a
  /// change of the child enqueues the workspace only if the controller watches the kind by watch_linked().
  std::optional<bool> controller{};
};

enum class FinalizerState {
  added,
  present,   ///< it existed; nothing was sent
  deleting,  ///< the workspace is being deleted and accepts no finalizer, so start no work; nothing was sent
};

/// Made for one condition in one reconcile, and used only by the thread of that reconcile.
///
/// guard() locks the condition and protects against outdated input: the write that sets the condition to Locked
/// succeeds only for the version that this reconcile has read. A task therefore never works on an outdated object, and
/// if two processes begin at once, only one gets the lock. While a condition is Locked, no other process changes the
/// system that the condition describes.
///
/// A write of the status applies only to the version that was read (error: `conflict`, if there is a newer one). It is
/// atomic: if it fails, condition() and status() are as before. In a task, update() is an exception to both rules. Only
/// changes are sent.
class PINTLE_EXPORT ProviderController {
 public:
  /// Makes a ProviderController for the object of the context's reconcile, without a request to the cluster. `locks`
  /// must outlive it. Error: `invalid`, for the type of the condition.
  [[nodiscard]] static Result<ProviderController> make(
      Condition condition, Context& context, LockRegistry& locks,
      std::string instance_label = std::string(default_instance_label));

  /// Locks the condition, runs the task, and writes the result of the task to the condition, together with the changes
  /// that the task made to status(). If the task fails or throws, the condition becomes Error, and the error is
  /// returned.
  ///
  /// The lock is renewed while the task runs (LockOptions::lock_timeout); a renewal does not make the object outdated.
  /// The write that unlocks is not limited to one version: if the object has changed, the newest version is read, and
  /// the write is repeated if this process holds the lock in that version (otherwise error: `conflict`). If the server
  /// rejects the new status as invalid, the result of the task is not stored, the condition becomes Error, and the
  /// error is returned. If the write fails for another reason, the condition stays Locked and the result of the task,
  /// even a failure, is kept in memory; recover() writes it without calling the task. If the process ends before that,
  /// the lock is recovered without a result. A task therefore runs at least once, and repeatedly only after such a
  /// loss. If the workspace was being deleted and no longer exists, the call succeeds without a write.
  ///
  /// Errors: `conflict`, without a call of the task, if another process holds the lock or the object has changed;
  /// `invalid`, "already locked by this call", for a guard() of the same condition in a task; the error of the task;
  /// errors of the client.
  Result<void> guard(std::string_view reason, const Task& task);
  /// The same, and removes the finalizer once the condition is Terminated. If the condition is Terminated already, the
  /// task does not run again.
  Result<void> guard_then_remove_finalizer(std::string_view reason, std::string_view finalizer, const Task& task);

  /// Whether the condition is Locked, but not by this reconcile.
  [[nodiscard]] bool is_locked() const;
  /// Whether the holder of that lock is gone.
  [[nodiscard]] bool is_recoverable() const;
  /// Ends a lock whose holder is gone:
  /// - If the result of its task is kept in memory, writes it. If the task failed permanently and the workspace is not
  ///   being deleted, returns the error of the task.
  /// - Otherwise, if `inspect` is set, calls it to determine the result. If it fails with a temporary error
  ///   (unavailable, unreachable, timeout, too_many_requests, cancelled) or a conflict of the API, which has the
  ///   Error::reason "Conflict", the lock stays, and the next recover() calls it again.
  /// - Otherwise, if the task may run again (Recovery::idempotent), the condition becomes Unknown with the reason
  ///   "LockRecovered".
  /// - Otherwise, the condition becomes Error, and an error is returned.
  Result<void> recover(const Recovery& recovery = {});

  /// Sets the condition, and writes it together with the pending changes of status(). Its status cannot become Locked.
  /// Not for use in a task, whose result determines the condition.
  Result<void> update_condition(ConditionStatus status, std::string_view reason);
  /// Replaces the members of the status other than the conditions; members that the type S does not declare stay. A
  /// condition in `status` is set if it differs from the condition that was read, unless it is the condition of this
  /// controller. No condition is removed. In a task, the write also applies to a newer version, as long as this process
  /// holds the lock. If that write fails, the changes are kept and written with the result of the task.
  template <HasFields S>
  Result<void> update(S status) {
    if constexpr (requires { status.conditions; }) drop_unchanged(status.conditions);
    return update_with([&](StatusDraft& draft) { draft.set(status); });
  }
  Result<void> update(const json::Value& status);
  /// The changes of this reconcile to the status. They are written when the reconcile ends, and before that by a lock,
  /// an unlock, update(), update_condition(), and a recover() that sets the condition.
  [[nodiscard]] StatusDraft& status() noexcept { return context_->status(); }

  /// Creates a child in the namespace of the workspace, with the workspace as one of its owners and with the instance
  /// label. A child that an earlier attempt created is returned unchanged; it is recognized by the uid of the workspace
  /// among its owners and by the name of the workspace in the label. Errors: `invalid`, without a request, if the child
  /// has another namespace or the name of the workspace is not a valid label value; `already_exists`, if an object of
  /// that name is not a child of this workspace; `unavailable`, if that object will disappear soon, because it is being
  /// deleted or belongs to a former workspace of this name, or if it has disappeared during this call.
  Result<Object> create(const json::Value& child, CreateOptions options = {});
  template <Described T>
  Result<T> create(const T& child, CreateOptions options = {}) {
    auto created = create(encode(child), options);
    if (!created) return fail(std::move(created.error()));
    return decode<T>(*created);
  }
  /// Returns false if no such object exists.
  Result<bool> remove(const GroupVersionKind& kind, const ObjectKey& key, const DeleteOptions& options = {});
  template <Described T>
  Result<bool> remove(const T& object, const DeleteOptions& options = {}) {
    return remove(T::type, object.metadata.key(), options);
  }

  /// Error: `invalid`, unless `finalizer` is a qualified name with a domain.
  Result<FinalizerState> set_finalizer(std::string_view finalizer);
  /// Sends nothing if the workspace does not have the finalizer.
  Result<void> remove_finalizer(std::string_view finalizer);

  /// The newest version of the workspace that this reconcile has read or written.
  [[nodiscard]] const Object& workspace() const { return context_->status().object(); }
  [[nodiscard]] std::string namespace_() const { return std::string(workspace().namespace_()); }
  /// The condition as it was last written. Its type never changes.
  [[nodiscard]] const Condition& condition() const noexcept { return condition_; }

  /// Records an Event about the workspace; never fails.
  void event(EventType type, std::string_view reason, std::string_view note) { context_->event(type, reason, note); }

  /// The same as the functions of the context.
  template <Described T>
  Result<T> get(const ObjectKey& key) {
    return context_->get<T>(key);
  }
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key) { return context_->get(kind, key); }
  template <Described T>
  Result<std::vector<T>> list(const CacheListOptions& options = {}) {
    return context_->list<T>(options);
  }
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const CacheListOptions& options = {}) {
    return context_->list(kind, options);
  }
  /// The context, for all other functions.
  [[nodiscard]] Context& context() const noexcept { return *context_; }

 private:
  ProviderController(Condition condition, Context& context, LockRegistry& locks, std::string instance_label);

  [[nodiscard]] const std::string& type() const noexcept { return condition_.type; }
  [[nodiscard]] bool is_in_flight() const;
  [[nodiscard]] std::optional<Condition> lock_of_other() const;
  [[nodiscard]] bool may_unlock(const Object& object) const;
  [[nodiscard]] Result<void> check_free() const;

  enum class NotNow { unlocks, keeps_lock };  // the effect of a temporary error or an API conflict of the task
  Result<void> run_locked(std::string_view reason, const Task& task, NotNow not_now = NotNow::unlocks);
  Result<TaskResult> run_renewed(const Task& task, LockKeeper& keeper);
  Result<TaskResult> run(const Task& task);
  [[nodiscard]] StatusDraft given_back(const Condition& before);
  // `failure` is the error of the task.
  Result<void> unlock(const TaskResult& result, const StatusDraft& at_lock, const std::optional<Error>& failure = {});
  Result<void> not_unlocked(Error error, const StatusDraft& at_lock, const std::optional<Error>& failure);
  Result<void> write_result(LockRegistry::UnwrittenResult kept);

  // Conditions for a write: the object is the version that was read; this process still holds the lock.
  [[nodiscard]] StillValid as_read() const;
  [[nodiscard]] StillValid while_ours();
  Result<Object> flush(StatusDraft& draft, const std::stop_token& stop, const StillValid& still_valid);
  Result<void> write_condition(const Condition& condition);
  Result<void> update_with(const std::function<void(StatusDraft&)>& change);
  void drop_unchanged(std::vector<Condition>& conditions) const;
  [[nodiscard]] json::array changed_conditions(json::View conditions) const;
  void observe(const Object& newer);

  Context* context_;
  LockRegistry* locks_;
  std::string instance_label_;
  std::string holder_;
  Object read_;  // the workspace when this object was made
  Condition condition_;
};

}  // namespace pintle::guard
