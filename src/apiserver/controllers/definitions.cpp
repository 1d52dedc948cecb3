// SPDX-License-Identifier: Apache-2.0
#include "definitions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection = "customresourcedefinitions.apiextensions.k8s.io";
constexpr std::string_view cleanup = "customresourcecleanup.apiextensions.k8s.io";

const WriteOptions as_server{.manager = "kube-apiserver"};

bool is_true(View definition, std::string_view type) {
  for (const View condition : definition["/status/conditions"].elements()) {
    if (condition.member("type") == type) return condition.member("status") == "True";
  }
  return false;
}

// Returns the names of a definition that must be unique in its group, each as a claim with the reason for a conflict.
std::vector<std::pair<std::string, std::string>> claims_of(View names, std::string_view group) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](std::string_view what, std::string_view name, const char* reason) {
    if (!name.empty()) out.emplace_back(fmt::format("{}/{}/{}", group, what, name), reason);
  };
  add("resource", names.member("plural").text(), "PluralConflict");
  add("resource", names.member("singular").text(), "SingularConflict");
  for (const View name : names.member("shortNames").elements()) add("resource", name.text(), "ShortNamesConflict");
  add("kind", names.member("kind").text(), "KindConflict");
  add("kind", names.member("listKind").text(), "ListKindConflict");
  return out;
}

struct Verdict {
  bool accepted = true;
  std::string reason = "NoConflicts";
  std::string message = "no conflicts found";
  Value names{};  // those that are accepted
};

// The names that others have, by the reason of the conflict.
using Conflicts = std::map<std::string, std::vector<std::string>>;

// A name in conflict stays as it was, and the others are accepted.
Value accepted_names(View names, View before, const Conflicts& conflicts) {
  json::object out;
  for (const auto& [member, reason] : {std::pair("plural", "PluralConflict"), std::pair("singular", "SingularConflict"),
                                       std::pair("shortNames", "ShortNamesConflict"), std::pair("kind", "KindConflict"),
                                       std::pair("listKind", "ListKindConflict"), std::pair("categories", "")}) {
    const View name = (conflicts.contains(reason) ? before : names).member(member);
    if (name.exists()) out[member] = name.to_value();
  }
  out.emplace("plural", "");
  out.emplace("kind", "");
  return out;
}

// Returns the last conflict, as kube-apiserver does.
Verdict refuse_names(View names, View before, const Conflicts& conflicts) {
  Verdict verdict{.accepted = false, .names = accepted_names(names, before, conflicts)};
  for (const char* reason :
       {"PluralConflict", "SingularConflict", "ShortNamesConflict", "KindConflict", "ListKindConflict"}) {
    const auto found = conflicts.find(reason);
    if (found == conflicts.end()) continue;
    const std::string all = fmt::format("{}", fmt::join(found->second, ", "));
    verdict.reason = reason;
    verdict.message = found->second.size() == 1 ? all : fmt::format("[{}]", all);
  }
  return verdict;
}

Value condition(std::string_view type, bool status, std::string_view reason, std::string_view message) {
  return json::object{{"type", type}, {"status", status ? "True" : "False"}, {"reason", reason}, {"message", message}};
}

// Returns the conditions of a definition. A condition with an unchanged status keeps its lastTransitionTime.
json::array conditions(const Value& definition, const Verdict& verdict, bool established, WallTime now) {
  json::array out;
  out.emplace_back(condition("NamesAccepted", verdict.accepted, verdict.reason, verdict.message));
  out.emplace_back(established
                       ? condition("Established", true, "InitialNamesAccepted", "the initial names have been accepted")
                       : condition("Established", false, "NotAccepted", "not all names are accepted"));
  if (!text_at(definition, "/metadata/deletionTimestamp").empty()) {
    out.emplace_back(
        condition("Terminating", true, "InstanceDeletionInProgress", "CustomResource deletion is in progress"));
  }
  const Value* before = json::find(definition, "/status/conditions");
  for (Value& item : out) {
    std::string time = format_time(now);
    for (const Value& old : before != nullptr && before->is_array() ? before->get_array() : json::array()) {
      const bool same =
          text_at(old, "/type") == text_at(item, "/type") && text_at(old, "/status") == text_at(item, "/status");
      if (same && !text_at(old, "/lastTransitionTime").empty()) time = text_at(old, "/lastTransitionTime");
    }
    item.get_object()["lastTransitionTime"] = time;
  }
  return out;
}

// True if custom_resources() returns the same for both.
bool serves_alike(const Object& a, const Object& b) {
  return a.is_deleting() == b.is_deleting() && a["/spec"] == b["/spec"] &&
         a["/status/acceptedNames"] == b["/status/acceptedNames"];
}

Value with_status(Value definition, const Verdict& verdict, bool established, WallTime now) {
  json::object& status = object_in(definition, "status");
  status["conditions"] = conditions(definition, verdict, established, now);
  status["acceptedNames"] = verdict.accepted ? *json::find(definition, "/spec/names") : verdict.names;
  return definition;
}

}  // namespace

