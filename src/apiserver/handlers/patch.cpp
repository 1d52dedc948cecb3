// SPDX-License-Identifier: Apache-2.0
// patch: JSON patch, merge patch, strategic merge patch and apply.
#include "patch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/json/patch.hpp>
#include <pintle/object/merge/strategic.hpp>

#include "apiserver/objects/sent_type.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/patch/json_patch.hpp"
#include "apiserver/registry/place.hpp"
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

// kube-apiserver responds with 400 to some errors, and treats the others as its own.
Refusal strategic_refusal(const Error& error) {
  if (error.causes.empty()) return bad_request(error.message);
  const StatusCause& cause = error.causes.front();
  return cause.reason == "BadRequest" ? bad_request(cause.message) : internal_error(cause.message);
}

// A strategic merge patch does not change the type of an object.
void keep_type(Value& object, const Resource& resource) {
  if (!object.is_object()) return;
  object.get_object()["apiVersion"] = resource.api_version();
  object.get_object()["kind"] = resource.kind;
}

// An edit that starts over must not add its errors again.
void add_errors(std::vector<std::string>& errors, const std::vector<std::string>& more) {
  for (const std::string& error : more) {
    if (errors.size() < max_field_errors && std::ranges::find(errors, error) == errors.end()) errors.push_back(error);
  }
}

Refusal unprocessable(std::string message) {
  return {.code = 422, .reason = "Invalid", .message = std::move(message), .details = Details{}};
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

StatusOr<Value> apply_patch(const Value& current, const Value& patch, PatchKind kind, json::View schema) {
  if (kind == PatchKind::merge && patch.is_object()) {
    Value next(current, current.storage());  // in the memory that keeps the result; each value is stored there once
    json::apply_merge_patch(next, patch);
    return next;
  }
  Value next(current, {});  // in heap memory, because a long list of steps must free what it no longer uses
  if (kind == PatchKind::json) {
    if (!patch.is_array()) return next;
    const json::array& operations = patch.get_array();
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
  if (!patch.is_object()) return next;
  const auto done = apply_strategic_patch(next, patch, schema);
  if (!done) return refuse(strategic_refusal(done.error()));
  return next;
}

StatusOr<PatchKind> accepted_patch_kind(const Call& call) {
  const auto kind = patch_kind(call.request);
  const bool takes_strategic = call.resource->takes_strategic_patch;
  if (!kind || (*kind == PatchKind::strategic && !takes_strategic)) {
    return refuse(unsupported_media_type(takes_strategic ? all_types : custom_types, true));
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
    auto config = read_patch(call, *kind, options->validation);
    if (!config) return refuse(std::move(config.error()));
    auto made = apply_edit(service, call, std::move(*config), *options);
    if (!made) return refuse(std::move(made.error()));
    edit = std::move(*made);
    if (options->validation == FieldValidation::strict && !options->duplicate_fields.empty()) {
      edit.make = [apply = std::move(edit.make), &options](const Value& current) -> StatusOr<Value> {
        if (auto applied = apply(current); !applied) return applied;
        return refuse(bad_request("error strict decoding YAML: error converting YAML to JSON: " +
                                  options->duplicate_fields.front()));
      };
    }
  } else {
    // The patch is parsed only if the object exists: a missing object returns 404 even if the patch is malformed.
    edit.make = [&](const Value& current) -> StatusOr<Value> {
      auto read = read_patch(call, *kind, options->validation);
      if (!read) return refuse(std::move(read.error()));
      if (*kind == PatchKind::json && options->validation != FieldValidation::ignore)
        add_errors(options->duplicate_fields, unknown_in_operations(*read));
      const json::View schema = call.resource->strategy->schema();
      if (*kind == PatchKind::strategic) {
        if (auto checked = check_strategic_types(*read, schema); !checked) return refuse(std::move(checked.error()));
      }
      edit.unfit = unfit_patch(*read, *kind);
      auto next = apply_patch(current, *read, *kind, schema);
      if (!next) return next;
      if (*kind == PatchKind::strategic) {
        keep_type(*next, *call.resource);
      } else if (auto typed = check_patched_type(*next, *call.resource, edit.unfit); !typed) {
        return refuse(std::move(typed.error()));
      }
      return next;
    };
  }
  auto written = edit_object(service, *call.resource, call.namespace_, call.name, edit, *options);
  if (!written) return refuse(std::move(written.error()));
  const int status = written->created ? 201 : 200;
  return respond(service, call, status, std::move(*written));
}

}  // namespace pintle::apiserver
