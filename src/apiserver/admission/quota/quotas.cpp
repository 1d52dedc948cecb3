// SPDX-License-Identifier: Apache-2.0
#include "quotas.hpp"

#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "usage.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view quota_collection = "resourcequotas";
constexpr std::string_view events = "events";  // no quota counts them

std::string key_of_quota(const Object& quota) { return storage_key(quota.namespace_(), quota.name()); }

Amounts hard_of(const Object& quota) { return amounts_of(quota["/spec/hard"]); }

Amounts only(const Amounts& amounts, const Amounts& names) {
  Amounts out;
  for (const auto& [name, amount] : amounts) {
    if (names.contains(name)) out.emplace(name, amount);
  }
  return out;
}

// Returns the amounts that the write adds to the usage. An object that becomes smaller has negative amounts.
Amounts added_by(const QuotaWrite& write, json::View object, WallTime now) {
  Amounts out = usage_of(write.resource, object, now);
  if (write.old_object != nullptr) {
    const Object before(*write.old_object);
    for (const auto& [name, amount] : usage_of(write.resource, before.root(), now)) out[name] -= amount;
  }
  std::erase_if(out, [](const auto& one) { return one.second.is_zero(); });
  return out;
}

Refusal quota_denial(const QuotaWrite& write, std::string_view why) {
  return forbidden(write.resource.named(write.name), why);
}

json::object resource_list(const Amounts& amounts) {
  json::object out;
  for (const auto& [name, amount] : amounts) out[name] = amount.to_string();
  return out;
}

}  // namespace

Quotas::Charge::Charge(Quotas& quotas, std::string_view namespace_) : quotas_(&quotas), namespace_(namespace_) {
  const MutexLock lock(quotas.mutex_);
  ++quotas.unfinished_[this->namespace_];
}

Quotas::Charge::Charge(Charge&& other) noexcept
    : quotas_(std::exchange(other.quotas_, nullptr)),
      namespace_(std::move(other.namespace_)),
      charged_(std::move(other.charged_)) {}

Quotas::Charge::~Charge() {
  if (quotas_ == nullptr) return;
  for (const auto& [quota, amounts] : charged_) quotas_->give_back(quota, amounts);
  const MutexLock lock(quotas_->mutex_);
  const auto found = quotas_->unfinished_.find(namespace_);
  if (--found->second == 0) quotas_->unfinished_.erase(found);
}

bool Quotas::has_unfinished(std::string_view namespace_) const {
  const MutexLock lock(mutex_);
  return unfinished_.contains(namespace_);
}

StatusOr<Quotas::Charge> Quotas::charge(const QuotaWrite& write) {
  if (!write.resource.namespaced || write.resource.collection == events) return Charge();
  if (storage_.objects(quota_collection, write.namespace_).empty()) return Charge();
  // recount() must not observe a charge without its object, so the write counts as unfinished before the quotas are
  // read.
  Charge charge(*this, write.namespace_);
  const Object object(write.object);
  const WallTime now = executor_.wall_now();
  const Amounts added = added_by(write, object.root(), now);
  std::vector<std::pair<Object, Amounts>> applying;
  for (Object& quota : storage_.objects(quota_collection, write.namespace_)) {
    const Amounts hard = hard_of(quota);
    Amounts requested = only(added, hard);
    if (!is_in_scopes(write.resource, quota.root(), object.root())) continue;
    if (write.resource.collection == "pods" && write.old_object == nullptr) {
      if (const std::string missing = missing_amounts(object.root(), hard); !missing.empty()) {
        return refuse(quota_denial(write, fmt::format("failed quota: {}: {}", quota.name(), missing)));
      }
    }
    if (!requested.empty()) applying.emplace_back(std::move(quota), std::move(requested));
  }
  for (const auto& [quota, requested] : applying) {
    if (auto allowed = check(write, quota, requested); !allowed) return refuse(std::move(allowed.error()));
  }
  if (write.dry_run) return Charge();
  for (auto& one : applying) {
    if (auto added_to = add(write, std::move(one.first), added, charge); !added_to) {
      return refuse(std::move(added_to.error()));
    }
  }
  return charge;
}

// A write that only makes an object smaller is always allowed.
StatusOr<void> Quotas::check(const QuotaWrite& write, const Object& quota, const Amounts& requested) const {
  const Amounts hard = hard_of(quota);
  const Amounts used = used_of(quota);
  Amounts exceeded;
  for (const auto& [name, amount] : requested) {
    const auto limit = hard.find(name);
    if (limit == hard.end() || amount.is_negative()) continue;
    const auto before = used.find(name);
    const Quantity after = (before == used.end() ? Quantity() : before->second) + amount;
    if (after > limit->second) exceeded.emplace(name, amount);
  }
  if (exceeded.empty()) return {};
  return refuse(quota_denial(
      write,
      fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}", quota.name(), print_amounts(exceeded),
                  print_amounts(only(used, exceeded)), print_amounts(only(hard, exceeded)))));
}

