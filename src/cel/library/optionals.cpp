// SPDX-License-Identifier: Apache-2.0
// Functions of optional values. The evaluator executes or() and orValue() itself, because these do not evaluate their
// argument if it is not needed.
#include <chrono>
#include <cstdint>
#include <span>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

constexpr std::int64_t start_of_year_1 = -62'135'596'800;  // of year 1

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case Type::Kind::null: return true;
    case Type::Kind::boolean: return !*value.as_bool();
    case Type::Kind::integer: return *value.as_integer() == 0;
    case Type::Kind::unsigned_integer: return *value.as_unsigned() == 0;
    case Type::Kind::number: return *value.as_number() == 0;
    case Type::Kind::string: return value.as_string()->empty();
    case Type::Kind::bytes: return value.as_bytes()->empty();
    case Type::Kind::list: return value.as_list()->size() == 0;
    case Type::Kind::map: return value.as_map()->size() == 0;
    case Type::Kind::duration: return *value.as_duration() == std::chrono::nanoseconds(0);
    case Type::Kind::timestamp: return *value.as_timestamp() == Timestamp{.seconds = start_of_year_1};
    case Type::Kind::optional: return value.optional_value() == nullptr;
    default: return false;
  }
}

Result<Value> of(Arguments arguments) { return Value::some(arguments[0]); }
Result<Value> none(Arguments /*arguments*/) { return Value::none(); }
Result<Value> of_non_zero(Arguments arguments) {
  return is_zero(arguments[0]) ? Value::none() : Value::some(arguments[0]);
}
Result<Value> has_value(Arguments arguments) { return Value::boolean(arguments[0].optional_value() != nullptr); }
Result<Value> value_of(Arguments arguments) {
  const auto* value = arguments[0].optional_value();
  if (value == nullptr) return failure("optional.none() dereference");
  return *value;
}

}  // namespace

Library optional_library() {
  const auto any = Type::parameter("V");
  const auto optional = Type::optional(any);
  return {.functions = {{"optional.of", {global({any}, optional, of)}},
                        {"optional.none", {global({}, optional, none)}},
                        {"optional.ofNonZeroValue", {global({any}, optional, of_non_zero)}},
                        {"hasValue", {member({optional}, Type::boolean(), has_value)}},
                        {"value", {member({optional}, any, value_of)}},
                        {"or", {member({optional, optional}, optional, {})}},
                        {"orValue", {member({optional, any}, any, {})}}}};
}

}  // namespace pintle::cel
