// SPDX-License-Identifier: Apache-2.0
// Functions for the source file that defines the tables which a header declares (see declared.hpp):
//
//   FieldTable Spec::fields() {
//     static constexpr auto rows = field_rows({
//         {"who", member<&Spec::who>, required},
//         {"mode", member<&Spec::mode>},
//     });
//     return rows;
//   }
//
//   EnumTable enum_names(Spec::Mode) {
//     using enum Spec::Mode;
//     static constexpr auto rows = enum_rows({
//         {fast, "Fast"},
//         {slow, "Slow"},
//     });
//     return rows;
//   }
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <pintle/object/described.hpp>

namespace pintle {

namespace internal {

/// A member of a struct. The types of the struct and of the member are erased.
struct MemberPlace {
  const ValueType* type;
  void* (*at)(void* owner);
};

template <class Owner, class Value>
constexpr MemberPlace place_of(Value Owner::*, void* (*at)(void*)) {
  return {&ValueTypeOf<Value>::value, at};
}
template <class Owner, class Value>
Owner owner_of(Value Owner::*);

struct FieldRow {
  std::string_view name;
  MemberPlace place;
  const FieldRules& rules = no_rules;
  std::string_view description{};
};

struct EnumRow {
  template <class Enum>
    requires std::is_enum_v<Enum>
  constexpr EnumRow(Enum value, std::string_view its_name) : row{static_cast<std::int64_t>(value), its_name} {}
  EnumName row;
};

}  // namespace internal

template <auto Pointer>
inline constexpr internal::MemberPlace member = internal::place_of(Pointer, [](void* owner) -> void* {
  return &(static_cast<decltype(internal::owner_of(Pointer))*>(owner)->*Pointer);
});

inline constexpr FieldRules required{.is_set = true, .required = true};

/// Creates the table of a struct. JSON, schemas and printer columns contain the fields in the order of the rows. The
/// rules of a row must outlive the table.
template <std::size_t N>
[[nodiscard]] consteval std::array<internal::Member, N> field_rows(const internal::FieldRow (&rows)[N]) {
  std::array<internal::Member, N> table{};
  for (std::size_t i = 0; i < N; ++i) {
    const internal::FieldRow& row = rows[i];
    table[i] = {row.name, row.description, &row.rules, {}, row.place.type, row.place.at, {}, nullptr};
  }
  return table;
}

template <std::size_t N>
[[nodiscard]] consteval std::array<internal::EnumName, N> enum_rows(const internal::EnumRow (&rows)[N]) {
  std::array<internal::EnumName, N> table{};
  for (std::size_t i = 0; i < N; ++i) table[i] = rows[i].row;
  return table;
}

}  // namespace pintle
