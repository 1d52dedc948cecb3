// SPDX-License-Identifier: Apache-2.0
// apply: server-side apply of a configuration.
#include <utility>

#include <fmt/format.h>

#include <pintle/object/merge/managed_fields.hpp>

#include "../patch.hpp"
#include "apiserver/registry/values.hpp"
#include "last_applied.hpp"
#include "object/merge/typed_check.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// The manager that takes over the fields of the client-side apply of kubectl.
constexpr std::string_view kubectl_manager = "kubectl";

Refusal from_error(const Error& error) {
  if (error.code != ErrorCode::conflict) return internal_error(error.message);
  Refusal refusal{.code = 409, .reason = "Conflict", .message = error.message, .details = Details{}};
  refusal.details->causes = error.causes;
  return refusal;
}

// "apps/v1, Kind=Deployment"; the core group is empty: "/v1, Kind=Pod".
std::string type_text(const Value& object) {
  const std::string_view api_version = text_at(object, "/apiVersion");
  const bool has_group = api_version.find('/') != std::string_view::npos;
  return fmt::format("{}{}, Kind={}", has_group ? "" : "/", api_version, text_at(object, "/kind"));
}

StatusOr<void> check_applied(const Value& config, const Call& call) {
  if (text_at(config, "/apiVersion") != call.resource->api_version() ||
      text_at(config, "/kind") != call.resource->kind) {
    return refuse(bad_request(fmt::format("invalid object type: {}", type_text(config))));
  }
  if (auto placed = check_namespace(config, call.namespace_); !placed) return placed;
  const std::string_view name = text_at(config, "/metadata/name");
  if (!name.empty() && name != call.name) return check_name(config, call.name);
  if (json::find(config, "/metadata/managedFields") != nullptr)
    return refuse(bad_request("metadata.managedFields must be nil"));
  return {};
}

// Returns the metadata of a configuration that a write of the status takes.
Value status_metadata(const Value& config, const Resource& resource) {
  json::object out;
  const Value* metadata = member(config, "metadata");
  if (metadata == nullptr) return out;
  std::vector<std::string> names = resource.status_metadata;
  names.emplace_back("resourceVersion");
  for (const std::string& name : names) {
    if (const Value* value = member(*metadata, name)) out[name] = *value;
  }
  return out;
}

// Returns the part of a configuration that this path writes.
Value applied_part(Value config, const Call& call) {
  metadata_in(config)["name"] = call.name;
  if (call.subresource == "status") {
    Value part{{"apiVersion", config.at("apiVersion")},
               {"kind", config.at("kind")},
               {"metadata", status_metadata(config, *call.resource)}};
    metadata_in(part)["name"] = call.name;
    copy_member(part, config, "status");
    return part;
  }
  if (call.resource->has_status) config.get_object().erase("status");
  return config;
}

StatusOr<void> check_declared(const Value& config, const Resource& resource) {
  const auto errors = typed_errors(config, resource.strategy->schema());
  if (errors.empty()) return {};
  std::string all;
  for (const std::string& error : errors) all += errors.size() == 1 ? error : "\n  " + error;
  return refuse(internal_error(fmt::format("failed to create typed patch object ({}/{}; {}): {}{}",
                                           text_at(config, "/metadata/namespace"), text_at(config, "/metadata/name"),
                                           type_text(config), errors.size() == 1 ? "" : "errors:", all)));
}

}  // namespace

StatusOr<Value> merge_configuration(Service& service, const Resource& resource, const Value& current, const Value& part,
                                    const FieldManager& manager, bool force) {
  ApplyConfigurationOptions how{.force = force, .now = service.executor.wall_now()};
  const auto schema = resource.strategy->schema();
  const ManagedVersions versions = service.converter.managed_versions(resource);
  auto merged = apply_configuration(current, part, schema, manager, how, versions);
  if (!merged && merged.error().code == ErrorCode::conflict && manager.name == kubectl_manager &&
      is_last_applied(merged.error(), current, schema)) {
    how.force = true;
    merged = apply_configuration(current, part, schema, manager, how, versions);
  }
  if (!merged) return refuse(from_error(merged.error()));
  return std::move(*merged);
}

StatusOr<Edit> apply_edit(Service& service, const Call& call, Value config, const WriteOptions& options) {
  if (auto checked = check_applied(config, call); !checked) return refuse(checked.error());
  const FieldManager manager{
      .name = options.manager, .api_version = call.resource->api_version(), .subresource = call.subresource};
  Edit edit{.subresource = call.subresource, .creates = call.subresource.empty(), .applies = true};
  edit.make = [&service, resource = call.resource, manager, force = call.flag("force"), config,
               part = applied_part(config, call)](const Value& current) -> StatusOr<Value> {
    // No manager owns the resourceVersion, so the merge does not compare it.
    const std::string_view given = text_at(part, "/metadata/resourceVersion");
    if (current.is_object() && !given.empty() && given != text_at(current, "/metadata/resourceVersion")) {
      return refuse(stale(resource->named(text_at(part, "/metadata/name"))));
    }
    if (auto declared = check_declared(config, *resource); !declared) return refuse(std::move(declared.error()));
    if (current.is_null() && text_at(config, "/metadata/name").empty()) {
      if (auto named = check_name(config, text_at(part, "/metadata/name")); !named) return refuse(named.error());
    }
    auto merged = merge_configuration(service, *resource, current, part, manager, force);
    if (merged && manager.name == kubectl_manager) renew_last_applied(current, config, *merged);
    return merged;
  };
  return edit;
}

}  // namespace pintle::apiserver
