// SPDX-License-Identifier: Apache-2.0
#include "admission_patch.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/patch.hpp>

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

std::string describe_patch_failure(const json::array& operations, const Error& error) {
  const StatusCause& cause = error.causes.front();
  const Value& operation = operations[std::stoul(cause.field)];
  const std::string_view op = text_at(operation, "/op");
  if (error.reason == "test_failed") {
    return fmt::format("testing value {} failed: test failed", text_at(operation, "/path"));
  }
  if (op.empty() || error.reason == "malformed") return cause.message;
  return fmt::format("{} operation does not apply: {}", op, cause.message);
}

StatusOr<void> apply_admission_patch(Value& object, const json::array& operations) {
  const auto applied = json::apply_patch(object, operations);
  if (applied) return {};
  return refuse(internal_failure(describe_patch_failure(operations, applied.error())));
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
