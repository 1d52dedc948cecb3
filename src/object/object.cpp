// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/object.hpp>

#include <algorithm>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle {
namespace {

// A decimal number without a leading zero, so that a longer text is a greater number.
bool is_resource_version(std::string_view text) {
  return !text.empty() && text.front() != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<Object> Object::parse(std::string_view text) { return from(json::Document::parse(text)); }

Result<Object> Object::from(Result<json::Document> document) {
  if (!document) return fail(std::move(document.error()));
  if (!document->root().is_object()) return fail(ErrorCode::invalid, "a Kubernetes object must be a JSON object");
  return Object(std::move(*document));
}

bool Object::has_finalizer(std::string_view name) const noexcept {
  for (const json::View finalizer : finalizers().elements()) {
    if (finalizer == name) return true;
  }
  return false;
}

json::Value Object::to_value() const { return root().to_value(); }

std::string Object::describe() const { return group_version_kind().to_string() + " " + key().to_string(); }

Result<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b) {
  for (const std::string_view text : {a, b}) {
    if (!is_resource_version(text)) {
      return fail(ErrorCode::invalid,
                  "\"" + std::string(text) + "\" is not a decimal number, so this resourceVersion cannot be compared");
    }
  }
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

}  // namespace pintle
