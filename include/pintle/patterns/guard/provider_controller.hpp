// ProviderController: what a provider works with while it brings about one condition of one workspace.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/controller/context.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/guard/condition.hpp>
#include <pintle/patterns/guard/linked.hpp>
#include <pintle/patterns/guard/locks.hpp>

namespace pintle::guard {

class LockKeeper;

// What a task came to: what its condition is to say. Not Locked.
struct TaskResult {
  ConditionStatus status = ConditionStatus::unknown;
  std::string reason{};
};

// Changes something outside of the cluster. May throw, which is an error of it. While it runs, its lock is renewed;
// when that fails, or another process has the lock, Context::stop_token() of its context is requested, and calls of
// that context end with `cancelled`. A task that heeds it ends before another process begins.
using Task = std::function<Result<TaskResult>()>;

// How a lock is recovered whose task left nothing behind.
struct Recovery {
  Task find_out{};         // what became of the task; runs under the same lock
  bool idempotent = true;  // without find_out: whether the task may simply run again
};

struct CreateOptions {
  // Whether the workspace becomes the controller of the child, and is not gone before it. Default: only if the
  // controller declares `owns` for the kind, by controller references, and the child has no other controller: then a
  // change of the child wakes the workspace. Without such a declaration nothing but linked() wakes it.
  std::optional<bool> controller{};
};

enum class FinalizerState {
  added,
  present,   // it was there; nothing was sent
  deleting,  // the workspace is being deleted and cannot be given one: begin nothing; nothing was sent
};

// Made for one condition in one pass, and used by the thread of that pass alone.
//
// guard() is a lock and a safety trigger: the condition is Locked by a write that only the version this pass has read
// allows, so a task never works on what is outdated, and of two processes that begin at once one gets the lock. While
// a condition is Locked, nobody else touches what it is about.
//
// Writes of status are for the version that was read (error: conflict, when there is another now), all or nothing: one
// that fails leaves condition() and status() as they were. They send what has changed alone.
class ProviderController {
 public:
  // For the object of the context's pass; asks nothing of the cluster. `locks` outlives it. Error: invalid, for the
  // type of the condition.
  [[nodiscard]] static Result<ProviderController> make(
      Condition condition, Context& context, Locks& locks,
      std::string instance_label = std::string(default_instance_label));

  // Locks the condition, runs the task, and says in the condition what came of it, with what the task has set in
  // status(). An error of the task, and what it throws, becomes the condition Error and is answered.
  //
  // The lock is renewed while the task runs (LockOptions::limit); that makes nothing outdated. The write that unlocks
  // is not for one version: the object is read again when it has changed, as long as the lock is still ours. If it
  // fails, the condition stays Locked, what came of the task is kept in memory, a failure too, and recover() writes it
  // without calling the task. If the process ends before that, the lock is recovered as one whose task left nothing
  // behind: a task runs at least once, and more often only after such a loss. If the workspace was being deleted and no
  // longer exists, the call succeeds without a write. Errors: conflict, if another process holds the lock or the object
  // has changed, and the task was not called; invalid, "already locked by this call", for a guard of the same condition
  // in a task; the error of the task; those of the client.
  Result<void> guard(std::string_view reason, const Task& task);
  // The same, and takes the finalizer off once the condition says Terminated. When it does so already, the task is not
  // run again.
  Result<void> guard_then_remove_finalizer(std::string_view reason, std::string_view finalizer, const Task& task);

  // Whether the condition is Locked, and not by this pass.
  [[nodiscard]] bool is_locked() const;
  // Whether its holder has gone.
  [[nodiscard]] bool is_recoverable() const;
  // Ends such a lock: writes what is kept of its task, and returns the error of a task that failed for good, unless the
  // workspace is being deleted; else lets `find_out` find out; else the condition becomes Unknown, "LockRecovered", or
  // Error when the task must not run again, which is answered as an error. If `find_out`
  // fails with an error that says "not now" (unavailable, unreachable, timeout, too_many_requests, cancelled), the lock
  // stays, and the next call asks again.
  Result<void> recover(const Recovery& recovery = {});

  // Changes the condition alone; not to Locked, and not in a task, whose result says what it is to be.
  Result<void> update_condition(ConditionStatus status, std::string_view reason);
  // Makes the status be as this says, but for conditions: of them those are taken that differ from what was read, and
  // never that of this controller. In a task, what cannot be written now is written when the task has ended.
  template <HasFields S>
  Result<void> update(S status) {
    if constexpr (requires { status.conditions; }) drop_unchanged(status.conditions);
    return update_with([&](StatusDraft& draft) { draft.set(status); });
  }
  Result<void> update(const json::Value& status);
  // What this pass says; written with the next lock or unlock, and when the pass ends.
  [[nodiscard]] StatusDraft& status() noexcept { return context_->status(); }

