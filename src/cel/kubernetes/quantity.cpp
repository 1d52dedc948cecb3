// SPDX-License-Identifier: Apache-2.0
// Quantities of Kubernetes, such as "100m" and "1.5Gi".
#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "decimal.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

// Kubernetes stores most quantities as an integer with a power of ten. Only such a quantity can be an integer: "1.0"
// has a fraction, and the result of an inexact addition has none of these forms.
struct Amount {
  std::optional<std::int64_t> number{};
  std::int64_t scale = 0;  // of `number`
  Decimal decimal{};       // always the exact value
};

Amount amount_of(std::int64_t number, std::int64_t scale) { return {number, scale, Decimal(number, scale)}; }

// number × 10^scale, if there is no overflow.
std::optional<std::int64_t> scaled(std::int64_t number, std::int64_t scale) {
  for (; scale > 0 && number != 0; --scale) {
    if (__builtin_mul_overflow(number, std::int64_t{10}, &number)) return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> whole_number(const Amount& amount) {
  if (!amount.number || amount.scale < 0) return std::nullopt;
  return scaled(*amount.number, amount.scale);
}

// The sum as an integer with a power of ten.
std::optional<Amount> add_numbers_of(const Amount& a, const Amount& b) {
  if (!a.number || !b.number) return std::nullopt;
  if (*b.number == 0) return a;
  if (*a.number == 0) return b;
  const auto scale = std::min(a.scale, b.scale);
  const auto left = scaled(*a.number, a.scale - scale);
  const auto right = scaled(*b.number, b.scale - scale);
  std::int64_t sum = 0;
  if (!left || !right || __builtin_add_overflow(*left, *right, &sum)) return std::nullopt;
  return amount_of(sum, scale);
}

Result<Amount> add_amounts(const Amount& a, const Amount& b) {
  if (auto sum = add_numbers_of(a, b)) return *std::move(sum);
  auto sum = add(a.decimal, b.decimal);
  if (!sum) return failure("the quantities differ too much in size");
  return Amount{.decimal = *std::move(sum)};
}

Amount negated(const Amount& amount) {
  Amount out{.scale = amount.scale, .decimal = amount.decimal.negated()};
  if (amount.number && *amount.number != std::numeric_limits<std::int64_t>::min()) out.number = -*amount.number;
  return out;
}

// ---- text
// ------------------------------------------------------------------------------------------------------------

struct QuantitySuffix {
  int base = 10;
  std::int64_t exponent = 0;
};

std::optional<QuantitySuffix> read_suffix(std::string_view text) {
  constexpr std::string_view decimal = "num kMGTPE";  // from 10^-9 in steps of 1000
  constexpr std::string_view binary = "KMGTPE";
  if (text.empty()) return QuantitySuffix{};
  if (text.size() == 1 && text != " ") {
    const auto place = decimal.find(text.front());
    if (place == std::string_view::npos) return std::nullopt;
    return QuantitySuffix{10, (static_cast<std::int64_t>(place) - 3) * 3};
  }
  if (text.size() == 2 && text[1] == 'i') {
    const auto place = binary.find(text.front());
    if (place == std::string_view::npos) return std::nullopt;
    return QuantitySuffix{2, (static_cast<std::int64_t>(place) + 1) * 10};
  }
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return QuantitySuffix{10, exponent};
}

struct QuantityText {
  bool is_negative = false;
  std::string_view whole{};  // without leading zeros
  std::string_view fraction{};
  std::string_view suffix{};
};

std::string_view take_digits_of(std::string_view& rest) {
  const auto size = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto digits = rest.substr(0, size);
  rest.remove_prefix(size);
  return digits;
}

std::optional<QuantityText> split_quantity(std::string_view text) {
  if (text.empty()) return std::nullopt;
  QuantityText out{.is_negative = text.starts_with('-')};
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  out.whole = take_digits_of(text);
  out.whole.remove_prefix(std::min(out.whole.find_first_not_of('0'), out.whole.size()));
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.fraction = take_digits_of(text);
  }
  out.suffix = text;
  text.remove_prefix(std::min(text.find_first_not_of("eEinumkKMGTP"), text.size()));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  (void)take_digits_of(text);
  return text.empty() ? std::optional(out) : std::nullopt;
}

// The form that Kubernetes uses for numbers of up to 18 digits, or about 15 with a binary suffix.
std::optional<Amount> small_amount(const QuantityText& text, const QuantitySuffix& suffix) {
  const auto whole_size = static_cast<std::int64_t>(std::max<std::size_t>(1, text.whole.size()));
  const auto fraction_size = static_cast<std::int64_t>(text.fraction.size());
  const bool is_binary = suffix.base == 2;
  if (is_binary && fraction_size > 0) return std::nullopt;
  const auto room = is_binary ? 15 - whole_size - suffix.exponent * 3 / 10 - 1 : 18 - whole_size - fraction_size;
  const auto scale = is_binary ? 0 : suffix.exponent - fraction_size;
  if (room < 0 || scale < -9) return std::nullopt;
  const auto digits = "0" + std::string(text.whole) + std::string(text.fraction);
  std::int64_t number = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (is_binary && __builtin_mul_overflow(number, std::int64_t{1} << suffix.exponent, &number)) return std::nullopt;
  return amount_of(text.is_negative ? -number : number, scale);
}

Amount large_amount(const QuantityText& text, const QuantitySuffix& suffix) {
  const auto fraction_size = static_cast<std::int64_t>(text.fraction.size());
  const auto digits = std::string(text.whole) + std::string(text.fraction);
  const bool is_binary = suffix.base == 2;
  Decimal decimal(false, digits, (is_binary ? 0 : suffix.exponent) - fraction_size);
  for (std::int64_t i = 0; is_binary && i < suffix.exponent; i += 10) decimal = decimal.times(1024);
  decimal = decimal.rounded_up(-9);
  const Decimal most(std::numeric_limits<std::int64_t>::max(), 0);
  if (is_binary && decimal > most) decimal = most;
  return {.decimal = text.is_negative ? decimal.negated() : decimal};
}

Result<Amount> parse_amount(std::string_view text) {
  const auto parts = split_quantity(text);
  if (!parts) {
    return failure(
        "quantities must match the regular expression "
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const auto suffix = read_suffix(parts->suffix);
  if (!suffix) return failure("unable to parse quantity's suffix");
  if (auto small = small_amount(*parts, *suffix)) return *std::move(small);
  return large_amount(*parts, *suffix);
}

// ---- functions
// -------------------------------------------------------------------------------------------------------

Type quantity_type() { return Type::opaque("kubernetes.Quantity"); }

class QuantityValue final : public Opaque {
 public:
  explicit QuantityValue(Amount amount) noexcept : amount(std::move(amount)) {}
  [[nodiscard]] Type type() const override { return quantity_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return amount.decimal == dynamic_cast<const QuantityValue&>(other).amount.decimal;
  }

  const Amount amount;
};

const Amount& amount_of(const Value& value) { return value.as_opaque<QuantityValue>()->amount; }

Result<Value> quantity_result(Result<Amount> amount) {
  if (!amount) return fail(std::move(amount.error()));
  return Value::opaque(std::make_shared<QuantityValue>(*std::move(amount)));
}

int order_of(Arguments arguments) {
  const auto order = amount_of(arguments[0]).decimal <=> amount_of(arguments[1]).decimal;
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

Result<Value> to_quantity(Arguments arguments) { return quantity_result(parse_amount(*arguments[0].as_string())); }
Result<Value> is_quantity(Arguments arguments) {
  return Value::boolean(parse_amount(*arguments[0].as_string()).has_value());
}
Result<Value> quantity_sign(Arguments arguments) { return Value::integer(amount_of(arguments[0]).decimal.sign()); }
Result<Value> is_greater_quantity(Arguments arguments) { return Value::boolean(order_of(arguments) > 0); }
Result<Value> is_less_quantity(Arguments arguments) { return Value::boolean(order_of(arguments) < 0); }
Result<Value> compare_quantities(Arguments arguments) { return Value::integer(order_of(arguments)); }
Result<Value> is_integer_quantity(Arguments arguments) {
  return Value::boolean(whole_number(amount_of(arguments[0])).has_value());
}
Result<Value> quantity_to_integer(Arguments arguments) {
  const auto number = whole_number(amount_of(arguments[0]));
  if (!number) return failure("cannot convert value to integer");
  return Value::integer(*number);
}
Result<Value> quantity_to_number(Arguments arguments) {
  return Value::number(amount_of(arguments[0]).decimal.to_double());
}

Amount operand_of(const Value& value) {
  const auto number = value.as_integer();
  return number ? amount_of(*number, 0) : amount_of(value);
}
Result<Value> add_quantity(Arguments arguments) {
  return quantity_result(add_amounts(amount_of(arguments[0]), operand_of(arguments[1])));
}
Result<Value> subtract_quantity(Arguments arguments) {
  return quantity_result(add_amounts(amount_of(arguments[0]), negated(operand_of(arguments[1]))));
}

}  // namespace

Library quantity_library() {
  const auto quantity = quantity_type();
  const auto string = Type::string();
  const auto integer = Type::integer();
  const auto boolean = Type::boolean();
  return {
      .functions = {
          {"quantity", {global({string}, quantity, to_quantity, cost_of_first)}},
          {"isQuantity", {global({string}, boolean, is_quantity, cost_of_first)}},
          {"sign", {global({quantity}, integer, quantity_sign)}},
          {"isGreaterThan", {member({quantity, quantity}, boolean, is_greater_quantity)}},
          {"isLessThan", {member({quantity, quantity}, boolean, is_less_quantity)}},
          {"compareTo", {member({quantity, quantity}, integer, compare_quantities)}},
          {"isInteger", {member({quantity}, boolean, is_integer_quantity)}},
          {"asInteger", {member({quantity}, integer, quantity_to_integer)}},
          {"asApproximateFloat", {member({quantity}, Type::number(), quantity_to_number)}},
          {"add",
           {member({quantity, quantity}, quantity, add_quantity), member({quantity, integer}, quantity, add_quantity)}},
          {"sub",
           {member({quantity, quantity}, quantity, subtract_quantity),
            member({quantity, integer}, quantity, subtract_quantity)}},
      }};
}

}  // namespace pintle::cel