void Definitions::begin_anew() { processed_.reset(); }

bool Definitions::round() {
  changed_ = false;
  const Version written = service_.storage.last_write(collection);
  if (written == processed_ && !has_terminating_) return false;
  processed_ = written;
  has_terminating_ = false;
  const std::vector<Object> definitions = service_.storage.objects(collection);
  Claims claims;
  std::set<std::string> uids;
  for (const Object& definition : definitions) {
    uids.emplace(definition.uid());
    for (auto& [name, reason] : claims_of(definition["/status/acceptedNames"], definition["/spec/group"].text())) {
      claims.emplace(std::move(name), definition.uid());
    }
  }
  unpublish_all_but(uids);
  for (const Object& definition : definitions) {
    accept(definition, claims);
    if (!definition.is_deleting()) continue;
    has_terminating_ = true;
    finish(definition);
  }
  update_registry();
  return changed_;
}

void Definitions::accept(const Object& definition, Claims& claims) {
  Conflicts conflicts;
  const auto names = claims_of(definition["/spec/names"], definition["/spec/group"].text());
  for (const auto& [name, reason] : names) {
    const auto taken = claims.find(name);
    if (taken == claims.end() || taken->second == definition.uid()) continue;
    const std::string_view plain = std::string_view(name).substr(name.rfind('/') + 1);
    conflicts[reason].push_back(fmt::format("\"{}\" is already in use", plain));
  }
  for (const auto& [name, reason] : names) {
    if (!conflicts.contains(reason)) claims.emplace(name, definition.uid());
  }
  const Verdict verdict = conflicts.empty()
                              ? Verdict()
                              : refuse_names(definition["/spec/names"], definition["/status/acceptedNames"], conflicts);
  const bool established = verdict.accepted || is_true(definition.root(), "Established");
  const WallTime now = service_.executor.wall_now();
  const Object next(with_status(definition.to_value(), verdict, established, now));
  const bool same = next == definition;
  if (established) publish(same ? definition : next);
  if (same) return;
  update_registry();  // served before a client can read that it is established
  const Edit edit{
      .make = [&](const Value& current) -> StatusOr<Value> { return with_status(current, verdict, established, now); },
      .subresource = "status"};
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
  if (auto written = edit_object(service_, *resource, "", definition.name(), edit, as_server); !written) {
    service_.log.debug("a definition changed before its status was written",
                       {{"name", std::string(definition.name())}});
  }
}

// Deletes the objects of a definition that is being deleted. When they are gone, removes its finalizer.
void Definitions::finish(const Object& definition) {
  const auto published = published_.find(std::string(definition.uid()));
  if (published != published_.end() && published->second.resources.stored != nullptr) {
    const Resource& resource = *published->second.resources.stored;
    for (const Object& object : service_.storage.objects(resource.collection)) {
      if (object.is_deleting()) continue;
      // An error means that the object is already gone.
      (void)delete_object(service_, resource, object.namespace_(), object.name(), {.uid = std::string(object.uid())});
    }
    if (!service_.storage.objects(resource.collection).empty()) return;
  }
  const Edit edit{.make = [](const Value& current) -> StatusOr<Value> {
    Value next = current;
    if (Value* finalizers = json::find(next, "/metadata/finalizers"); finalizers != nullptr && finalizers->is_array()) {
      json::array& list = finalizers->get_array();
      list.erase(std::remove(list.begin(), list.end(), Value(cleanup)), list.end());
    }
    return next;
  }};
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
  auto written = edit_object(service_, *resource, "", definition.name(), edit, as_server);
  const bool has_finalizers = written && !written->object.finalizers().empty();
  if (!written || has_finalizers) return;
  published_.erase(std::string(definition.uid()));
  changed_ = true;
  update_registry();
}

void Definitions::publish(const Object& definition) {
  Published& published = published_[std::string(definition.uid())];
  const Object before = std::exchange(published.definition, definition);
  if (before && serves_alike(before, definition)) return;
  published.resources = custom_resources(definition);
  changed_ = true;
}

void Definitions::unpublish_all_but(const std::set<std::string>& uids) {
  changed_ = std::erase_if(published_, [&](const auto& one) { return !uids.contains(one.first); }) > 0 || changed_;
}

// A watch of a version that is not served any more ends, as in kube-apiserver, and so do those of the other versions.
void Definitions::update_registry() {
  if (!changed_) return;
  std::vector<ResourcePtr> all;
  std::set<std::pair<std::string_view, std::string_view>> versions;  // of all collections
  for (const auto& [uid, published] : published_) {
    for (const ResourcePtr& resource : published.resources.served) {
      all.push_back(resource);
      versions.emplace(resource->collection, resource->version);
    }
  }
  std::set<std::string> ended;
  for (const ResourcePtr& before : served_) {
    if (!versions.contains({before->collection, before->version})) ended.insert(before->collection);
  }
  served_ = all;
  service_.registry.set_custom(std::move(all));
  for (const std::string& gone : ended) service_.storage.end_readers(gone);
}

}  // namespace pintle::apiserver
