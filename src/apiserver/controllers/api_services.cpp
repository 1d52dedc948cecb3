// SPDX-License-Identifier: Apache-2.0
#include "api_services.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "condition_writer.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;

constexpr std::string_view api_service_collection = "apiservices.apiregistration.k8s.io";
// The label of an APIService that the server creates: "onstart" if only at its start, "true" for a definition.
constexpr std::string_view managed_label = "kube-aggregator.kubernetes.io/automanaged";
constexpr std::string_view managed_pointer = "/metadata/labels/kube-aggregator.kubernetes.io~1automanaged";
constexpr int priority_of_custom_group = 1000;
constexpr int priority_of_custom_version = 100;

const WriteOptions as_api_server{.manager = "kube-apiserver"};

using CustomVersion = std::pair<std::string, std::string>;  // group and version

// The versions of which every kind is custom, by the name of their APIService.
std::map<std::string, CustomVersion> custom_versions(const Catalog& catalog) {
  std::map<std::string, CustomVersion> out;
  for (const Catalog::Group& group : catalog.groups()) {
    for (const Catalog::Version& version : group.versions) {
      const bool is_custom = std::all_of(version.resources.begin(), version.resources.end(),
                                         [](const ResourcePtr& resource) { return resource->custom; });
      if (is_custom)
        out.emplace(fmt::format("{}.{}", version.name, group.name), CustomVersion(group.name, version.name));
    }
  }
  return out;
}

object custom_spec(const std::string& group, const std::string& version) {
  return {{"group", group},
          {"groupPriorityMinimum", priority_of_custom_group},
          {"version", version},
          {"versionPriority", priority_of_custom_version}};
}

bool is_kept_here(const Object& api_service) { return api_service[managed_pointer] == "true"; }

}  // namespace

void ApiServices::round() {
  auto catalog = service_.registry.catalog();
  const Version written = service_.storage.last_write(api_service_collection);
  if (catalog == catalog_ && written == processed_) return;
  catalog_ = std::move(catalog);
  processed_ = written;
  auto missing = custom_versions(*catalog_);
  const ResourcePtr resource = catalog_->of_collection(api_service_collection);
  for (const Object& existing : service_.storage.objects(api_service_collection)) {
    const auto wanted = missing.find(std::string(existing.name()));
    if (wanted == missing.end()) {
      // An error means that the object is already gone.
      if (is_kept_here(existing)) {
        (void)delete_object(service_, *resource, "", existing.name(), {.uid = std::string(existing.uid())});
        continue;
      }
    } else {
      if (is_kept_here(existing)) restore(existing, wanted->second.first, wanted->second.second);
      missing.erase(wanted);
    }
    report(existing);
  }
  for (const auto& [name, version] : missing) create(version.first, version.second);
}

void ApiServices::create(const std::string& group, const std::string& version) {
  object metadata{{"name", fmt::format("{}.{}", version, group)}, {"labels", object{{managed_label, "true"}}}};
  const ResourcePtr resource = catalog_->of_collection(api_service_collection);
  const auto created =
      create_object(service_, *resource, "",
                    Value{{"metadata", std::move(metadata)}, {"spec", custom_spec(group, version)}}, as_api_server);
  if (created) report(created->object);
}

void ApiServices::restore(const Object& existing, const std::string& group, const std::string& version) {
  if (json::equal(existing["/spec"].to_value(), Value(custom_spec(group, version)))) return;
  const Edit edit{.make = [&](const Value& current) -> StatusOr<Value> {
    Value next = current;
    next.as_object()["spec"] = custom_spec(group, version);
    return next;
  }};
  const ResourcePtr resource = catalog_->of_collection(api_service_collection);
  (void)edit_object(service_, *resource, "", existing.name(), edit, as_api_server);
}

void ApiServices::report(const Object& existing) {
  if (existing["/spec/service"].is_object() || existing["/status/conditions/0"].exists()) return;
  const Edit edit{.make = [&](const Value& current) -> StatusOr<Value> {
                    Value next = current;
                    ConditionWriter(next, format_time(service_.executor.wall_now()))
                        .set("Available", true, "Local", "Local APIServices are always available");
                    return next;
                  },
                  .subresource = "status"};
  const ResourcePtr resource = catalog_->of_collection(api_service_collection);
  // Fails if the object has been deleted.
  (void)edit_object(service_, *resource, "", existing.name(), edit, as_api_server);
}

}  // namespace pintle::apiserver
