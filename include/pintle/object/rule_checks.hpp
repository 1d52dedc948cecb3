// SPDX-License-Identifier: Apache-2.0
// Checks of fields() at compile time. Internal part of operations.hpp and layout.hpp; do not use it directly.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <pintle/object/fields.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle::internal {

/// The errors in the rules of a field that can be detected at compile time.
enum class RuleError : std::uint8_t { none, range, default_range, default_choice };

constexpr bool are_ranges(const ValueRules& rules) {
  return !(rules.minimum && rules.maximum && rules.minimum->is_above(*rules.maximum)) &&
         rules.min_length.value_or(0) <= rules.max_length.value_or(SIZE_MAX) &&
         rules.min_items.value_or(0) <= rules.max_items.value_or(SIZE_MAX);
}

constexpr bool is_in_range(const Literal& given, const ValueRules& rules) {
  if (given.kind == Literal::Kind::text) {
    std::size_t characters = 0;
    for (const char c : given.text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return characters >= rules.min_length.value_or(0) && characters <= rules.max_length.value_or(SIZE_MAX);
  }
  return !(rules.minimum && rules.minimum->is_above(given.number)) &&
         !(rules.maximum && given.number.is_above(*rules.maximum));
}

/// `limits` is the range of the type of the member.
constexpr RuleError rule_error(const FieldRules& rules, std::span<const std::string_view> choices,
                               IntegerRange limits) {
  const Literal& given = rules.default_value;
  if (!are_ranges(rules.value) || !are_ranges(rules.items)) return RuleError::range;
  if (given.kind == Literal::Kind::number) {
    const std::int64_t whole = given.number.integer;
    if (whole < limits.lowest || std::cmp_greater(whole, limits.highest)) return RuleError::default_range;
    return is_in_range(given, rules.value) ? RuleError::none : RuleError::default_range;
  }
  if (given.kind != Literal::Kind::text) return RuleError::none;
  if (!is_in_range(given, rules.value)) return RuleError::default_range;
  for (const std::string_view choice : choices) {
    if (choice == given.text) return RuleError::none;
  }
  return choices.empty() ? RuleError::none : RuleError::default_choice;
}

template <class T>
constexpr IntegerRange limits_of() {
  if constexpr (std::is_integral_v<T>) {
    return {static_cast<std::int64_t>(std::numeric_limits<T>::min()),
            static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
  } else {
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()};
  }
}

template <class T>
inline constexpr bool is_scalar =
    std::is_arithmetic_v<T> || std::is_enum_v<typename internal::WithoutChoice<T>::type> ||
    std::same_as<T, std::string> || CustomJson<T>;

template <class O, class M, std::size_t C, std::size_t R>
constexpr bool is_key(const Field<O, M, C, R>& field, std::string_view key) {
  const bool is_there = field.rules.required || field.rules.default_value.kind != Literal::Kind::none ||
                        std::same_as<typename internal::WithoutOptional<M>::type, M>;
  return field.name == key && is_scalar<typename internal::WithoutOptional<M>::type> && is_there;
}
constexpr bool is_key(const auto&, std::string_view) { return false; }

/// Whether each key is a scalar of the element that is always present. A member that is not optional counts as present,
/// because its initializer may become its default in the schema. The server rejects a key that is neither required nor
/// has a default.
template <class Element>
constexpr bool has_keys(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (key.empty()) continue;
    if constexpr (HasFieldTable<Element>) {
      return true;  // the fields are in a source file; validate_crd() finds invalid keys
    } else if constexpr (HasFields<Element>) {
      const auto names_it = [key]<std::size_t... I>(const auto& list, std::index_sequence<I...>) {
        return (is_key(internal::item_at<I>(list), key) || ...);
      };
      constexpr auto list = Element::fields();
      if (!names_it(list, std::make_index_sequence<list.size>())) return false;
    } else {
      return false;
    }
  }
  return true;
}

constexpr bool has_unique_names(std::span<const Member> members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].name == members[j].name) return false;
    }
  }
  return true;
}

}  // namespace pintle::internal
