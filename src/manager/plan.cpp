// SPDX-License-Identifier: Apache-2.0
// Runs one reconcile without its writes, and prints them.
#include <pintle/manager/plan.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/client/api_catalog.hpp>
#include <pintle/json/pointer.hpp>

#include "client/secret_data.hpp"
#include "line_diff.hpp"
#include "manager_state.hpp"

namespace pintle {
namespace {

// The parts of "KIND/NAME" or "KIND/NAMESPACE/NAME".
struct PlannedObject {
  std::string kind{};
  ObjectKey key{};
};

Result<PlannedObject> read_object(const std::string& text) {
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  PlannedObject object{.kind = text.substr(0, first)};
  if (first != std::string::npos) object.key.name = text.substr(last + 1);
  if (first != last) object.key.namespace_ = text.substr(first + 1, last - first - 1);
  const bool is_complete = !object.kind.empty() && !object.key.name.empty() &&
                           (first == last || !object.key.namespace_.empty()) &&
                           object.key.namespace_.find('/') == std::string::npos;
  if (is_complete) return object;
  return fail(ErrorCode::invalid, "--plan \"" + text + "\" must be KIND/NAME or KIND/NAMESPACE/NAME");
}

std::string yaml_of(json::Value object, bool is_new) {
  if (!object.is_object()) return "";
  for (const char* volatile_member : {"/metadata/managedFields", "/metadata/resourceVersion"}) {
    json::erase(object, volatile_member);
  }
  if (is_new) {
    for (const char* random_member : {"/metadata/uid", "/metadata/creationTimestamp"}) {
      json::erase(object, random_member);
    }
  }
  return json::print_yaml(object);
}

std::string title_of(const RecordedWrite& write) {
  const json::Value& object = write.after.is_object() ? write.after : write.before;
  std::string title = write.verb + " " + (object.is_object() ? Object(object).describe() : write.path);
  if (!write.subresource.empty()) title += " (" + write.subresource + ")";
  return title;
}

json::Value* member_of(json::Value* map, std::string_view name) {
  return map != nullptr && map->is_object() ? map->get_object().if_contains(name) : nullptr;
}

// Replaces a value before and after a write; null: the object does not have it. The texts differ if the values do, so
// that the difference shows a change.
void hide_value(json::Value* before, json::Value* after) {
  const std::string text(hidden_text);
  const bool is_changed = before != nullptr && after != nullptr && !json::equal(*before, *after);
  if (before != nullptr) *before = is_changed ? text + " (before)" : text;
  if (after != nullptr) *after = is_changed ? text + " (after)" : text;
}

// Replaces the values of a map, but not its names.
void hide_values(json::Value* before, json::Value* after) {
  const bool has_names = (before == nullptr || before->is_object()) && (after == nullptr || after->is_object());
  if (!has_names) return hide_value(before, after);
  if (before != nullptr) {
    for (auto& [name, value] : before->get_object()) hide_value(&value, member_of(after, name));
  }
  if (after == nullptr) return;
  for (auto& [name, value] : after->get_object()) {
    if (member_of(before, name) == nullptr) hide_value(nullptr, &value);
  }
}

void hide_secret_values(json::Value& before, json::Value& after) {
  const json::Value& object = after.is_object() ? after : before;
  if (const Object read(object); !is_secret_kind(read.api_version(), read.kind())) return;
  for (const char* member : {"/data", "/stringData"})
    hide_values(json::find(before, member), json::find(after, member));
  const std::string annotation = "/metadata/annotations/" + json::escape_token(kubectl_applied_annotation);
  hide_value(json::find(before, annotation), json::find(after, annotation));
}

std::string printed(const RecordedWrite& write) {
  const bool is_new = !write.before.is_object();
  const bool is_unknown = is_new && !write.after.is_object();
  if (is_unknown) return "# " + title_of(write) + "\n";
  json::Value before = write.before;
  json::Value after = write.after;
  hide_secret_values(before, after);
  const std::string diff = line_diff(yaml_of(std::move(before), is_new), yaml_of(std::move(after), is_new));
  return "# " + title_of(write) + (diff.empty() ? ": no change\n" : "\n" + diff);
}

}  // namespace

std::string Plan::print() const {
  std::string text;
  for (const RecordedWrite& write : writes) text += printed(write) + "\n";
  for (const PlannedReconcile& one : reconciles) {
    text += "# controller " + one.controller + ": " + one.outcome + (one.error.empty() ? "" : ": " + one.error) + "\n";
  }
  return text + "# " + std::to_string(writes.size()) + (writes.size() == 1 ? " write" : " writes") +
         ", none was carried out\n";
}

Result<Plan> Manager::State::plan(const std::string& which) {
  auto object = read_object(which);
  if (!object) return fail(std::move(object.error()));
  is_planning_ = true;
  options.leader_election.reset();
  options.listen.clear();
  options.state_dir.clear();
  options.crds = CrdPolicy::never;
  if (auto started = start(); !started) return fail(std::move(started.error()));
  auto made = plan_reconciles(object->kind, std::move(object->key));
  stop(options.stop_timeout);
  return std::move(made).with_operation("plan " + which);
}

// Returns the namespace of an object that is given without one.
Result<std::string> Manager::State::default_namespace(ManagedCluster& cluster) const {
  const std::vector<std::string>& watched = options.namespaces;
  const std::string& of_context = cluster.client().cluster().namespace_;
  if (watched.size() == 1) return watched.front();
  if (watched.empty() || std::find(watched.begin(), watched.end(), of_context) != watched.end()) return of_context;
  return fail(ErrorCode::invalid, "several namespaces are watched; write it as KIND/NAMESPACE/NAME");
}

Result<Plan> Manager::State::plan_reconciles(const std::string& kind, ObjectKey key) {
  Plan plan;
  std::string known;
  for (const auto& controller : controllers_) {
    const AnyController& spec = controller->spec();
    known += (known.empty() ? "" : ", ") + to_lower_ascii(spec.watch.kind.kind);
    ManagedCluster& cluster = *clusters_.find(spec.cluster)->second;
    const auto resource = cluster.client().resource(spec.watch.kind, stop_.get_token());
    if (!resource) return fail(resource.error());
    if (!ApiCatalog{.groups = {{.name = resource->kind.group, .versions = {resource->kind.version}}},
                    .resources = {*resource}}
             .find(kind)) {
      continue;
    }
    if (!resource->namespaced) {
      key.namespace_.clear();
    } else if (key.namespace_.empty()) {
      auto home = default_namespace(cluster);
      if (!home) return fail(std::move(home.error()));
      key.namespace_ = std::move(*home);
    }
    const auto outcome = controller->run_once(key);
    if (!outcome) return fail(outcome.error());
    const Error* error = outcome->as_failed();
    plan.reconciles.push_back({.controller = spec.name,
                               .outcome = std::string(metric_label(*outcome)),
                               .error = error == nullptr ? "" : error->to_string()});
  }
  if (plan.reconciles.empty()) {
    return fail(ErrorCode::invalid, "no controller watches \"" + kind + "\"; watched kinds: " + known);
  }
  plan.writes = recorder_->writes();
  return plan;
}

}  // namespace pintle
