// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/provider_controller.hpp>

#include <utility>

#include <fmt/format.h>

#include <pintle/controller/finalizers.hpp>
#include <pintle/json/pointer.hpp>

#include "child.hpp"
#include "failure.hpp"
#include "guard_state.hpp"
#include "lock_keeper.hpp"

namespace pintle::guard {
namespace {

std::string name_of(const Object& object) { return fmt::format("{} {}", object.kind(), object.key().to_string()); }

Error changed(const Object& object) { return conflict(name_of(object) + " has changed since this reconcile read it"); }

std::string describe_lock(const Condition& locked) {
  if (!locked.lock) return fmt::format("locked since {}: {}", format_time(locked.last_transition_time), locked.reason);
  return fmt::format("locked by {} since {}: {}", locked.lock->holder, format_time(locked.lock->since), locked.reason);
}

// Returns whether the request may have reached the server although no response confirms it.
bool may_have_arrived(const Error& error) {
  switch (error.code) {
    case ErrorCode::cancelled:
    case ErrorCode::timeout:
    case ErrorCode::unavailable:
    case ErrorCode::unreachable: return true;
    default: return false;
  }
}

// Marks a conflict of our own write as a conflict of the API, no matter which reason the server sent.
Error of_api(Error error) {
  if (error.code == ErrorCode::conflict) error.reason = conflict_reason;
  return error;
}

bool contains(json::View list, json::View one) {
  for (const json::View element : list.elements()) {
    if (element == one) return true;
  }
  return false;
}

}  // namespace

Result<ProviderController> ProviderController::make(Condition condition, Context& context, LockRegistry& locks,
                                                    std::string instance_label) {
  if (auto checked = validate_condition_type(condition.type); !checked) return fail(std::move(checked.error()));
  return ProviderController(std::move(condition), context, locks, std::move(instance_label));
}

ProviderController::ProviderController(Condition condition, Context& context, LockRegistry& locks,
                                       std::string instance_label)
    : context_(&context),
      locks_(&locks),
      instance_label_(std::move(instance_label)),
      holder_(locks.holder(context.field_manager())),
      read_(context.status().object()),
      condition_(std::move(condition)) {}

// ---- the lock ----

bool ProviderController::is_in_flight() const { return context_->slot<GuardState>().in_flight.contains(type()); }

std::optional<Condition> ProviderController::lock_of_other() const {
  auto there = condition_of(workspace(), type());
  if (!there || there->status != ConditionStatus::locked || is_in_flight()) return std::nullopt;
  return there;
}

bool ProviderController::is_locked() const { return lock_of_other().has_value(); }

bool ProviderController::is_recoverable() const {
  const auto locked = lock_of_other();
  return locked && locks_->is_recoverable(workspace(), *locked, holder_);
}

bool ProviderController::may_unlock(const Object& object) const { return guard::may_unlock(object, type(), holder_); }

Result<void> ProviderController::check_free() const {
  if (is_in_flight()) {
    return fail(ErrorCode::invalid,
                "condition " + type() + " is already locked by this call; return its new status from the task instead");
  }
  if (const auto locked = lock_of_other()) {
    return fail(conflict("condition " + type() + " is " + describe_lock(*locked)));
  }
  if (context_->slot<GuardState>().is_outdated) return fail(changed(workspace()));
  return {};
}

Result<void> ProviderController::guard(std::string_view reason, const Task& task) {
  if (!task) return fail(ErrorCode::invalid, "guard of condition " + type() + " has an empty task");
  if (auto free = check_free(); !free) return free;
  return run_locked(reason, task);
}

Result<void> ProviderController::guard_then_remove_finalizer(std::string_view reason, std::string_view finalizer,
                                                             const Task& task) {
  if (condition_.status != ConditionStatus::terminated) {
    auto done = guard(reason, task);
    if (!done || condition_.status != ConditionStatus::terminated) return done;
  }
  return remove_finalizer(finalizer);
}

Result<void> ProviderController::run_locked(std::string_view reason, const Task& task, NotNow not_now) {
  // An error of the status draft must be returned before the task runs. Otherwise the write that unlocks would return
  // it, as if the unlock had failed.
  if (const auto& wrong = status().error()) return fail(Error(*wrong));
  const auto locked = ConditionStatus::locked;
  const Condition before = condition_;
  const Instant sent = context_->executor().now();
  const WallTime since = context_->executor().wall_now();
  auto taken = write_condition({.type = type(),
                                .status = locked,
                                .reason = to_reason(reason, locked),
                                .lock = Lock{.holder = holder_, .since = since, .renewed = since}});
  if (!taken) {
    if (may_have_arrived(taken.error()) && before.status != locked) locks_->keep(type(), given_back(before));
    return taken;
  }
  (void)locks_->take(workspace(), type());
  const StatusDraft at_lock = status();
  LockKeeper keeper(*context_, *locks_, at_lock, condition_, sent);
  if (keeper.is_lost() && before.status != locked) {
    locks_->keep(type(), given_back(before));
    return fail(ErrorCode::unavailable, "the write of the lock of condition " + type() + " took too long");
  }
  const auto result = run_renewed(task, keeper);
  if (result) return unlock(*result, at_lock);
  context_->slot<GuardState>().task_failure = result.error().message;
  if (not_now == NotNow::keeps_lock && is_not_final(result.error())) {
    status() = at_lock;
    return fail(result.error());
  }
  const auto unlocked =
      unlock({.status = ConditionStatus::error, .reason = result.error().to_string()}, at_lock, result.error());
  if (!unlocked) {
    context_->log().error("a task failed, and its condition could not be set to Error",
                          {{"condition", type()}, {"error", unlocked.error().to_string()}});
  }
  return fail(result.error());
}

Result<TaskResult> ProviderController::run_renewed(const Task& task, LockKeeper& keeper) {
  const auto stop_of_reconcile = context_->exchange_stop_token(keeper.token());
  auto result = run(task);
  context_->exchange_stop_token(stop_of_reconcile);
  keeper.end();
  // The write that unlocks is based on the version of the last renewal, so that it does not conflict with our own
  // write.
  if (keeper.renewed() && is_renewal(workspace(), *keeper.renewed(), holder_)) status().rebase(*keeper.renewed());
  if (keeper.is_lost()) {
    context_->log().warning("a task is requested to stop, because its lock could not be renewed",
                            {{"condition", type()}});
  }
  return result;
}

Result<TaskResult> ProviderController::run(const Task& task) {
  auto& in_flight = context_->slot<GuardState>().in_flight;
  in_flight.insert(type());
  Result<TaskResult> result = [&]() -> Result<TaskResult> {
    try {
      return task();
    } catch (...) {
      return fail(context_->current_exception_error("the task"));
    }
  }();
  in_flight.erase(type());
  if (result && result->status == ConditionStatus::locked) {
    return fail(ErrorCode::invalid, "the task returned the status Locked, which only guard() may set");
  }
  return result;
}

// Returns the status that releases a lock under which no task ran.
StatusDraft ProviderController::given_back(const Condition& before) {
  StatusDraft draft = status();
  draft.set_condition(
      Condition{.type = type(), .status = before.status, .reason = to_reason(before.reason, before.status)});
  return draft;
}

// A stop does not cancel this write: the task has run, and this process may get no other chance to store the result.
Result<void> ProviderController::unlock(const TaskResult& result, const StatusDraft& at_lock,
                                        const std::optional<Error>& failure) {
  const Condition condition{.type = type(), .status = result.status, .reason = to_reason(result.reason, result.status)};
  status().set_condition(condition);
  const auto written = flush(status(), {}, while_ours());
  const bool is_over = status().is_gone() && workspace().is_deleting();
  if (!written && !is_over) return not_unlocked(written.error(), at_lock, failure);
  condition_ = written ? condition_of(*written, type()).value_or(condition) : condition;
  return {};
}

Result<void> ProviderController::not_unlocked(Error error, const StatusDraft& at_lock,
                                              const std::optional<Error>& failure) {
  StatusDraft result = std::exchange(status(), at_lock);
  status().rebase(result.object());
  // Nothing is left to unlock in three cases: the object is gone; another process has the lock; the condition was
  // written, and the error concerns another part of the status.
  condition_ = condition_of(result.object(), type()).value_or(condition_);
  if (result.is_gone() || !may_unlock(result.object())) return fail(std::move(error));
  if (error.code != ErrorCode::invalid) {
    locks_->keep(type(), std::move(result), failure);
    return fail(std::move(error));
  }
  // The schema rejects a value that the task has set, and would reject it again.
  const auto failed = ConditionStatus::error;
  status().set_condition(
      Condition{.type = type(),
                .status = failed,
                .reason = to_reason("the result of the task is not stored: " + error.to_string(), failed)});
  if (auto written = flush(status(), {}, while_ours()); written) {
    condition_ = condition_of(*written, type()).value_or(condition_);
  } else {
    locks_->keep(type(), std::exchange(status(), at_lock), error);
  }
  return fail(std::move(error));
}

Result<void> ProviderController::recover(const Recovery& recovery) {
  const auto locked = lock_of_other();
  if (!locked) return {};
  if (!locks_->is_recoverable(workspace(), *locked, holder_)) {
    return fail(conflict("condition " + type() + " is " + describe_lock(*locked)));
  }
  condition_ = *locked;
  auto kept = locks_->take(workspace(), type());
  // The kept result belongs to our lock, which another process may have taken in the meantime.
  if (kept && may_unlock(workspace())) return write_result(std::move(*kept));
  const std::string lost = fmt::format("condition {} was {}", type(), describe_lock(*locked));
  context_->log().warning("a lock is recovered", {{"condition", type()}, {"lost", lost}});
  event(EventType::warning, "LockRecovered", lost);
  if (recovery.inspect) return run_locked(locked->reason, recovery.inspect, NotNow::keeps_lock);
  const auto status = recovery.idempotent ? ConditionStatus::unknown : ConditionStatus::error;
  const std::string reason =
      recovery.idempotent ? "LockRecovered" : "LockRecovered: the result of this task is unknown: " + locked->reason;
  auto recovered = write_condition({.type = type(), .status = status, .reason = to_reason(reason, status)});
  if (!recovered || recovery.idempotent) return recovered;
  return fail(ErrorCode::unknown,
              lost + "; its task must not run twice: check what it has done before you reset the phase");
}

Result<void> ProviderController::write_result(LockRegistry::UnwrittenResult kept) {
  StatusDraft& draft = kept.status;
  draft.rebase(workspace());
  const auto written = flush(draft, {}, while_ours());
  if (!written) {
    if (!draft.is_gone() && may_unlock(draft.object())) {
      locks_->keep(type(), std::move(draft), std::move(kept.failure));
    }
    return fail(written.error());
  }
  status().rebase(*written);
  condition_ = condition_of(*written, type()).value_or(condition_);
  // An error that is retried is not returned, because the step itself runs again.
  if (!kept.failure || workspace().is_deleting() || is_not_final(*kept.failure)) return {};
  return fail(std::move(*kept.failure));
}

// ---- status ----

StillValid ProviderController::as_read() const {
  return [this, read = workspace()](const Object& newest) -> Result<void> {
    if (is_renewal(read, newest, holder_)) return {};
    if (!holds_lock(newest, type(), holder_)) return fail(changed(newest));
    return fail(ErrorCode::unavailable, "the response to the lock of condition " + type() + " was lost");
  };
}

StillValid ProviderController::while_ours() {
  return [this, read = workspace()](const Object& newest) -> Result<void> {
    if (!is_renewal(read, newest, holder_)) context_->slot<GuardState>().is_outdated = true;
    if (may_unlock(newest)) return {};
    return fail(conflict("another process has taken the lock of condition " + type()));
  };
}

Result<Object> ProviderController::flush(StatusDraft& draft, const std::stop_token& stop,
                                         const StillValid& still_valid) {
  auto written = StatusWriter(context_->client(), context_->field_manager()).flush(draft, stop, still_valid);
  if (!written || !draft.is_gone()) return written;
  return fail(ErrorCode::not_found, name_of(draft.object()) + " does not exist any more");
}

Result<void> ProviderController::write_condition(const Condition& condition) {
  const StatusDraft before = status();
  status().set_condition(condition);
  const auto written = flush(status(), context_->stop_token(), as_read());
  if (!written) {
    status() = before;
    return fail(written.error());
  }
  condition_ = condition_of(*written, type()).value_or(condition);
  return {};
}

Result<void> ProviderController::update_condition(ConditionStatus status, std::string_view reason) {
  if (status == ConditionStatus::locked) {
    return fail(ErrorCode::invalid, "condition " + type() + " cannot be set to Locked: only guard() may do that");
  }
  if (auto free = check_free(); !free) return free;
  return write_condition({.type = type(), .status = status, .reason = to_reason(reason, status)});
}

Result<void> ProviderController::update_with(const std::function<void(StatusDraft&)>& change) {
  const StatusDraft before = status();
  change(status());
  const bool in_task = is_in_flight();
  const auto written = flush(status(), context_->stop_token(), in_task ? while_ours() : as_read());
  if (written) return {};
  if (!in_task) status() = before;
  return fail(written.error());
}

Result<void> ProviderController::update(const json::Value& status) {
  if (!status.is_object()) return fail(ErrorCode::invalid, "the status must be a JSON object");
  json::object wanted = status.get_object();
  wanted["conditions"] = changed_conditions(json::Document(status).root().member("conditions"));
  return update_with([&](StatusDraft& draft) {
    const Object before = draft.object();
    for (const auto [name, value] : before["/status"].members()) {
      if (!wanted.contains(name) && name != "conditions") draft.remove("/" + json::escape_token(name));
    }
    for (const auto& [name, value] : wanted) draft.set("/" + json::escape_token(name), value);
  });
}

void ProviderController::drop_unchanged(std::vector<Condition>& conditions) const {
  std::erase_if(conditions,
                [&](const Condition& one) { return one.type == type() || condition_of(read_, one.type) == one; });
}

json::array ProviderController::changed_conditions(json::View conditions) const {
  json::array changed;
  for (const json::View one : conditions.elements()) {
    if (one.member("type") == type() || contains(read_["/status/conditions"], one)) continue;
    changed.push_back(one.to_value());
  }
  return changed;
}

// ---- children and finalizers ----

Result<Object> ProviderController::create(const json::Value& child, CreateOptions options) {
  const Object given{json::Value(child)};
  if (!options.controller) {
    options.controller = context_->owns_by_controller(given.group_version_kind()) && !has_controller(given);
  }
  auto owned = child_of(workspace(), instance_label_, child, options);
  if (!owned) return fail(std::move(owned.error()));
  auto created = context_->create(*owned);
  if (created || created.error().code != ErrorCode::already_exists) return created;
  const Object wanted{*owned};
  auto there = context_->client().get(wanted.group_version_kind(), wanted.key(), context_->stop_token());
  if (!there && there.error().code == ErrorCode::not_found) {
    return fail(ErrorCode::unavailable,
                "create " + name_of(wanted) + ": an object of this name existed and is gone now");
  }
  if (!there) return there;
  if (auto good = check_child(workspace(), instance_label_, *there, created.error()); !good) {
    return fail(std::move(good.error()));
  }
  return there;
}

Result<bool> ProviderController::remove(const GroupVersionKind& kind, const ObjectKey& key,
                                        const DeleteOptions& options) {
  return context_->client().remove(kind, key, options, context_->stop_token());
}

Result<FinalizerState> ProviderController::set_finalizer(std::string_view finalizer) {
  if (auto good = validate_finalizer(finalizer, FinalizerPolicy::add_then_continue); !good) {
    return fail(std::move(good.error()));
  }
  Finalizers finalizers(context_->client(), std::string(finalizer), context_->field_manager());
  const auto ensured = finalizers.add(workspace(), context_->stop_token());
  if (!ensured) return fail(of_api(ensured.error()));
  observe(ensured->object);
  if (ensured->written) return FinalizerState::added;
  return finalizers.is_present(ensured->object) ? FinalizerState::present : FinalizerState::deleting;
}

Result<void> ProviderController::remove_finalizer(std::string_view finalizer) {
  Finalizers finalizers(context_->client(), std::string(finalizer), context_->field_manager());
  const auto removed = finalizers.remove(workspace(), context_->stop_token());
  if (!removed) return fail(of_api(removed.error()));
  if (!*removed) return {};
  // The next write must apply to the version that this removal has created.
  const auto newest =
      context_->client().get(workspace().group_version_kind(), workspace().key(), context_->stop_token());
  if (newest) observe(*newest);
  return {};
}

// A write of the metadata does not change spec and status. If one of them differs, another client has written too.
void ProviderController::observe(const Object& newer) {
  const Object before = workspace();
  status().rebase(newer);
  if (newer.generation() != before.generation() || !has_same_status(before, newer, holder_)) {
    context_->slot<GuardState>().is_outdated = true;
  }
}

}  // namespace pintle::guard
