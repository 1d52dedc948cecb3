// SPDX-License-Identifier: Apache-2.0
// LostValue: puts a value back that a conversion to another version lost.
#pragma once

#include <optional>
#include <span>

#include <pintle/json/value.hpp>

#include "schema_node.hpp"

namespace pintle {

[[nodiscard]] bool is_absent(const json::Value* value);
// A null counts as absent.
[[nodiscard]] bool is_equal(const json::Value* a, const json::Value* b);

// Returns whether there are more errors of one rule than before. Indexes of elements are ignored.
[[nodiscard]] bool has_new_errors(std::span<const FieldError> before, std::span<const FieldError> after);

// A value of an object, and what the conversion to another version and back made of it. Null pointers are absent
// values.
struct LostValue {
  const json::Value* value = nullptr;
  const json::Value* was = nullptr;

  // Returns `value` where `current`, which the conversion back produces now, is still `was`, and `current` elsewhere.
  // Members of objects are treated one by one, and so are the elements of a list whose elements can be identified:
  // those of a list map by their keys, and those of any other list by the equality of the elements in `was` and in
  // `current`, in their order. A part of `value` that violates `node`, where `current` does not, is not put back.
  // `node` is null if there is no schema.
  [[nodiscard]] std::optional<json::Value> put_back(const SchemaNode* node, const json::Value* current) const;
};

}  // namespace pintle
