#include "applier.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

json::View controller_reference(json::View root) {
  for (const json::View owner : root["/metadata/ownerReferences"].elements()) {
    if (owner.member("controller") == true) return owner;
  }
  return {};
}

// Who an object belongs to, for people.
std::string holder(const Object& object) {
  if (const json::View owner = controller_reference(object.root())) {
    return "it is controlled by " + std::string(owner.member("kind").text()) + " " +
           std::string(owner.member("name").text());
  }
  std::string managers;
  for (const json::View entry : object["/metadata/managedFields"].elements()) {
    const std::string_view name = entry.member("manager").text();
    if (managers.find(name) == std::string::npos) managers += (managers.empty() ? "" : ", ") + std::string(name);
  }
  return managers.empty() ? "nobody controls it" : "it has no controller and was written by " + managers;
}

// A child that exists has to have the controller that the intent names.
Result<void> check_ours(const Object& existing, json::View intent) {
  const json::View wanted = controller_reference(intent);
  const json::View actual = controller_reference(existing.root());
  if (actual && actual.member("uid") == wanted.member("uid").text()) return {};
  return fail(ErrorCode::not_ours, std::string(existing.kind()) + " " + existing.key().to_string() +
                                       " exists and is not ours: " + holder(existing) +
                                       "; delete it, rename ours, or apply with adopt");
}

bool merges_by_element(std::string_view member) { return member == "ownerReferences" || member == "finalizers"; }

bool contains_each(json::View there, json::View wanted) {
  const auto is_there = [&](json::View element) {
    const auto all = there.elements();
    for (const json::View candidate : all) {
      if (contains(candidate, element)) return true;
    }
    return false;
  };
  for (const json::View element : wanted.elements()) {
    if (!is_there(element)) return false;
  }
  return true;
}

}  // namespace

bool contains(json::View there, json::View intent) {
  if (!intent.is_object()) return there == intent;
  if (!there.is_object()) return false;
  for (const auto [name, wanted] : intent.members()) {
    const json::View actual = there.member(name);
    const bool kept =
        merges_by_element(name) && wanted.is_array() ? contains_each(actual, wanted) : contains(actual, wanted);
    if (!kept) return false;
  }
  return true;
}

Applier::Applier(Client& client, std::string field_manager)
    : client_(client), field_manager_(std::move(field_manager)), mutex_(client.transport().runtime()) {}

Result<Object> Applier::apply(const ObjectKey& from, const json::Value& intent, ApplyOptions options,
                              const Object* cached, const std::stop_token& stop) {
  const Object wanted{json::Value(intent)};
  const ChildId child{wanted.group_version_kind(), wanted.key()};
  std::string text = wanted.print();
  if (cached != nullptr && cached->exists() && was_sent(from, child, text) && contains(cached->root(), wanted.root())) {
    return *cached;
  }
  const bool is_child = controller_reference(wanted.root()).exists();
  if (is_child && !options.adopt) {
    Object existing = cached != nullptr ? *cached : Object();
    if (!existing) {
      // Also where the kind is watched: the local copy may not have it yet.
      auto found = client_.get(std::get<0>(child), std::get<1>(child), stop);
      if (!found && found.error().code != ErrorCode::not_found) return found;
      if (found) existing = std::move(*found);
    }
    if (existing) {
      if (auto ours = check_ours(existing, wanted.root()); !ours) return fail(std::move(ours.error()));
    }
  }
  auto applied = client_.apply(intent, {.field_manager = field_manager_, .force = is_child}, stop);
  if (applied) remember(from, child, std::move(text));
  return applied;
}

bool Applier::was_sent(const ObjectKey& from, const ChildId& child, const std::string& text) const {
  const MutexLock lock(mutex_);
  const auto children = sent_.find(from);
  if (children == sent_.end()) return false;
  const auto last = children->second.find(child);
  return last != children->second.end() && last->second == text;
}

void Applier::remember(const ObjectKey& from, const ChildId& child, std::string text) {
  const MutexLock lock(mutex_);
  sent_[from][child] = std::move(text);
}

bool Applier::has_drifted(const ObjectKey& from, const json::Value& intent, const Object& cached) const {
  const Object wanted{json::Value(intent)};
  return was_sent(from, {wanted.group_version_kind(), wanted.key()}, wanted.print()) &&
         !contains(cached.root(), wanted.root());
}

bool Applier::has_pruned(const ObjectKey& from, const std::string& state) const {
  const MutexLock lock(mutex_);
  const auto last = pruned_.find(from);
  return last != pruned_.end() && last->second == state;
}

void Applier::remember_pruned(const ObjectKey& from, std::string state) {
  const MutexLock lock(mutex_);
  pruned_[from] = std::move(state);
}

void Applier::forget(const ObjectKey& from) {
  const MutexLock lock(mutex_);
  sent_.erase(from);
  pruned_.erase(from);
}

}  // namespace pintle
