// SPDX-License-Identifier: Apache-2.0
#include "lock_keeper.hpp"

#include <utility>

#include <pintle/controller/status_writer.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::guard {
namespace {

// The object without its version and without the members that a renewal changes.
json::Value without_renewals(const Object& object, std::string_view holder) {
  json::Value value = object.root().to_value();
  json::erase(value, "/metadata/resourceVersion");
  json::erase(value, "/metadata/managedFields");
  json::Value* conditions = json::find(value, "/status/conditions");
  if (conditions == nullptr || !conditions->is_array()) return value;
  for (json::Value& condition : conditions->get_array()) {
    const json::Value* whose = json::find(condition, "/lock/holder");
    if (whose != nullptr && *whose == json::Value(holder)) json::erase(condition, "/lock/renewed");
  }
  return value;
}

}  // namespace

bool holds_lock(const Object& object, std::string_view type, std::string_view holder) {
  const auto there = condition_of(object, type);
  return there && there->status == ConditionStatus::locked && there->lock && there->lock->holder == holder;
}

bool may_unlock(const Object& object, std::string_view type, std::string_view holder) {
  const auto there = condition_of(object, type);
  return !there || holds_lock(object, type, holder) || (there->status == ConditionStatus::locked && !there->lock);
}

bool is_renewal(const Object& before, const Object& after, std::string_view holder) {
  return before.uid() == after.uid() && without_renewals(before, holder) == without_renewals(after, holder);
}

bool has_same_status(const Object& before, const Object& after, std::string_view holder) {
  const json::Value was = without_renewals(before, holder);
  const json::Value is = without_renewals(after, holder);
  const json::Value* old_status = json::find(was, "/status");
  const json::Value* new_status = json::find(is, "/status");
  if (old_status == nullptr || new_status == nullptr) return old_status == new_status;
  return *old_status == *new_status;
}

LockKeeper::LockKeeper(Context& context, const LockRegistry& locks, const StatusDraft& at_lock, Condition locked,
                       Instant sent)
    : client_(context.client()),
      transport_(client_.transport()),
      executor_(context.executor()),
      field_manager_(context.field_manager()),
      log_(context.log()),
      life_(locks.timeout_of(locked)),
      draft_(at_lock),
      locked_(std::move(locked)),
      link_(executor_, context.stop_token(), [state = state_] { state->task.request_stop(); }) {
  if (life_ <= Duration::zero()) return;  // no other process ever takes the lock over
  const Instant deadline = after(sent, life_ * 2 / 3);
  lose_at(deadline);
  if (deadline <= executor_.now()) state_->lose();
  if (is_lost() || !LockRegistry::has_renewals(locked_)) return;
  thread_ = executor_.spawn({.name = "lock-renewal"}, [this, next = after(sent, life_ / 3)] { run(next); });
}

LockKeeper::~LockKeeper() { end(); }

void LockKeeper::end() {
  state_->renewing.request_stop();
  thread_.join();
  cancel_timer();
}

void LockKeeper::cancel_timer() {
  if (timer_) transport_.cancel_timer(*std::exchange(timer_, std::nullopt));
}

void LockKeeper::lose_at(Instant deadline) {
  cancel_timer();
  timer_ = transport_.start_timer(deadline, [state = state_] { state->lose(); });
}

void LockKeeper::run(Instant next) {
  while (executor_.sleep_until(next, state_->renewing.get_token())) {
    const Instant sent = executor_.now();
    if (renew()) {
      lose_at(after(sent, life_ * 2 / 3));
      next = after(sent, life_ / 3);
    } else {
      next = after(executor_.now(), life_ / 15);
    }
  }
}

bool LockKeeper::renew() {
  locked_.lock->renewed = executor_.wall_now();
  draft_.set_condition(locked_);
  bool is_taken = false;
  const auto still_ours = [&](const Object& newest) -> Result<void> {
    is_taken = !may_unlock(newest, locked_.type, locked_.lock->holder);
    if (is_taken) return fail(ErrorCode::conflict, "another process has taken the lock");
    return {};
  };
  auto written = StatusWriter(client_, field_manager_).flush(draft_, state_->renewing.get_token(), still_ours);
  if (draft_.is_gone()) {
    // In a deletion, the task itself may have removed the last finalizer. Then no lock exists that another process
    // could take over.
    if (!draft_.object().is_deleting()) state_->lose();
    state_->renewing.request_stop();
    cancel_timer();
    return false;
  }
  if (written) {
    renewed_ = std::move(*written);
    return true;
  }
  if (is_taken) state_->lose();
  if (is_taken || !state_->renewing.stop_requested()) {
    log_.warning("a lock could not be renewed while its task runs",
                 {{"condition", locked_.type}, {"error", written.error().to_string()}});
  }
  return false;
}

}  // namespace pintle::guard
