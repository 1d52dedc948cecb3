// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>

#include "cel/value/text.hpp"
#include "cel/value/value_access.hpp"

namespace pintle::cel {
namespace {

// A whole number of any type is an index.
std::optional<std::int64_t> index_of(const Value& key) noexcept {
  if (const auto number = key.as_integer()) return *number;
  if (const auto number = key.as_unsigned())
    return *number <= INT64_MAX ? std::optional<std::int64_t>(*number) : INT64_MAX;
  if (const auto number = key.as_number(); number && std::trunc(*number) == *number && std::abs(*number) < 9e18) {
    return static_cast<std::int64_t>(*number);
  }
  return std::nullopt;
}

// Returns nothing if the key does not exist. A value without members has no keys.
Result<std::optional<Value>> look_up(const Value& operand, const Value& key) {
  if (const auto* map = operand.as_map()) return map->find(key);
  if (const auto* list = operand.as_list()) {
    const auto index = index_of(key);
    if (!index && key.as_number()) {
      return fail(ErrorCode::invalid, fmt::format("unsupported index value {} in list", describe_key(key)));
    }
    if (!index)
      return fail(ErrorCode::invalid, fmt::format("unsupported index type '{}' in list", key.type_of().name()));
    if (*index < 0 || static_cast<std::uint64_t>(*index) >= list->size()) return std::optional<Value>();
    return std::optional(list->at(static_cast<std::size_t>(*index)));
  }
  return std::optional<Value>();
}

Error missing(const Value& operand, const Value& key) {
  const char* what = operand.as_list() != nullptr ? "index out of bounds" : "no such key";
  return make_error(ErrorCode::invalid, fmt::format("{}: {}", what, describe_key(key)));
}

}  // namespace

std::string describe_key(const Value& key) {
  if (const auto text = key.as_string()) return std::string(*text);
  if (const auto number = key.as_integer()) return fmt::format("{}", *number);
  if (const auto number = key.as_unsigned()) return fmt::format("{}", *number);
  if (const auto number = key.as_number()) return format_number(*number);
  if (const auto flag = key.as_bool()) return *flag ? "true" : "false";
  return std::string(key.type_of().name());
}

Result<Value> read_key(const Value& operand, const Value& key) {
  if (const auto* map = operand.as_map(); map != nullptr && key.as_string()) {
    Value member;
    const auto exists = read_json_member(*map, *key.as_string(), member);
    if (exists) return *exists ? Result<Value>(std::move(member)) : fail(missing(operand, key));
  }
  if (operand.is_optional()) return read_optional_key(operand, key);
  auto found = look_up(operand, key);
  if (!found) return fail(std::move(found.error()));
  if (!found->has_value()) return fail(missing(operand, key));
  return **std::move(found);
}

Result<Value> read_optional_key(const Value& operand, const Value& key) {
  if (operand.is_optional()) {
    const auto* value = operand.optional_value();
    return value == nullptr ? Value::none() : read_optional_key(*value, key);
  }
  auto found = look_up(operand, key);
  if (!found) return fail(std::move(found.error()));
  return found->has_value() ? Value::some(**std::move(found)) : Value::none();
}

Result<bool> has_key(const Value& operand, std::string_view name) {
  if (operand.is_optional()) {
    const auto* value = operand.optional_value();
    return value == nullptr ? Result<bool>(false) : has_key(*value, name);
  }
  auto found = look_up(operand, Value::borrowed_string(name));
  if (!found) return fail(std::move(found.error()));
  return found->has_value();
}

}  // namespace pintle::cel