  // Makes a child: in the namespace of the workspace, which becomes one of its owners, and with the instance label. A
  // child that is there already, with this workspace (by its uid) among its owners and its name in the label, counts as
  // created, and is returned as it is: an earlier attempt made it. Errors: invalid, for another namespace, and before
  // anything is sent; already_exists, if an object of that name is no child of this workspace; unavailable, if it is
  // about to go, because it is being deleted or belongs to a former workspace of this name.
  Result<Object> create(const json::Value& child, CreateOptions options = {});
  template <Described T>
  Result<T> create(const T& child, CreateOptions options = {}) {
    auto created = create(encode(child), options);
    if (!created) return fail(std::move(created.error()));
    return decode<T>(*created);
  }
  // Success also when there is no such object; false then.
  Result<bool> remove(const GroupVersionKind& kind, const ObjectKey& key, const DeleteOptions& options = {});
  template <Described T>
  Result<bool> remove(const T& object, const DeleteOptions& options = {}) {
    return remove(T::type, object.metadata.key(), options);
  }

  // Error: invalid, unless it is a qualified name with a domain.
  Result<FinalizerState> set_finalizer(std::string_view finalizer);
  // Sends nothing when it is not there.
  Result<void> remove_finalizer(std::string_view finalizer);

  // The newest version that this pass knows, with what it has written.
  [[nodiscard]] const Object& workspace() const { return context_->status().object(); }
  [[nodiscard]] std::string namespace_() const { return std::string(workspace().namespace_()); }
  // As it was written last; its type never changes.
  [[nodiscard]] const Condition& condition() const noexcept { return condition_; }

  // An Event about the workspace; never fails.
  void event(EventType type, std::string_view reason, std::string_view note) { context_->event(type, reason, note); }

  // As those of the context.
  template <Described T>
  Result<T> get(const ObjectKey& key) {
    return context_->get<T>(key);
  }
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key) { return context_->get(kind, key); }
  template <Described T>
  Result<std::vector<T>> list(const ListOptions& options = {}) {
    return context_->list<T>(options);
  }
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const ListOptions& options = {}) {
    return context_->list(kind, options);
  }
  // Whatever is not above.
  [[nodiscard]] Context& context() const noexcept { return *context_; }

 private:
  ProviderController(Condition condition, Context& context, Locks& locks, std::string instance_label);

  [[nodiscard]] const std::string& type() const noexcept { return condition_.type; }
  [[nodiscard]] bool is_in_flight() const;
  [[nodiscard]] std::optional<Condition> lock_of_other() const;
  [[nodiscard]] bool may_unlock(const Object& object) const;
  [[nodiscard]] Result<void> check_free() const;

  enum class NotNow { unlocks, keeps_lock };  // an error of the task that says so
  Result<void> run_locked(std::string_view reason, const Task& task, NotNow not_now = NotNow::unlocks);
  Result<TaskResult> run_renewed(const Task& task, LockKeeper& keeper);
  Result<TaskResult> run(const Task& task);
  [[nodiscard]] StatusDraft given_back(const Condition& before);
  // `failure` is that of the task.
  Result<void> unlock(const TaskResult& result, const StatusDraft& at_lock, const std::optional<Error>& failure = {});
  Result<void> not_unlocked(Error error, const StatusDraft& at_lock, const std::optional<Error>& failure);
  Result<void> write_kept(Locks::Unwritten kept);

  // For one version alone; while the lock is ours.
  [[nodiscard]] StillRight as_read() const;
  [[nodiscard]] StillRight while_ours();
  Result<Object> flush(StatusDraft& draft, const std::stop_token& stop, const StillRight& still_right);
  Result<void> write_condition(const Condition& condition);
  Result<void> update_with(const std::function<void(StatusDraft&)>& change);
  void drop_unchanged(std::vector<Condition>& conditions) const;
  [[nodiscard]] json::array changed_conditions(json::View conditions) const;
  void saw(const Object& newer);

  Context* context_;
  Locks* locks_;
  std::string instance_label_;
  std::string holder_;
  Object read_;  // when this was made
  Condition condition_;
};

}  // namespace pintle::guard
