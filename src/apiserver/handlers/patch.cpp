// SPDX-License-Identifier: Apache-2.0
// patch: JSON patch, merge patch, strategic merge patch and apply.
#include "patch.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/json/patch.hpp>
#include <pintle/object/merge/strategic.hpp>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view patch_types =
    "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, "
    "application/apply-patch+yaml";

Refusal unprocessable(std::string message) {
  return {.code = 422, .reason = "Invalid", .message = std::move(message), .details = Details{}};
}

Refusal from_error(const Error& error) {
  if (error.code != ErrorCode::conflict) return internal_error(error.message);
  Refusal refusal{.code = 409, .reason = "Conflict", .message = error.message, .details = Details{}};
  refusal.details->causes = error.causes;
  return refusal;
}

StatusOr<void> check_applied(const Value& config, const Call& call) {
  if (!config.is_object()) return refuse(bad_request("the applied configuration is not an object"));
  if (text_at(config, "/apiVersion").empty() || text_at(config, "/kind").empty()) {
    return refuse(bad_request("the applied configuration has no apiVersion or kind"));
  }
  if (auto typed = check_type(config, *call.resource); !typed) return typed;
  if (auto placed = check_namespace(config, call.namespace_); !placed) return placed;
  const std::string_view name = text_at(config, "/metadata/name");
  if (!name.empty() && name != call.name) {
    return refuse(
        bad_request(fmt::format("metadata.name ({}) does not match the name on the URL ({})", name, call.name)));
  }
  if (json::find(config, "/metadata/managedFields") != nullptr)
    return refuse(bad_request("metadata.managedFields must be nil"));
  return {};
}

// Returns the part of a configuration that this path writes.
Value applied_part(Value config, const Call& call) {
  metadata_in(config)["name"] = call.name;
  if (call.subresource == "status") {
    Value part{
        {"apiVersion", config.at("apiVersion")}, {"kind", config.at("kind")}, {"metadata", {{"name", call.name}}}};
    if (const Value* version = json::find(config, "/metadata/resourceVersion"))
      metadata_in(part)["resourceVersion"] = *version;
    copy_member(part, config, "status");
    return part;
  }
  if (call.resource->has_status) config.get_object().erase("status");
  return config;
}

StatusOr<Edit> apply_edit(Service& service, const Call& call, Value config, const WriteOptions& options) {
  if (auto checked = check_applied(config, call); !checked) return refuse(checked.error());
  const FieldManager manager{
      .name = options.manager, .api_version = call.resource->api_version(), .subresource = call.subresource};
  const ApplyConfigurationOptions how{.force = call.flag("force"), .now = service.executor.wall_now()};
  Edit edit{.subresource = call.subresource, .creates = call.subresource.empty(), .applies = true};
  edit.make = [&service, resource = call.resource, manager, how,
               part = applied_part(std::move(config), call)](const Value& current) -> StatusOr<Value> {
    // No manager owns the resourceVersion, so the merge does not compare it.
    const std::string_view given = text_at(part, "/metadata/resourceVersion");
    if (current.is_object() && !given.empty() && given != text_at(current, "/metadata/resourceVersion")) {
      return refuse(stale(resource->named(text_at(part, "/metadata/name"))));
    }
    auto merged = apply_configuration(current, part, resource->strategy->schema(), manager, how,
                                      service.converter.managed_versions(*resource));
    if (!merged) return refuse(from_error(merged.error()));
    return std::move(*merged);
  };
  return edit;
}

}  // namespace

std::optional<PatchKind> patch_kind(const http::Request& request) {
  const std::string type = media_type(request.headers.get("Content-Type").value_or(""));
  if (type == "application/json-patch+json") return PatchKind::json;
  if (type == "application/merge-patch+json") return PatchKind::merge;
  if (type == "application/strategic-merge-patch+json") return PatchKind::strategic;
  if (type == "application/apply-patch+yaml") return PatchKind::apply;
  return std::nullopt;
}

StatusOr<Value> read_patch(const Call& call, PatchKind kind) {
  auto patch = kind == PatchKind::apply ? json::parse_yaml(call.request.body) : json::parse(call.request.body);
  if (!patch) return refuse(bad_request(fmt::format("error decoding patch: {}", patch.error().message)));
  return std::move(*patch);
}

StatusOr<Value> apply_patch(const Value& current, const Value& patch, PatchKind kind, json::View schema) {
  if (kind == PatchKind::merge && patch.is_object()) {
    Value next(current, current.storage());  // in the memory that keeps the result; each value is stored there once
    json::apply_merge_patch(next, patch);
    return next;
  }
  Value next(current, {});  // in heap memory, because a long list of steps must free what it no longer uses
  if (kind == PatchKind::json) {
    if (!patch.is_array()) return refuse(bad_request("error decoding patch: a JSON patch is a list of operations"));
    const auto done = json::apply_patch(next, patch.get_array());
    if (done) return next;
    if (done.error().reason == "malformed") return refuse(bad_request("error decoding patch: " + done.error().message));
    return refuse(unprocessable(
        fmt::format("the server rejected our request due to an error in our request: {}", done.error().message)));
  }
  if (!patch.is_object()) return refuse(bad_request("error decoding patch: the patch is not an object"));
  const auto done = apply_strategic_patch(next, patch, schema);
  if (!done) return refuse(bad_request(done.error().message));
  return next;
}

StatusOr<http::Response> handle_patch(Service& service, const Call& call) {
  const auto kind = patch_kind(call.request);
  if (!kind || (*kind == PatchKind::strategic && !call.resource->takes_strategic_patch)) {
    return refuse(unsupported_media_type(patch_types, true));
  }
  auto options = call.write_options("PatchOptions");
  if (!options) return refuse(std::move(options.error()));
  if (*kind == PatchKind::apply && call.query("fieldManager").empty()) {
    return refuse(invalid({.group = "meta.k8s.io", .kind = "PatchOptions"},
                          {required("fieldManager", "is required for apply patch")}));
  }

  Edit edit{.subresource = call.subresource};
  if (*kind == PatchKind::apply) {
    auto config = read_patch(call, *kind);
    if (!config) return refuse(std::move(config.error()));
    auto made = apply_edit(service, call, std::move(*config), *options);
    if (!made) return refuse(std::move(made.error()));
    edit = std::move(*made);
  } else {
    // The patch is parsed only if the object exists: a missing object returns 404 even if the patch is malformed.
    edit.make = [&](const Value& current) -> StatusOr<Value> {
      auto read = read_patch(call, *kind);
      if (!read) return refuse(std::move(read.error()));
      return apply_patch(current, *read, *kind, call.resource->strategy->schema());
    };
  }
  auto written = edit_object(service, *call.resource, call.namespace_, call.name, edit, *options);
  if (!written) return refuse(std::move(written.error()));
  const int status = written->created ? 201 : 200;
  return respond(service, call, status, std::move(*written));
}

}  // namespace pintle::apiserver
