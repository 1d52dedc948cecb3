// json::Value: a JSON document to build and change. For one to keep and read, see json::Document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include <pintle/base/result.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::json {

// Value, object and array are Boost.JSON's (fwd.hpp). A list of two-string lists in a literal becomes an object;
// json::array says otherwise.

// How deep lists and objects may nest; deeper is an error.
inline constexpr std::size_t max_depth = 200;

// Whether two values say the same: 1 equals 1.0, and the order of members does not matter. Prefer it to ==, which
// copies the members that it compares.
[[nodiscard]] bool equal(const Value& a, const Value& b) noexcept;

// Parses a whole text. Error: invalid, with the offset of the fault.
[[nodiscard]] Result<Value> parse(std::string_view text);

// Compact text, members in their order.
[[nodiscard]] std::string print(const Value& value);
// A text in quotes, behind what is there.
void print_to(std::string& out, std::string_view text);
// Indented by two spaces.
[[nodiscard]] std::string print_pretty(const Value& value);

// Reads one YAML 1.2 document with the scalar rules that Kubernetes tools keep; JSON is YAML. Error: invalid, with line
// and column.
[[nodiscard]] Result<Value> parse_yaml(std::string_view text);
// Reads a stream of documents; empty ones are left out.
[[nodiscard]] Result<array> parse_yaml_stream(std::string_view text);
// Block style, two spaces, strings quoted where a YAML 1.1 or 1.2 reader would take them for something else.
[[nodiscard]] std::string print_yaml(const Value& value);

}  // namespace pintle::json
