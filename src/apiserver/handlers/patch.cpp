// SPDX-License-Identifier: Apache-2.0
// patch: JSON patch, merge patch, strategic merge patch and apply.
#include "patch.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/json/patch.hpp>
#include <pintle/object/merge/strategic.hpp>

#include "apiserver/call/duplicate_fields.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/patch/json_patch.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view all_types =
    "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, "
    "application/apply-patch+yaml";
constexpr std::string_view custom_types =
    "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

constexpr std::size_t max_operations = 10'000;  // of a JSON patch

Refusal unprocessable(std::string message) {
  return {.code = 422, .reason = "Invalid", .message = std::move(message), .details = Details{}};
}

std::string not_a_list_error(const Value& patch) {
  const std::string_view type = patch.is_object()   ? "object"
                                : patch.is_string() ? "string"
                                : patch.is_bool()   ? "bool"
                                                    : "number";
  return fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type jsonpatch.Patch", type);
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
  const std::string& text = call.request.body;  // field validation reports duplicates
  auto patch = kind == PatchKind::apply ? parse_yaml_body(text) : json::parse(text);
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
    if (!patch.is_array()) return refuse(bad_request(not_a_list_error(patch)));
    const json::array& operations = patch.get_array();
    for (const Value& operation : operations) {
      if (!operation.is_object() && !operation.is_null()) {
        return refuse(bad_request("error decoding patch: an operation is not an object"));
      }
    }
    if (operations.size() > max_operations) {
      return refuse({.code = 413,
                     .reason = "RequestEntityTooLarge",
                     .message = fmt::format("Request entity too large: The allowed maximum operations in a JSON patch "
                                            "is {}, got {}",
                                            max_operations, operations.size())});
    }
    // The text does not contain the cause.
    if (const auto done = apply_json_patch(next, operations); !done) {
      return refuse(unprocessable("the server rejected our request due to an error in our request"));
    }
    return next;
  }
  if (!patch.is_object()) return refuse(bad_request("error decoding patch: the patch is not an object"));
  const auto done = apply_strategic_patch(next, patch, schema);
  if (!done) return refuse(bad_request(done.error().message));
  return next;
}

StatusOr<PatchKind> accepted_patch_kind(const Call& call) {
  const auto kind = patch_kind(call.request);
  const bool takes_strategic = call.resource->takes_strategic_patch;
  if (!kind || (*kind == PatchKind::strategic && !takes_strategic)) {
    return refuse(unsupported_media_type(takes_strategic ? all_types : custom_types, true));
  }
  if (*kind == PatchKind::apply && call.query("fieldManager").empty()) {
    return refuse(invalid({.group = "meta.k8s.io", .kind = "PatchOptions"},
                          {required("fieldManager", "is required for apply patch")}));
  }
  if (*kind != PatchKind::apply && call.target.parameter("force")) {
    return refuse(invalid({.group = "meta.k8s.io", .kind = "PatchOptions"},
                          {forbidden_field("force", "may not be specified for non-apply patch")}));
  }
  return *kind;
}

StatusOr<http::Response> handle_patch(Service& service, const Call& call) {
  const auto kind = accepted_patch_kind(call);
  if (!kind) return refuse(kind.error());
  auto options = call.write_options("PatchOptions");
  if (!options) return refuse(std::move(options.error()));

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
      const json::View schema = call.resource->strategy->schema();
      if (*kind == PatchKind::strategic) {
        if (auto checked = check_strategic_types(*read, schema); !checked) return refuse(std::move(checked.error()));
      }
      edit.unfit = unfit_patch(*read, *kind);
      return apply_patch(current, *read, *kind, schema);
    };
  }
  auto written = edit_object(service, *call.resource, call.namespace_, call.name, edit, *options);
  if (!written) return refuse(std::move(written.error()));
  const int status = written->created ? 201 : 200;
  return respond(service, call, status, std::move(*written));
}

}  // namespace pintle::apiserver
