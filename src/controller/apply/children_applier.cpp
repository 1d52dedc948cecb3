// SPDX-License-Identifier: Apache-2.0
#include "children_applier.hpp"

#include <algorithm>
#include <utility>

#include <pintle/object/owner.hpp>
#include <pintle/object/selector.hpp>

#include "child_scope.hpp"

namespace pintle {
namespace {

json::object& member_object(json::object& parent, std::string_view name) {
  json::Value& value = parent[name];
  if (!value.is_object()) value = json::object();
  return value.as_object();
}

// Returns the name of the tool in "name/version".
std::string_view tool_in(std::string_view tooling) { return tooling.substr(0, tooling.find('/')); }

bool has_labels(const Object& object, const std::string& selector) {
  if (selector.empty()) return true;
  const auto parsed = LabelSelector::parse(selector);
  return parsed && parsed->matches(object["/metadata/labels"]);
}

bool has_fields(const Object& object, const std::string& selector) {
  if (selector.empty()) return true;
  const auto parsed = FieldSelector::parse(selector);
  return parsed && parsed->matches(object.root());
}

std::string tooling_of(std::string field_manager) {
  std::replace(field_manager.begin(), field_manager.end(), '/', '.');
  return field_manager + "/v1";
}

}  // namespace

ChildrenApplier::ChildrenApplier(Context& context, ReconcileState& state)
    : context_(context),
      state_(state),
      parent_(state.object),
      id_(apply_set::id_of(parent_.key(), parent_.group_version_kind())),
      tooling_(tooling_of(state.field_manager)) {}

AppliedChildren ChildrenApplier::apply(const ChildSet& set) {
  const auto keep = [&](Error error) {
    if (!result_.error)
      result_.error = std::move(error).with_operation("apply the children of " + parent_.key().to_string());
  };
  if (auto good = prepare(set); !good) {
    keep(std::move(good.error()).terminal());  // a retry with the same set cannot succeed
    return std::move(result_);
  }
  Reach before = recorded();
  if (auto found = add_unrecorded(before.kinds); !found) {
    keep(std::move(found.error()));
    return std::move(result_);
  }
  if (children_.empty() && before == Reach{}) return std::move(result_);
  Reach both = wanted();
  both.kinds.insert(before.kinds.begin(), before.kinds.end());
  both.namespaces.insert(before.namespaces.begin(), before.namespaces.end());
  if (auto mine = check_parent(); !mine) {
    keep(std::move(mine.error()));
  } else if (auto done = record(both); !done) {
    keep(std::move(done.error()));
  } else {
    apply_all();
    if (result_.error || !result_.blocked.empty()) return std::move(result_);
    if (auto pruned = prune(); !pruned) keep(std::move(pruned.error()));
  }
  return std::move(result_);
}

Result<void> ChildrenApplier::prepare(const ChildSet& set) {
  const auto ordered = set.in_order();
  if (!ordered) return fail(ordered.error());
  for (const ChildSet::Child* child : *ordered) {
    if (!is_active(*child)) {
      result_.inactive.push_back(child->id);
      continue;
    }
    auto one = prepared(*child);
    if (!one) return Result<void>(fail(std::move(one.error()))).with_operation(child->id);
    children_.push_back(std::move(*one));
  }
  return {};
}

// The children come in the order of their dependencies.
bool ChildrenApplier::is_active(const ChildSet::Child& child) const {
  if (state_.owned_kinds == nullptr || !state_.owned_kinds->has_conditions()) return true;
  const auto is_inactive = [&](const std::string& id) {
    return std::find(result_.inactive.begin(), result_.inactive.end(), id) != result_.inactive.end();
  };
  const auto& after = child.options.after;
  return std::none_of(after.begin(), after.end(), is_inactive) &&
         state_.is_active(Object(child.intent).group_version_kind());
}

Result<ChildrenApplier::Prepared> ChildrenApplier::prepared(const ChildSet::Child& child) const {
  const Object intent(child.intent);
  Prepared prepared{.child = &child, .intent = child.intent, .kind = intent.group_version_kind(), .key = intent.key()};
  if (auto fits = check_child_scope(*state_.cluster->client, intent, parent_, state_.stop); !fits) {
    return fail(std::move(fits.error()));
  }
  if (!parent_.namespace_().empty() && prepared.key.namespace_ != parent_.namespace_()) {
    return fail(ErrorCode::invalid, "a child must be in the namespace of its parent; set metadata.namespace to " +
                                        std::string(parent_.namespace_()));
  }
  if (auto made = make_part_of_set(prepared); !made) return fail(std::move(made.error()));
  return prepared;
}

Result<void> ChildrenApplier::make_part_of_set(Prepared& child) const {
  const auto controller = controller_of(Object(child.intent));
  if (controller && controller->uid != parent_.uid()) {
    return fail(ErrorCode::invalid,
                "the intent names another controller, " + controller->kind + " " + controller->name);
  }
  json::object& metadata = member_object(child.intent.as_object(), "metadata");
  member_object(metadata, "labels")[apply_set::part_of_label] = id_;
  member_object(metadata, "annotations")[apply_set::member_annotation] = id_;
  child.intent = with_controller_reference(std::move(child.intent), controller_reference(parent_));
  return {};
}

// A set belongs to one tool and one parent. A label with another id was copied from another object.
Result<void> ChildrenApplier::check_parent() const {
  const std::string_view id = parent_.label(apply_set::id_label);
  if (!id.empty() && id != id_) {
    return fail(ErrorCode::not_owned, "label " + std::string(apply_set::id_label) + " of " + parent_.describe() +
                                          " has the id of the apply set of another object; remove the label");
  }
  const std::string_view tooling = parent_.annotation(apply_set::tooling_annotation);
  if (!tooling.empty() && tool_in(tooling) != tool_in(tooling_)) {
    return fail(ErrorCode::not_owned, "the apply set of " + parent_.describe() + " is managed by " +
                                          std::string(tooling) + ", not by " + tooling_ +
                                          "; two tools on one set would prune each other's members; if the former no "
                                          "longer applies it, for example because the manager or the controller was "
                                          "renamed, remove the annotation " +
                                          std::string(apply_set::tooling_annotation));
  }
  return {};
}

ChildrenApplier::Reach ChildrenApplier::recorded() const {
  return {.kinds = apply_set::names_in(parent_.annotation(apply_set::kinds_annotation)),
          .namespaces = apply_set::names_in(parent_.annotation(apply_set::namespaces_annotation))};
}

// A client that replaces the parent removes its annotations. The caches still contain the members of owned kinds.
Result<void> ChildrenApplier::add_unrecorded(apply_set::Names& kinds) {
  if (state_.owns == nullptr) return {};
  for (const Owns& owned : *state_.owns) {
    const std::string name = apply_set::name_of(owned.kind);
    if (kinds.contains(name) || !state_.cluster->has_all(owned.kind, parent_.namespace_())) continue;
    const auto objects = context_.list_owned(owned.kind);
    if (!objects) return fail(objects.error());
    const auto is_left = [&](const Object& object) { return is_member(object) && !object.is_deleting(); };
    if (std::any_of(objects->begin(), objects->end(), is_left)) kinds.insert(name);
  }
  return {};
}

ChildrenApplier::Reach ChildrenApplier::wanted() const {
  Reach reach;
  for (const Prepared& child : children_) {
    reach.kinds.insert(apply_set::name_of(child.kind));
    const std::string& home = child.key.namespace_;
    if (!home.empty() && home != parent_.namespace_()) reach.namespaces.insert(home);
  }
  return reach;
}

Result<void> ChildrenApplier::record(const Reach& reach) {
  const bool is_there = parent_.label(apply_set::id_label) == id_ && recorded() == reach &&
                        parent_.annotation(apply_set::tooling_annotation) == tooling_;
  if (is_there) return {};
  const json::Value patch{
      {"metadata",
       {{"labels", json::object{{apply_set::id_label, id_}}},
        {"annotations", json::object{{apply_set::tooling_annotation, tooling_},
                                     {apply_set::kinds_annotation, apply_set::print(reach.kinds)},
                                     {apply_set::namespaces_annotation, apply_set::print(reach.namespaces)}}}}}};
  auto patched = context_.patch(parent_, patch);
  if (!patched) return fail(std::move(patched.error()));
  parent_ = std::move(*patched);
  return {};
}

void ChildrenApplier::apply_all() {
  for (const Prepared& child : children_) {
    const auto is_ready = [&](const std::string& id) { return ready_.contains(id); };
    const auto& after = child.child->options.after;
    if (std::all_of(after.begin(), after.end(), is_ready)) {
      apply_one(child);
    } else {
      result_.blocked.push_back(child.child->id);
    }
    if (result_.error && result_.error->code == ErrorCode::cancelled) return;
  }
}

void ChildrenApplier::apply_one(const Prepared& child) {
  const ChildOptions& options = child.child->options;
  const std::string& id = child.child->id;
  auto applied = context_.apply_child(child.intent, {.adopt = options.adopt});
  if (!applied) {
    if (!result_.error) result_.error = std::move(applied.error());
    return;
  }
  if (applied->put_right) {
    state_.log.info("another client changed or deleted a child; it was restored", {{"child", id}});
    result_.drifted.push_back(id);
  }
  if (!applied->object.is_deleting() && (!options.ready || options.ready(applied->object))) {
    ready_.insert(id);
  } else {
    result_.not_ready.push_back(id);
    result_.watched = result_.watched && causes_reconcile(child, applied->object);
  }
  result_.objects.emplace(id, std::move(applied->object));
}

// A predicate may reject the change that makes the child ready, and the map function of a kind that is only watched may
// return other keys. A change of a child that has the kind of its parent enqueues the child, not the parent.
bool ChildrenApplier::causes_reconcile(const Prepared& child, const Object& applied) const {
  if (state_.owns == nullptr || child.kind == parent_.group_version_kind()) return false;
  const bool is_owned = std::any_of(state_.owns->begin(), state_.owns->end(), [&](const Owns& owned) {
    return owned.kind == child.kind && !owned.options.predicate.is_set() &&
           has_labels(applied, owned.options.label_selector) && has_fields(applied, owned.options.field_selector);
  });
  return is_owned && state_.cluster->informer_of(child.kind, child.key) != nullptr;
}

Result<void> ChildrenApplier::prune() {
  const apply_set::Names kinds = recorded().kinds;
  const std::string state = fingerprint();
  if (must_list_from_server(kinds) && state_.cluster->applier.has_pruned(parent_.key(), state)) return {};
  for (const std::string& name : kinds) {
    const auto kind = kind_named(name);
    if (!kind) return fail(kind.error());
    if (!*kind) continue;
    if (auto pruned = prune_kind(**kind); !pruned) return pruned;
  }
  if (auto done = record(wanted()); !done) return done;
  state_.cluster->applier.remember_pruned(parent_.key(), state);
  return {};
}

// A server selects by label only, so a member without the label can be found only in a list of all objects of the kind.
// This list is read if the kind is cached, or if the set has changed since the last prune.
Result<void> ChildrenApplier::prune_kind(const GroupVersionKind& kind) {
  const std::string home(parent_.namespace_());
  const bool has_changed = state_.cluster->applier.has_pruned_other(parent_.key(), fingerprint()) ||
                           !wanted().kinds.contains(apply_set::name_of(kind));
  CacheListOptions options{.namespace_ = home};
  if (!state_.cluster->has_all(kind, home) && !has_changed) {
    options.label_selector = std::string(apply_set::part_of_label) + "=" + id_;
  }
  const auto objects = context_.list_anywhere(kind, options);
  if (!objects) {
    // The kind was deleted, and all its objects with it.
    if (objects.error().code == ErrorCode::unsupported) return {};
    return fail(objects.error());
  }
  for (const Object& object : *objects) {
    if (!is_member(object)) continue;
    const auto pruned = prune_member(object);
    if (!pruned) return fail(pruned.error());
    if (*pruned) result_.pruned.push_back(object.describe());
  }
  return {};
}

bool ChildrenApplier::is_member(const Object& object) const {
  return object.label(apply_set::part_of_label) == id_ || object.annotation(apply_set::member_annotation) == id_;
}

// The deletion has preconditions on uid and version, because another client may have taken over an object that has
// changed since it was read.
Result<bool> ChildrenApplier::prune_member(const Object& member) {
  if (is_wanted(member) || member.is_deleting()) return false;
  const auto controller = controller_of(member);
  if (!controller || controller->uid != parent_.uid()) return false;
  const DeleteOptions as_seen{.uid = std::string(member.uid()),
                              .resource_version = std::string(member.resource_version())};
  state_.log.info("prune a child that is no longer declared", {{"child", member.describe()}});
  state_.cluster->applier.forget_child(state_.object.key(), member.group_version_kind(), member.key());
  return state_.cluster->client->remove(member.group_version_kind(), member.key(), as_seen, state_.stop)
      .with_operation("prune " + member.describe());
}

bool ChildrenApplier::is_wanted(const Object& member) const {
  const GroupVersionKind kind = member.group_version_kind();
  return std::any_of(children_.begin(), children_.end(), [&](const Prepared& child) {
    return child.key == member.key() && is_same_kind(child.kind, kind);
  });
}

// Reading a cache is cheap and is done each time. A request to the server is made once for each different set.
bool ChildrenApplier::must_list_from_server(const apply_set::Names& kinds) const {
  return std::any_of(kinds.begin(), kinds.end(), [&](const std::string& name) {
    const GroupVersionKind kind = apply_set::kind_named(name);
    return std::none_of(state_.cluster->informers.begin(), state_.cluster->informers.end(), [&](const auto& known) {
      return is_same_kind(known.first, kind) && known.second->has_no_selector();
    });
  });
}

std::string ChildrenApplier::fingerprint() const {
  apply_set::Names ids;
  for (const Prepared& child : children_) ids.insert(child.child->id);
  return std::string(parent_.uid()) + ":" + apply_set::print(ids);
}

Result<std::optional<GroupVersionKind>> ChildrenApplier::kind_named(const std::string& name) {
  GroupVersionKind kind = apply_set::kind_named(name);
  for (const auto& [known, informer] : state_.cluster->informers) {
    if (is_same_kind(known, kind)) return known;
  }
  for (const Prepared& child : children_) {
    if (is_same_kind(child.kind, kind)) return child.kind;
  }
  if (kind.group.empty()) {
    kind.version = "v1";
    return kind;
  }
  const auto response =
      state_.cluster->client->raw({.target = "/apis/" + http::percent_encode(kind.group)}, state_.stop);
  if (!response && response.error().code == ErrorCode::not_found) return std::optional<GroupVersionKind>();
  if (!response) return fail(response.error());
  const auto group = json::Document::parse(response->body);
  if (group) kind.version = group->root()["/preferredVersion/version"].text();
  if (kind.version.empty()) return fail(ErrorCode::unavailable, "the server reports no preferred version of " + name);
  return kind;
}

}  // namespace pintle
