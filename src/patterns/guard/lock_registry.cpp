// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/lock_registry.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::guard {
namespace {

constexpr std::size_t max_unwritten_results = 1000;

LockOptions with_instance(LockOptions options, Executor& executor) {
  if (options.instance.empty()) options.instance = fmt::format("{:016x}", executor.random());
  return options;
}

}  // namespace

LockRegistry::LockRegistry(Executor& executor, LockOptions options)
    : clock_(executor), options_(with_instance(std::move(options), executor)), mutex_(executor) {}

std::string LockRegistry::holder(std::string_view field_manager) const {
  return fmt::format("{}:{}", field_manager, options_.instance);
}

bool LockRegistry::has_renewals(const Condition& locked) { return locked.lock && locked.lock->renewed != WallTime{}; }

Duration LockRegistry::timeout_of(const Condition& locked) const {
  if (options_.lock_timeout <= Duration::zero() || has_renewals(locked)) return options_.lock_timeout;
  return options_.lock_timeout_without_renewal;
}

bool LockRegistry::is_recoverable(const Object& workspace, const Condition& locked, std::string_view holder) {
  if (locked.lock && locked.lock->holder == holder) return true;
  const auto of_this_operator = holder.substr(0, holder.size() - options_.instance.size());
  if (locked.lock && locked.lock->holder.starts_with(of_this_operator) && options_.is_elected && options_.is_elected())
    return true;
  const Duration life = timeout_of(locked);
  if (has_renewals(locked)) return unchanged({std::string(workspace.uid()), locked.type}, *locked.lock) >= life;
  const WallTime since = locked.lock ? locked.lock->since : locked.last_transition_time;
  return clock_.wall_now() - since >= life;
}

// The time for which this process has observed the lock unchanged.
Duration LockRegistry::unchanged(Id id, const Lock& lock) {
  const Instant now = clock_.now();
  const MutexLock locked(mutex_);
  const auto [found, is_new] =
      observed_.try_emplace(std::move(id), ObservedLock{.lock = lock, .since = now, .last_checked = now});
  ObservedLock& observed = found->second;
  if (observed.lock != lock) observed = {.lock = lock, .since = now, .last_checked = now};
  observed.last_checked = now;
  const Duration age = now - observed.since;
  if (observed_.size() > max_observed_) drop_unused(now);
  return age;
}

// Drops the locks that no reconcile has checked for an hour: they are unlocked, or their workspaces are gone.
void LockRegistry::drop_unused(Instant now) {
  constexpr Duration max_wait = std::chrono::hours(1);
  std::erase_if(observed_, [&](const auto& one) { return now - one.second.last_checked > max_wait; });
  max_observed_ = std::max<std::size_t>(1000, 2 * observed_.size());
}

void LockRegistry::keep(std::string_view type, StatusDraft status, std::optional<Error> failure) {
  std::string uid(status.object().uid());
  const MutexLock lock(mutex_);
  (void)take(uid, type);
  results_.push_back({std::move(uid), std::string(type), {std::move(status), std::move(failure)}});
  if (results_.size() > max_unwritten_results) results_.pop_front();
}

std::optional<LockRegistry::UnwrittenResult> LockRegistry::take(const Object& object, std::string_view type) {
  const MutexLock lock(mutex_);
  return take(object.uid(), type);
}

std::optional<LockRegistry::UnwrittenResult> LockRegistry::take(std::string_view uid, std::string_view type) {
  const auto found = std::find_if(results_.begin(), results_.end(),
                                  [&](const StoredResult& one) { return one.uid == uid && one.type == type; });
  if (found == results_.end()) return std::nullopt;
  std::optional<UnwrittenResult> result(std::move(found->result));
  results_.erase(found);
  return result;
}

}  // namespace pintle::guard
