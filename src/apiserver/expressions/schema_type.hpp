// SPDX-License-Identifier: Apache-2.0
// SchemaType: the CEL type of a schema, and the sizes that its values can have.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <pintle/cel/type.hpp>

#include "object/schema/schema_node.hpp"

namespace pintle::apiserver {

struct SchemaType;
using SchemaTypePtr = std::shared_ptr<const SchemaType>;

struct SchemaType {
  cel::Type type{};
  std::uint64_t max_size = 0;                                  // bytes, elements or entries; 0 for other values
  std::uint64_t min_json = 0;                                  // bytes of the shortest JSON text
  std::map<std::string, SchemaTypePtr, std::less<>> fields{};  // of an object, by their names in CEL
  SchemaTypePtr elements{};                                    // of a list, or the values of a map

  // The largest size of a part, as cel::MaxSize. The first name of the path is ignored.
  [[nodiscard]] std::optional<std::uint64_t> max_size_at(std::span<const std::string> path) const;
  // How often a value of this type fits into a request.
  [[nodiscard]] std::uint64_t most_occurrences() const noexcept;
};

// Returns null if expressions cannot read values of the schema, for example because it has no type. `name` is the name
// of the type; the names of the types below start with it. `is_resource`: the value always has apiVersion, kind and
// metadata with the name.
[[nodiscard]] SchemaTypePtr schema_type(const SchemaNode& node, const std::string& name, bool is_resource);

// The name of a property in CEL. Nothing if it has characters that cannot be escaped.
[[nodiscard]] std::optional<std::string> property_name(std::string_view name);

}  // namespace pintle::apiserver