// Adds the amounts that a quota limits to its status. If another write came first, its state decides, which may have
// other limits.
StatusOr<void> Quotas::add(const QuotaWrite& write, Object quota, const Amounts& added, Charge& charge) {
  Amounts requested = only(added, hard_of(quota));
  while (!requested.empty()) {
    Amounts used = used_of(quota);
    add_to(used, requested);
    auto stored = put(quota, used);
    if (!stored) return refuse(internal_failure(stored.error().message));
    if (*stored) {
      charge.charged_.emplace_back(std::move(**stored), requested);
      return {};
    }
    const std::string uid(quota.uid());
    quota = storage_.get(quota_collection, key_of_quota(quota));
    if (!quota || quota.uid() != uid) return {};  // the quota was deleted
    requested = only(added, hard_of(quota));
    if (auto allowed = check(write, quota, requested); !allowed) return allowed;
  }
  return {};
}

void Quotas::give_back(const Object& quota, const Amounts& amounts) {
  while (true) {
    const Object current = storage_.get(quota_collection, key_of_quota(quota));
    if (!current || current.uid() != quota.uid()) return;
    Amounts used = used_of(current);
    for (const auto& [name, amount] : amounts) {
      if (const auto limited = used.find(name); limited != used.end()) limited->second -= amount;
    }
    const auto stored = put(current, used);
    if (!stored || *stored) return;  // after a failed commit, the controllers count again
  }
}

// The usage in the status. The objects are counted for the names that the quota did not limit when it was written.
Amounts Quotas::used_of(const Object& quota) const {
  Amounts missing = hard_of(quota);
  Amounts used = only(amounts_of(quota["/status/used"]), missing);
  for (const auto& [name, amount] : used) missing.erase(name);
  if (!missing.empty()) used.merge(counted(quota, missing));
  return used;
}

Amounts Quotas::counted(const Object& quota, const Amounts& hard) const {
  const WallTime now = executor_.wall_now();
  Amounts out;
  for (const ResourcePtr& resource : registry_.catalog()->collections()) {
    if (!resource->namespaced || resource->collection == events) continue;
    Amounts names;
    for (const auto& [name, amount] : hard) {
      if (can_use(*resource, name)) names.emplace(name, Quantity());
    }
    if (names.empty()) continue;
    add_to(out, names);
    for (const Object& object : storage_.objects(resource->collection, quota.namespace_())) {
      if (is_in_scopes(*resource, quota.root(), object.root()))
        add_to(out, only(usage_of(*resource, object.root(), now), names));
    }
  }
  return out;
}

Result<std::optional<Object>> Quotas::put(const Object& quota, const Amounts& used) {
  Value next = quota.to_value();
  next.as_object()["status"] = json::object{{"hard", quota["/spec/hard"].to_value()}, {"used", resource_list(used)}};
  return storage_.put(quota_collection, key_of_quota(quota), quota, std::move(next));
}

// A charge that is stored after the quotas were read makes put() fail. One that was stored before has its object in the
// storage too, or is unfinished.
bool Quotas::recount(std::string_view namespace_) {
  const std::vector<Object> quotas = storage_.objects(quota_collection, namespace_);
  if (has_unfinished(namespace_)) return false;
  bool is_done = true;
  for (const Object& quota : quotas) {
    const Amounts hard = hard_of(quota);
    const Amounts used = counted(quota, hard);
    const bool is_current = amounts_of(quota["/status/hard"]) == hard && quota["/status/hard"].is_object() &&
                            quota["/status/used"].is_object() && amounts_of(quota["/status/used"]) == used;
    if (is_current) continue;
    const auto stored = put(quota, used);
    is_done = is_done && stored && *stored;
  }
  return is_done;
}

bool Quotas::depends_on(const Object& quota, std::string_view collection) const {
  if (collection == quota_collection) return true;
  const ResourcePtr resource = registry_.catalog()->of_collection(collection);
  if (resource == nullptr || !resource->namespaced) return false;
  for (const auto [name, amount] : quota["/spec/hard"].members()) {
    if (can_use(*resource, name)) return true;
  }
  return false;
}

}  // namespace pintle::apiserver
