// SPDX-License-Identifier: Apache-2.0
#include "object_view.hpp"

#include <set>
#include <utility>

namespace pintle {
namespace {

constexpr std::size_t max_related = 200;

json::array conditions_of(const Object& object) {
  json::array conditions;
  for (const json::View one : object["/status/conditions"].elements()) {
    json::object value{{"type", one.member("type").text()}, {"status", one.member("status").text()}};
    for (const char* name : {"reason", "message", "lastTransitionTime"}) set_text(value, name, one.member(name).text());
    if (const auto generation = one.member("observedGeneration").as_integer()) {
      value["observedGeneration"] = *generation;
    }
    conditions.emplace_back(std::move(value));
  }
  return conditions;
}

json::object related_value(const GroupVersionKind& kind, const ObjectKey& key, const ControllerFinder& find) {
  json::object value{{"kind", kind_value(kind)}, {"key", key.to_string()}};
  if (const ControllerRunner* controller = find(kind)) value["controller"] = controller->spec().name;
  return value;
}

// Calls `visit` with the informer of each cached kind of the cluster.
void for_each_cache(const ControllerRunner& controller, const auto& visit) {
  for (const auto& [kind, informers] : controller.cluster().informers) {
    const auto members = informers->members();
    for (const auto& informer : *members) visit(kind, *informer);
  }
}

json::array owners_of(const ControllerRunner& controller, const Object& object, const ControllerFinder& find) {
  json::array owners;
  for (const json::View reference : object.owner_references().elements()) {
    const GroupVersionKind kind(reference.member("apiVersion").text(), reference.member("kind").text());
    Object owner;
    for_each_cache(controller, [&](const GroupVersionKind& cached, const Informer& informer) {
      if (cached.group != kind.group || cached.kind != kind.kind || owner) return;
      const std::string name(reference.member("name").text());
      owner = informer.store().get({std::string(object.namespace_()), name});
      if (!owner) owner = informer.store().get(ObjectKey{.name = name});
    });
    json::object value = related_value(
        kind, owner ? owner.key() : ObjectKey{.name = std::string(reference.member("name").text())}, find);
    if (owner && owner.uid() == reference.member("uid").text()) {
      set_readiness(value, readiness_of(owner));
    } else {
      value["readiness"] = "unknown";
    }
    owners.emplace_back(std::move(value));
  }
  return owners;
}

// The children that are in the caches of the controller.
std::vector<ObjectFacts::Child> children_of(const ControllerRunner& controller, const Object& object) {
  std::vector<ObjectFacts::Child> children;
  std::set<std::string, std::less<>> uids;
  for_each_cache(controller, [&](const GroupVersionKind&, const Informer& informer) {
    if (children.size() >= max_related) return;
    const auto found = informer.store().find(by_owner(object.uid()));
    if (!found) return;
    for (const Object& child : *found) {
      if (children.size() >= max_related || !uids.emplace(child.uid()).second) continue;
      children.push_back({.object = child, .readiness = readiness_of(child)});
    }
  });
  return children;
}

}  // namespace

ObjectFacts facts_about(const ControllerRunner& controller, const ObjectKey& key, const ReconcileHistory& history) {
  const ControllerCounts counts = controller.counts();
  ObjectFacts facts{
      .object = controller.object(key),
      .annotation = controller.pause_annotation(),
      .own_finalizer = controller.spec().finalizer,
      .workers = counts.workers,
      .working = counts.working,
      .reconciles = history.newest({.controller = controller.spec().name, .key = key}, ReconcileHistory::max_of_object),
      .last_error = history.last_error(controller.spec().name, key)};
  facts.is_paused = facts.object && controller.is_paused(facts.object);
  auto entries = controller.queue({.key = key, .limit = 1}).entries;
  if (!entries.empty()) facts.entry = std::move(entries.front());
  if (facts.object) facts.children = children_of(controller, facts.object);
  return facts;
}

json::object object_value(const ControllerRunner& controller, const ObjectKey& key, const ObjectFacts& facts,
                          const ControllerFinder& find, const Moment& moment) {
  const Object& object = facts.object;
  json::object value{{"key", key.to_string()},
                     {"kind", kind_value(controller.spec().watch.kind)},
                     {"exists", object.exists()},
                     {"paused", facts.is_paused},
                     {"readiness", to_string(readiness_of(object).state)},
                     {"next", next_of(facts, moment)}};
  set_text(value, "why", why_of(facts));
  set_text(value, "uid", object.uid());
  set_text(value, "createdAt", object["/metadata/creationTimestamp"].text());
  set_text(value, "deletingSince", object["/metadata/deletionTimestamp"].text());
  if (object.generation() != 0) value["generation"] = object.generation();
  if (const auto seen = object["/status/observedGeneration"].as_integer()) value["observedGeneration"] = *seen;
  json::array finalizers;
  for (const json::View one : object.finalizers().elements()) finalizers.emplace_back(one.text());
  value["finalizers"] = std::move(finalizers);
  value["conditions"] = conditions_of(object);
  if (facts.entry) value["queue"] = entry_value(*facts.entry, moment);
  json::array reconciles;
  for (const auto& record : facts.reconciles) reconciles.emplace_back(reconcile_value(*record));
  value["reconciles"] = std::move(reconciles);
  value["owners"] = owners_of(controller, object, find);
  json::array children;
  for (const ObjectFacts::Child& child : facts.children) {
    json::object one = related_value(child.object.group_version_kind(), child.object.key(), find);
    set_readiness(one, child.readiness);
    children.emplace_back(std::move(one));
  }
  value["children"] = std::move(children);
  json::array events;
  for (const RecentEvent& event : controller.recent_events(object)) {
    events.emplace_back(json::object{{"type", event.type == EventType::warning ? "Warning" : "Normal"},
                                     {"reason", event.reason},
                                     {"message", event.note},
                                     {"at", format_micro_time(event.at)},
                                     {"count", event.count}});
  }
  value["events"] = std::move(events);
  return value;
}

}  // namespace pintle
