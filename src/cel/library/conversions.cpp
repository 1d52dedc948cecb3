// SPDX-License-Identifier: Apache-2.0
// Conversions between types, and the names of types.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/value/order.hpp"
#include "cel/value/text.hpp"
#include "cel/value/time_text.hpp"
#include "cost.hpp"
#include "declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

tl::unexpected<Error> conversion_error(const Value& value, const Type& type) {
  return failure(fmt::format("type conversion error from '{}' to '{}'", value.type_of().name(), type.name()));
}

Result<Value> keep(Arguments arguments) { return arguments[0]; }

// Parses a whole text. A sign may be "+" too.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  constexpr bool may_have_sign = !std::is_same_v<Number, std::uint64_t>;
  if (may_have_sign && text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<Value> string_to_integer(Arguments arguments) {
  const auto number = parse_number<std::int64_t>(*arguments[0].as_string());
  return number ? Result<Value>(Value::integer(*number)) : conversion_error(arguments[0], Type::integer());
}

Result<Value> number_to_integer(Arguments arguments) {
  const auto number = *arguments[0].as_number();
  // NaN fails this comparison too.
  if (!(number > -two_to_63 && number < two_to_63)) return failure("integer overflow");
  return Value::integer(static_cast<std::int64_t>(number));
}

Result<Value> unsigned_to_integer(Arguments arguments) {
  const auto number = *arguments[0].as_unsigned();
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return failure("integer overflow");
  return Value::integer(static_cast<std::int64_t>(number));
}

Result<Value> time_to_integer(Arguments arguments) { return Value::integer(arguments[0].as_timestamp()->seconds); }
Result<Value> duration_to_integer(Arguments arguments) { return Value::integer(arguments[0].as_duration()->count()); }

Result<Value> string_to_unsigned(Arguments arguments) {
  const auto number = parse_number<std::uint64_t>(*arguments[0].as_string());
  return number ? Result<Value>(Value::unsigned_integer(*number))
                : conversion_error(arguments[0], Type::unsigned_integer());
}

Result<Value> number_to_unsigned(Arguments arguments) {
  const auto number = *arguments[0].as_number();
  if (!(number >= 0 && number < two_to_64)) return failure("unsigned integer overflow");
  return Value::unsigned_integer(static_cast<std::uint64_t>(number));
}

Result<Value> integer_to_unsigned(Arguments arguments) {
  const auto number = *arguments[0].as_integer();
  if (number < 0) return failure("unsigned integer overflow");
  return Value::unsigned_integer(static_cast<std::uint64_t>(number));
}

Result<Value> string_to_number(Arguments arguments) {
  const auto number = parse_number<double>(*arguments[0].as_string());
  return number ? Result<Value>(Value::number(*number)) : conversion_error(arguments[0], Type::number());
}

Result<Value> integer_to_number(Arguments arguments) {
  return Value::number(static_cast<double>(*arguments[0].as_integer()));
}
Result<Value> unsigned_to_number(Arguments arguments) {
  return Value::number(static_cast<double>(*arguments[0].as_unsigned()));
}

Result<Value> string_to_boolean(Arguments arguments) {
  constexpr std::array<std::string_view, 6> truths = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 6> lies = {"0", "f", "F", "false", "FALSE", "False"};
  const auto text = *arguments[0].as_string();
  if (std::ranges::find(truths, text) != truths.end()) return Value::boolean(true);
  if (std::ranges::find(lies, text) != lies.end()) return Value::boolean(false);
  return conversion_error(arguments[0], Type::boolean());
}

Result<Value> string_to_bytes(Arguments arguments) { return Value::bytes(std::string(*arguments[0].as_string())); }

Result<Value> bytes_to_string(Arguments arguments) {
  const auto data = *arguments[0].as_bytes();
  if (!is_well_formed_utf8(data)) return failure("invalid UTF-8 in bytes, cannot convert to string");
  return Value::string(std::string(data));
}

std::uint64_t cost_of_text(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversal(size_of(arguments[0]));
}

Result<Value> integer_to_string(Arguments arguments) {
  return Value::string(fmt::format("{}", *arguments[0].as_integer()));
}
Result<Value> unsigned_to_string(Arguments arguments) {
  return Value::string(fmt::format("{}", *arguments[0].as_unsigned()));
}
Result<Value> number_to_string(Arguments arguments) { return Value::string(format_number(*arguments[0].as_number())); }
Result<Value> boolean_to_string(Arguments arguments) {
  return Value::string(*arguments[0].as_bool() ? "true" : "false");
}
Result<Value> time_to_string(Arguments arguments) {
  return Value::string(format_timestamp(*arguments[0].as_timestamp()));
}
Result<Value> duration_to_string(Arguments arguments) {
  return Value::string(format_duration_text(*arguments[0].as_duration()));
}

Result<Value> string_to_time(Arguments arguments) {
  const auto time = parse_timestamp(*arguments[0].as_string());
  return time ? Result<Value>(Value::timestamp(*time)) : conversion_error(arguments[0], Type::timestamp());
}

Result<Value> integer_to_time(Arguments arguments) {
  const Timestamp time{.seconds = *arguments[0].as_integer()};
  if (!is_in_range(time)) return failure("timestamp overflow");
  return Value::timestamp(time);
}

Result<Value> string_to_duration(Arguments arguments) {
  const auto duration = parse_duration_text(*arguments[0].as_string());
  return duration ? Result<Value>(Value::duration(*duration)) : conversion_error(arguments[0], Type::duration());
}

Result<Value> type_of_value(Arguments arguments) { return Value::type(arguments[0].type_of()); }

FunctionDeclaration conversion(std::string name, const Type& result,
                               const std::vector<std::pair<Type, Function>>& functions) {
  FunctionDeclaration declaration{.name = std::move(name), .overloads = {global({result}, result, keep)}};
  for (const auto& [from, function] : functions) {
    const bool is_text = from.kind() == Type::Kind::bytes || result.kind() == Type::Kind::bytes;
    declaration.overloads.push_back(global({from}, result, function, is_text ? FunctionCost(cost_of_text) : nullptr));
  }
  return declaration;
}

std::vector<FunctionDeclaration> number_conversions() {
  const auto integer = Type::integer();
  const auto natural = Type::unsigned_integer();
  const auto number = Type::number();
  const auto string = Type::string();
  return {conversion("int", integer,
                     {{number, number_to_integer},
                      {Type::duration(), duration_to_integer},
                      {string, string_to_integer},
                      {Type::timestamp(), time_to_integer},
                      {natural, unsigned_to_integer}}),
          conversion("uint", natural,
                     {{number, number_to_unsigned}, {integer, integer_to_unsigned}, {string, string_to_unsigned}}),
          conversion("double", number,
                     {{integer, integer_to_number}, {string, string_to_number}, {natural, unsigned_to_number}})};
}

std::vector<FunctionDeclaration> other_conversions() {
  const auto string = Type::string();
  const auto any = Type::parameter("A");
  return {conversion("bool", Type::boolean(), {{string, string_to_boolean}}),
          conversion("bytes", Type::bytes(), {{string, string_to_bytes}}),
          conversion("string", string,
                     {{Type::boolean(), boolean_to_string},
                      {Type::bytes(), bytes_to_string},
                      {Type::number(), number_to_string},
                      {Type::duration(), duration_to_string},
                      {Type::integer(), integer_to_string},
                      {Type::timestamp(), time_to_string},
                      {Type::unsigned_integer(), unsigned_to_string}}),
          conversion("timestamp", Type::timestamp(), {{Type::integer(), integer_to_time}, {string, string_to_time}}),
          conversion("duration", Type::duration(), {{string, string_to_duration}}),
          {"dyn", {global({any}, Type::dyn(), keep)}},
          {"type", {global({any}, Type::type(any), type_of_value)}}};
}

}  // namespace

Library conversion_library() {
  Library library;
  for (auto& declarations : {number_conversions(), other_conversions()}) {
    library.functions.insert(library.functions.end(), declarations.begin(), declarations.end());
  }
  library.types = {Type::boolean(),   Type::integer(), Type::unsigned_integer(), Type::number(),   Type::string(),
                   Type::bytes(),     Type::null(),    Type::timestamp(),        Type::duration(), Type::list({}),
                   Type::map({}, {}), Type::type(),    Type::optional({})};
  return library;
}

}  // namespace pintle::cel
