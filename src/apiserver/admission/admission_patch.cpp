// SPDX-License-Identifier: Apache-2.0
#include "admission_patch.hpp"

#include <utility>

#include <pintle/json/pointer.hpp>

#include "apiserver/patch/json_patch.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// Returns the error in an entry of managedFields, or "".
std::string_view complaint_about(const Value& entry) {
  const std::string_view operation = text_at(entry, "/operation");
  if (operation != "Apply" && operation != "Update") return "operation must be `Apply` or `Update`";
  const Value* fields = member(entry, "fieldsV1");
  if (fields != nullptr && !fields->is_object()) return "fieldsV1 must be an object";
  return "";
}

}  // namespace

StatusOr<void> apply_admission_patch(Value& object, const json::array& operations) {
  Value patched = object;
  if (const auto applied = apply_json_patch(patched, operations); !applied) {
    return refuse(internal_failure(applied.error().message));
  }
  object = std::move(patched);
  return {};
}

std::string_view restore_managed_fields(Value& object, const Value& before) {
  const Value* entries = json::find(object, "/metadata/managedFields");
  if (entries == nullptr || !entries->is_array()) return "";
  for (const Value& entry : entries->get_array()) {
    const std::string_view complaint = complaint_about(entry);
    if (complaint.empty()) continue;
    copy_member(object.as_object()["metadata"], before.at("metadata"), "managedFields");
    return complaint;
  }
  return "";
}

}  // namespace pintle::apiserver
