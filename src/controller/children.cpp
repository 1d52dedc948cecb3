// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/children.hpp>

#include <algorithm>
#include <set>

namespace pintle {
namespace {

std::string id_of(const Object& intent) {
  return intent.group_version_kind().to_string() + " " + intent.key().to_string();
}

// `observer` is a condition or the status. One that was written for an older generation does not count.
bool is_of_present_generation(const Object& object, json::View observer) {
  const auto observed = observer.member("observedGeneration").as_integer();
  return !observed || *observed >= object.generation();
}

}  // namespace

ReadyCheck condition_is_true(std::string type) {
  return [type = std::move(type)](const Object& object) {
    const json::View status = object.root().member("status");
    if (!is_of_present_generation(object, status)) return false;
    for (const json::View condition : status.member("conditions").elements()) {
      if (condition.member("type") != type) continue;
      return condition.member("status") == "True" && is_of_present_generation(object, condition);
    }
    return false;
  };
}

std::string ChildSet::add(json::Value intent, ChildOptions options) {
  std::string id = id_of(Object(intent));
  children_.push_back({.id = id, .intent = std::move(intent), .options = std::move(options)});
  return id;
}

Result<void> ChildSet::check() const {
  std::set<std::string> ids;
  for (const Child& child : children_) {
    const Object intent(child.intent);
    if (intent.name().empty() || intent.kind().empty() || intent.api_version().empty()) {
      return fail(ErrorCode::invalid, "child \"" + child.id + "\" must have apiVersion, kind and metadata.name");
    }
    if (!ids.insert(child.id).second)
      return fail(ErrorCode::invalid, "two children of the set have the id " + child.id);
  }
  for (const Child& child : children_) {
    for (const std::string& before : child.options.after) {
      if (ids.contains(before)) continue;
      return fail(ErrorCode::invalid,
                  child.id + " has \"" + before + "\" in `after`, which is not a child of this set");
    }
  }
  return {};
}

Result<std::vector<const ChildSet::Child*>> ChildSet::in_order() const {
  if (auto good = check(); !good) return fail(std::move(good.error()));
  std::vector<const Child*> ordered;
  std::set<std::string> placed;
  const auto can_be_placed = [&](const Child& child) {
    const auto is_placed = [&](const std::string& id) { return placed.contains(id); };
    return !placed.contains(child.id) && std::all_of(child.options.after.begin(), child.options.after.end(), is_placed);
  };
  while (ordered.size() < children_.size()) {
    const auto next = std::find_if(children_.begin(), children_.end(), can_be_placed);
    if (next == children_.end()) break;
    placed.insert(next->id);
    ordered.push_back(&*next);
  }
  if (ordered.size() == children_.size()) return ordered;
  // Each remaining child depends on a remaining child, so following these dependencies leads into a cycle.
  std::vector<std::string> path;
  const auto left = [&](const std::string& id) { return !placed.contains(id); };
  std::string id = std::find_if(children_.begin(), children_.end(), [&](const Child& c) { return left(c.id); })->id;
  while (std::find(path.begin(), path.end(), id) == path.end()) {
    path.push_back(id);
    const auto& child = *std::find_if(children_.begin(), children_.end(), [&](const Child& c) { return c.id == id; });
    id = *std::find_if(child.options.after.begin(), child.options.after.end(), left);
  }
  std::string text = id;
  for (auto at = std::find(path.begin(), path.end(), id) + 1; at != path.end(); ++at) text += " after " + *at;
  return fail(ErrorCode::invalid, "the dependencies of the children form a cycle: " + text + " after " + id);
}

Outcome AppliedChildren::outcome() const {
  if (error) return failed(*error);
  if (all_ready() || watched) return done;
  return requeue;
}

}  // namespace pintle
