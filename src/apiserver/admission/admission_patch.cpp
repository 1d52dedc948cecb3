#include "admission_patch.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/json/patch.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

Refusal failure(const Value& operation, const Error& error) {
  const std::string_view op = text_at(operation, "/op");
  if (error.reason == "test_failed") {
    return internal_failure(fmt::format("testing value {} failed: test failed", text_at(operation, "/path")));
  }
  if (op.empty() || error.reason == "malformed") return internal_failure(error.message);
  return internal_failure(fmt::format("{} operation does not apply: {}", op, error.message));
}

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
  const auto applied = json::apply_patch(object, operations);
  if (applied) return {};
  Value next = object;
  for (const Value& operation : operations) {  // find the one that failed
    const auto done = json::apply_patch(next, json::array{operation});
    if (!done) return refuse(failure(operation, done.error()));
  }
  return refuse(internal_failure(applied.error().message));
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
