// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/int_or_string.hpp>

#include <charconv>
#include <limits>
#include <optional>

#include <pintle/base/result.hpp>
#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle {
namespace {

std::optional<std::int32_t> percent_of(std::string_view text) {
  std::int32_t number = 0;
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string IntOrString::to_string() const { return is_integer() ? std::to_string(integer()) : std::string(text()); }

Result<std::int32_t> IntOrString::scaled_value(std::int32_t total, Round round) const {
  if (is_integer()) return integer();
  const auto percent = percent_of(text());
  if (!percent) return fail(ErrorCode::invalid, quote(text()) + " is neither a number nor a percentage such as 25%");
  const std::int64_t hundredths = static_cast<std::int64_t>(total) * *percent;
  std::int64_t whole = hundredths / 100;
  const std::int64_t rest = hundredths % 100;
  if (rest > 0 && round == Round::up) ++whole;
  if (rest < 0 && round == Round::down) --whole;
  if (whole < std::numeric_limits<std::int32_t>::min() || whole > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::invalid, std::string(text()) + " of " + std::to_string(total) + " is out of range");
  }
  return static_cast<std::int32_t>(whole);
}

Result<std::uint16_t> IntOrString::port() const {
  if (!is_integer()) {
    return fail(ErrorCode::invalid,
                quote(text()) + " is a port name without a number; look up the number in the ports of the containers");
  }
  if (integer() < 1 || integer() > std::numeric_limits<std::uint16_t>::max()) {
    return fail(ErrorCode::invalid, to_string() + " is not a valid port: use 1 to 65535");
  }
  return static_cast<std::uint16_t>(integer());
}

Result<IntOrString> IntOrString::from_json(json::View value) {
  if (const auto text = value.as_string()) return IntOrString(*text);
  const auto number = value.as_integer();
  if (value.type() != json::Type::integer) {
    return fail(ErrorCode::invalid, internal::expected("an integer or a string", value));
  }
  if (!number || *number < std::numeric_limits<std::int32_t>::min() ||
      *number > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::invalid, value.print() + " is not a 32-bit integer");
  }
  return IntOrString(static_cast<std::int32_t>(*number));
}

json::Value IntOrString::to_json() const {
  return is_integer() ? json::Value(integer()) : json::Value(std::string(text()));
}

json::object IntOrString::json_schema() { return {{"x-kubernetes-int-or-string", true}}; }

}  // namespace pintle
