// SPDX-License-Identifier: Apache-2.0
// Reads patches, with the errors of the decoders that kube-apiserver uses.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "apiserver/call/duplicate_fields.hpp"
#include "apiserver/call/syntax_error.hpp"
#include "apiserver/call/undecodable.hpp"
#include "apiserver/registry/place.hpp"
#include "patch.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view patch_map_type = "map[string]interface {}";
constexpr std::array<std::string_view, 4> operation_members{"op", "path", "from", "value"};

bool is_operation_text(std::string_view name) { return name == "op" || name == "path" || name == "from"; }

// Returns the first error in a JSON patch. Field validation decodes it as another type.
std::string list_error(const Value& patch, bool validates) {
  if (patch.is_null()) return {};
  if (!patch.is_array()) return not_a_go_value(patch, validates ? "[]handlers.jsonPatchOp" : "jsonpatch.Patch");
  for (const Value& operation : patch.get_array()) {
    if (operation.is_null()) continue;
    if (!operation.is_object())
      return not_a_go_value(operation, validates ? "handlers.jsonPatchOp" : "jsonpatch.Operation");
    for (const auto& [name, value] : operation.get_object()) {
      if (!validates || !is_operation_text(name) || value.is_string() || value.is_null()) continue;
      std::string error = not_a_go_value(value, "string");
      const std::string_view alone = "Go value";
      return error.replace(error.find(alone), alone.size(),
                           fmt::format("Go struct field jsonPatchOp.{}", std::string_view(name)));
    }
  }
  return {};
}

std::string map_error(const Value& patch) {
  return patch.is_object() || patch.is_null() ? std::string() : not_a_go_value(patch, patch_map_type);
}

// Returns the whole message about a patch other than apply.
std::string patch_message(std::string error, PatchKind kind, bool validates) {
  if (error.empty() || kind == PatchKind::strategic) return error;
  if (validates) return "error decoding patch: " + error;
  return kind == PatchKind::merge ? "Invalid JSON Patch" : error;
}

StatusOr<Value> read_configuration(std::string_view text) {
  auto config = parse_yaml_body(text);
  std::string error;
  if (!config) {
    error = fmt::format("error converting YAML to JSON: yaml: {}", config.error().message);
  } else if (error = map_error(*config); !error.empty()) {
    error.insert(0, "error unmarshaling JSON: while decoding JSON: ");
  }
  if (!error.empty()) return refuse(bad_request("error decoding YAML: " + error));
  if (config->is_null()) config->emplace_object();
  return std::move(*config);
}

}  // namespace

StatusOr<Value> read_patch(const Call& call, PatchKind kind, FieldValidation validation) {
  const std::string& text = call.request.body;  // field validation reports duplicates
  if (kind == PatchKind::apply) return read_configuration(text);
  const bool validates = validation != FieldValidation::ignore;
  auto patch = json::parse(text);
  std::string error;
  if (!patch) {
    error = syntax_error(text);
    if (error.empty()) error = patch.error().message;
  } else {
    error = kind == PatchKind::json ? list_error(*patch, validates) : map_error(*patch);
  }
  error = patch_message(std::move(error), kind, validates);
  if (error.empty() && kind == PatchKind::merge && patch->is_null()) error = "Invalid JSON Patch";
  if (!error.empty()) return refuse(bad_request(std::move(error)));
  return std::move(*patch);
}

std::vector<std::string> unknown_in_operations(const Value& patch) {
  std::vector<std::string> out;
  if (!patch.is_array()) return out;
  std::size_t i = 0;
  const Place whole;
  for (const Value& operation : patch.get_array()) {
    const Place place(whole, i++);
    const json::object* members = operation.if_object();
    if (members == nullptr) continue;
    for (const auto& each : *members) {
      const std::string_view name = each.key();
      if (std::ranges::find(operation_members, name) != operation_members.end()) continue;
      if (out.size() == max_field_errors) return out;
      out.push_back(fmt::format("json patch unknown field \"{}\"", Place(place, name).print(max_shown_path)));
    }
  }
  return out;
}

}  // namespace pintle::apiserver
