// Rows: the types of the table, taken apart.
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
  // What is printed where nothing is set; "" for a member that has no such mark.
  [[nodiscard]] std::string_view fallback() const;
};

struct TypeRow {
  bool is_atomic = false;
  bool is_opaque = false;
  std::vector<MemberRow> members{};
};

// Null for a name that is not in the table.
[[nodiscard]] const TypeFacts* find_type(std::string_view name);
[[nodiscard]] TypeRow row_of(const TypeFacts& type);

// Writes into the schema of a member what its marks say of merging and of its values.
void add_marks(json::object& schema, const MemberRow& member);

}  // namespace pintle::apiserver
