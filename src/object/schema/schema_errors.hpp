// SPDX-License-Identifier: Apache-2.0
// The errors in a schema, and what its checks share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema_node.hpp"

namespace pintle {

class SchemaErrors {
 public:
  void require(std::string path, std::string_view why) { add("Required", std::move(path), "Required value", why); }
  void forbid(std::string path, std::string_view why) { add("Forbidden", std::move(path), "Forbidden", why); }
  void refuse(std::string path, std::string_view value, std::string_view why) {
    add("Invalid", std::move(path), "Invalid value: " + std::string(value), why);
  }
  void refuse_text(std::string path, std::string_view value, std::string_view why) {
    refuse(std::move(path), json::print(json::Value(value)), why);
  }
  void refuse_choice(std::string path, std::string_view value, std::string_view choices) {
    add("NotSupported", std::move(path), "Unsupported value: " + json::print(json::Value(value)),
        "supported values: " + std::string(choices));
  }

  // Sorts by the text, as kube-apiserver does, because it reads members in any order.
  void sort() {
    const auto text = [](const FieldError& error) { return error.field + ": " + error.message; };
    std::stable_sort(errors_.begin(), errors_.end(),
                     [&](const FieldError& a, const FieldError& b) { return text(a) < text(b); });
  }
  [[nodiscard]] bool empty() const noexcept { return errors_.empty(); }
  [[nodiscard]] std::vector<FieldError>& all() noexcept { return errors_; }

 private:
  void add(std::string_view reason, std::string path, std::string kind, std::string_view why) {
    errors_.push_back({"FieldValue" + std::string(reason), std::move(kind) + ": " + std::string(why), std::move(path)});
  }

  std::vector<FieldError> errors_;
};

[[nodiscard]] inline std::string keyed_path(const std::string& path, std::string_view list, std::string_view key) {
  return child_path(path, list) + "[" + std::string(key) + "]";
}
[[nodiscard]] inline std::string indexed_path(const std::string& path, std::string_view list, std::size_t index) {
  return keyed_path(path, list, std::to_string(index));
}

// null is no value.
[[nodiscard]] inline bool has_value(json::View schema, std::string_view name) {
  const json::View value = schema.member(name);
  return value.exists() && !value.is_null();
}

[[nodiscard]] inline bool has_content(json::View schema, std::string_view name) {
  const json::View value = schema.member(name);
  return (value.is_object() || value.is_array()) ? !value.empty() : !value.text().empty();
}

// Adds the errors in the parts of the schema of a whole object, whether it is structural or not.
void check_schema_parts(json::View schema, const std::string& path, SchemaErrors& errors);

}  // namespace pintle
