// SPDX-License-Identifier: Apache-2.0
// json::Value: a JSON document that can be changed. To store and read documents, use json::Document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::json {

// Value, object and array are the types of Boost.JSON (see fwd.hpp). A literal such as {{"a", "b"}, {"c", "d"}} becomes
// an object; write json::array{…} for an array of arrays.

/// The maximum nesting depth of arrays and objects; deeper nesting is an error.
inline constexpr std::size_t max_depth = 200;

/// Compares by value: 1 equals 1.0, and the order of members does not matter. Prefer it to ==, which copies the members
/// that it compares.
[[nodiscard]] PINTLE_EXPORT bool equal(const Value& a, const Value& b) noexcept;

/// Parses a complete text. Error: invalid, with the byte offset of the error.
[[nodiscard]] PINTLE_EXPORT Result<Value> parse(std::string_view text);

/// Prints compact text. Members keep their order.
[[nodiscard]] PINTLE_EXPORT std::string print(const Value& value);
/// Appends a string to `out`, in quotes and escaped.
PINTLE_EXPORT void print_to(std::string& out, std::string_view text);
/// Prints with an indentation of two spaces.
[[nodiscard]] PINTLE_EXPORT std::string print_pretty(const Value& value);

/// Parses one YAML 1.2 document, with the rules for scalars that Kubernetes tools use. JSON is valid YAML. Error:
/// invalid, with line and column.
[[nodiscard]] PINTLE_EXPORT Result<Value> parse_yaml(std::string_view text);
/// Parses a stream of documents. Empty documents are omitted.
[[nodiscard]] PINTLE_EXPORT Result<array> parse_yaml_stream(std::string_view text);
/// Prints block style with an indentation of two spaces. Strings are quoted where a YAML 1.1 or 1.2 parser would read
/// another type.
[[nodiscard]] PINTLE_EXPORT std::string print_yaml(const Value& value);

}  // namespace pintle::json
