// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/configuration.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "merge_schema.hpp"
#include "typed_walk.hpp"

namespace pintle {
namespace {

using json::Value;
using json::View;

// Walks a configuration and collects the paths that must not be in it.
class ConfigurationCheck {
 public:
  void visit(const Value& value, View schema, const std::string& path, bool root) {
    if (const json::object* members = value.if_object()) {
      if (is_atomic_map(schema)) atomic_.push_back(path);
      for (const auto& [name, member] : *members) visit_member(name, member, schema, path, root);
    } else if (const json::array* items = value.if_array()) {
      if (schema.exists() && list_type(schema) == ListType::atomic) atomic_.push_back(path);
      for (std::size_t i = 0; i < items->size(); ++i) {
        visit((*items)[i], schema.member("items"), fmt::format("{}[{}]", path, i), false);
      }
    }
  }

  [[nodiscard]] Result<void> outcome() const {
    if (!undeclared_.empty()) {
      return fail(ErrorCode::invalid,
                  fmt::format("failed to convert patch object to typed object: {}: field not declared in schema",
                              undeclared_.front()));
    }
    if (atomic_.empty()) return {};
    return fail(ErrorCode::invalid,
                fmt::format("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
                            fmt::join(atomic_, ", ")));
  }

 private:
  void visit_member(std::string_view name, const Value& member, View schema, const std::string& path, bool root) {
    const std::string below = fmt::format("{}.{}", path, name);
    if (root && (name == "apiVersion" || name == "kind")) return;
    const bool is_closed = schema.member("properties").exists() && !schema.member("additionalProperties").exists() &&
                           schema.member("x-kubernetes-preserve-unknown-fields") != true;
    if (is_closed && !names_member(schema, name, root)) undeclared_.push_back(below);
    visit(member, member_schema(schema, name, root), below, false);
  }

  std::vector<std::string> undeclared_;
  std::vector<std::string> atomic_;
};

}  // namespace

Result<Value> merge_configuration(const Value& object, const Value& config, View schema) {
  ConfigurationCheck check;
  check.visit(config, schema, "", true);
  if (auto valid = check.outcome(); !valid) return fail(std::move(valid.error()));
  auto merged = merge_typed(object, config, schema);
  if (!merged) merged.error().message.insert(0, "failed to merge patch: ");
  return merged;
}

}  // namespace pintle
