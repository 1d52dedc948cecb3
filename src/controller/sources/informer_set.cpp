// SPDX-License-Identifier: Apache-2.0
#include "informer_set.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

bool is_before(const InformerSet::Member& member, std::string_view namespace_) {
  return member->options().namespace_ < namespace_;
}

}  // namespace

void InformerSet::on_informer(const std::function<void(Informer&)>& callback) {
  callbacks_.push_back(callback);
  const auto existing = members();
  for (const Member& member : *existing) callback(*member);
}

Result<void> InformerSet::add_index(const Index& index) {
  if (!indexes_.insert(index.name).second) {
    return fail(ErrorCode::already_exists, "the caches of " + common_.resource.kind.kind + " have an index \"" +
                                               index.name + "\"; give one of the two another name");
  }
  on_informer([index](Informer& informer) { (void)!informer.add_index(index); });  // the name is new
  return {};
}

void InformerSet::add(Member informer) {
  for (const auto& callback : callbacks_) callback(*informer);
  restore(std::move(informer));
}

void InformerSet::restore(Member informer) {
  const MutexLock lock(mutex_);
  Members changed = *changing_;
  const auto at = std::lower_bound(changed.begin(), changed.end(), informer->options().namespace_, is_before);
  changed.insert(at, std::move(informer));
  changing_ = std::make_shared<const Members>(std::move(changed));
  if (is_fixed_) fixed_ = changing_;
}

InformerSet::Member InformerSet::take(std::string_view namespace_) {
  const MutexLock lock(mutex_);
  Members changed = *changing_;
  const auto at = std::lower_bound(changed.begin(), changed.end(), namespace_, is_before);
  if (at == changed.end() || (*at)->options().namespace_ != namespace_) return nullptr;
  Member taken = *at;
  changed.erase(at);
  changing_ = std::make_shared<const Members>(std::move(changed));
  return taken;
}

std::shared_ptr<const InformerSet::Members> InformerSet::members() const {
  if (is_fixed_) return fixed_;
  const MutexLock lock(mutex_);
  return changing_;
}

// An object without a namespace is of a cluster-scoped kind, whose informer has all objects.
InformerSet::Member InformerSet::of_namespace(std::string_view namespace_) const {
  const auto all = members();
  if (all->empty()) return nullptr;
  const Member& first = all->front();
  if (namespace_.empty() || first->options().namespace_.empty()) return first;
  const auto at = std::lower_bound(all->begin(), all->end(), namespace_, is_before);
  return at == all->end() || (*at)->options().namespace_ != namespace_ ? nullptr : *at;
}

Object InformerSet::get(const ObjectKey& key) const {
  const Member member = of_namespace(key.namespace_);
  return member == nullptr ? Object() : member->store().get(key);
}

ObjectRange InformerSet::range() const {
  std::vector<ObjectRange> parts;
  const auto all = members();
  for (const Member& member : *all) parts.push_back(member->store().range());
  return ObjectRange::joined(std::move(parts));
}

std::size_t InformerSet::size() const {
  std::size_t objects = 0;
  const auto all = members();
  for (const Member& member : *all) objects += member->store().size();
  return objects;
}

bool InformerSet::has_only_own_writes(const Object& before, const Object& after) const {
  const Member member = of_namespace(after.namespace_());
  return member != nullptr && member->has_only_own_writes(before, after);
}

}  // namespace pintle
