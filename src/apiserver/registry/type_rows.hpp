// SPDX-License-Identifier: Apache-2.0
// Rows: the parsed types of the table.
#pragma once

#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>

#include "table/table.hpp"

namespace pintle::apiserver {

struct MemberRow {
  std::string_view name{};
  std::string_view type{};
  std::vector<std::string_view> marks{};

  [[nodiscard]] bool is_marked(std::string_view mark) const;
  // Returns the value that is printed if nothing is set; "" if the member has no such mark.
  [[nodiscard]] std::string_view fallback() const;
};

struct TypeRow {
  bool is_atomic = false;
  bool is_opaque = false;
  std::vector<MemberRow> members{};
};

// Returns null if the name is not in the table.
[[nodiscard]] const TypeFacts* find_type(std::string_view name);
[[nodiscard]] TypeRow row_of(const TypeFacts& type);

// Adds the marks of a member, on merging and on its values, to its schema.
void add_marks(json::object& schema, const MemberRow& member);

}  // namespace pintle::apiserver
