#include <pintle/patterns/guard/locks.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::guard {
namespace {

constexpr std::size_t most_kept = 1000;

LockOptions with_instance(LockOptions options, Runtime& runtime) {
  if (options.instance.empty()) options.instance = fmt::format("{:016x}", runtime.random());
  return options;
}

}  // namespace

Locks::Locks(Runtime& runtime, LockOptions options)
    : clock_(runtime), options_(with_instance(std::move(options), runtime)), mutex_(runtime) {}

std::string Locks::holder(std::string_view field_manager) const {
  return fmt::format("{}:{}", field_manager, options_.instance);
}

bool Locks::is_recoverable(const Condition& locked, std::string_view holder) const {
  if (locked.lock && locked.lock->holder == holder) return true;
  const WallTime since = locked.lock ? locked.lock->since : locked.last_transition_time;
  return clock_.wall_now() - since >= options_.limit;
}

void Locks::keep(std::string_view type, StatusDraft result) {
  std::string uid(result.object().uid());
  const MutexLock lock(mutex_);
  (void)take(uid, type);
  kept_.push_back({std::move(uid), std::string(type), std::move(result)});
  if (kept_.size() > most_kept) kept_.pop_front();
}

std::optional<StatusDraft> Locks::take(const Object& object, std::string_view type) {
  const MutexLock lock(mutex_);
  return take(object.uid(), type);
}

std::optional<StatusDraft> Locks::take(std::string_view uid, std::string_view type) {
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) { return one.uid == uid && one.type == type; });
  if (found == kept_.end()) return std::nullopt;
  std::optional<StatusDraft> result(std::move(found->result));
  kept_.erase(found);
  return result;
}

}  // namespace pintle::guard
