// SPDX-License-Identifier: Apache-2.0
// IntOrString: an integer or a string, such as a port or maxUnavailable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle {

/// Converts from both: `.target_port = 8080`, `.target_port = "http"`, `.max_unavailable = "25%"`. The initial value is
/// 0. A plain value.
class PINTLE_EXPORT IntOrString {
 public:
  IntOrString() = default;
  IntOrString(std::int32_t number) : number_(number) {}                          // NOLINT(google-explicit-constructor)
  IntOrString(std::string text) : is_integer_(false), text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  IntOrString(std::string_view text) : IntOrString(std::string(text)) {}         // NOLINT(google-explicit-constructor)
  IntOrString(const char* text) : IntOrString(std::string(text)) {}              // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_integer() const noexcept { return is_integer_; }
  /// Returns the integer, or 0 if the value is a string.
  [[nodiscard]] std::int32_t integer() const noexcept { return number_; }
  /// Returns the string, or "" if the value is an integer.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string to_string() const;  ///< "8080", "http"

  enum class Round { down, up };
  /// Returns the integer. For a string such as "25%", returns that percentage of `total`, rounded as `round` states.
  /// Error: invalid, if the string is not a percentage, or if the result does not fit into int32.
  [[nodiscard]] Result<std::int32_t> scaled_value(std::int32_t total, Round round) const;

  /// Returns the integer as a port number. Error: invalid, if the value is a number outside 1 to 65535 or a string. A
  /// string is the name of a port of a container, and only the Pod defines its number.
  [[nodiscard]] Result<std::uint16_t> port() const;

  /// Error: invalid, if the value is neither a 32-bit integer nor a string.
  [[nodiscard]] static Result<IntOrString> from_json(json::View value);
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static json::object json_schema();

  friend bool operator==(const IntOrString&, const IntOrString&) = default;

 private:
  // Not a std::variant, which would add more compile time to the headers of built-in kinds than all other value types
  // together.
  bool is_integer_ = true;
  std::int32_t number_ = 0;
  std::string text_{};
};

}  // namespace pintle
