// SPDX-License-Identifier: Apache-2.0
// The rules of a member that fields() declares, as plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The minimum or maximum of a range; exact for integers.
struct Bound {
  bool is_integer = true;
  std::int64_t integer = 0;
  double number = 0;

  [[nodiscard]] constexpr double as_double() const { return is_integer ? static_cast<double>(integer) : number; }
  [[nodiscard]] constexpr bool is_above(const Bound& other) const {
    return is_integer && other.is_integer ? integer > other.integer : as_double() > other.as_double();
  }
  friend constexpr bool operator==(const Bound&, const Bound&) = default;
};

/// A rule in the Common Expression Language (CEL) that the server evaluates: "self.low <= self.high". `self` is the
/// value to which the rule belongs, `oldSelf` is its previous value. A rule that contains oldSelf applies only to
/// updates.
struct CelRule {
  static constexpr std::size_t members = 0;
  static constexpr std::size_t places = 0;

  std::string_view rule{};
  std::string_view message{};             ///< for people; empty: the rule itself
  std::string_view message_expression{};  ///< a CEL expression that returns the message
  /// FieldValueInvalid (default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.
  std::string_view reason{};
  std::string_view field_path{};  ///< ".high": the member that the error names

  friend constexpr bool operator==(const CelRule&, const CelRule&) = default;
};

/// One column of `kubectl get`.
struct PrinterColumn {
  std::string_view name{};         ///< the heading; empty: no column
  std::string_view path{};         ///< JSON path ".spec.image"; in Field::column(): relative to the field
  std::string_view type{};         ///< integer, number, string, boolean or date; empty: the type of the field
  std::string_view format{};       ///< for example int32, byte, date-time
  std::string_view description{};  ///< empty: the description of the field
  std::int32_t priority = 0;       ///< above 0: shown only with `-o wide`

  friend constexpr bool operator==(const PrinterColumn&, const PrinterColumn&) = default;
};

/// The rules for the value of a member, or for each of its elements.
struct ValueRules {
  std::optional<Bound> minimum{};
  std::optional<Bound> maximum{};
  std::optional<Bound> multiple_of{};
  std::optional<std::size_t> min_length{};
  std::optional<std::size_t> max_length{};
  std::string_view pattern{};
  std::optional<std::size_t> min_items{};  ///< elements of a list or entries of a map
  std::optional<std::size_t> max_items{};

  friend constexpr bool operator==(const ValueRules&, const ValueRules&) = default;
};

/// A value that is known at compile time.
struct Literal {
  enum class Kind : std::uint8_t { none, boolean, number, text, json };

  Kind kind = Kind::none;
  bool flag = false;
  Bound number{};
  std::string_view text{};

  friend constexpr bool operator==(const Literal&, const Literal&) = default;
};

/// How several field managers share a list or an object.
enum class MergeStrategy : std::uint8_t { unspecified, atomic, set, map };

/// The rules of a field, and its column in `kubectl get`.
struct FieldRules {
  bool is_set = false;  ///< whether any rule is set
  bool required = false;
  bool nullable = false;
  bool immutable = false;
  MergeStrategy merge_strategy = MergeStrategy::unspecified;
  std::array<std::string_view, 4> keys{"", "", "", ""};  ///< the keys of a list map; empty ones are ignored
  ValueRules value{};
  ValueRules items{};  ///< for each element of a list or entry of a map
  Literal default_value{};
  PrinterColumn column{};
  std::string_view deprecated{};

  friend constexpr bool operator==(const FieldRules&, const FieldRules&) = default;
};

}  // namespace pintle
