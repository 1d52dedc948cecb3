// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901) for values: find, set and erase.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

/// Escapes and unescapes "~" and "/" in one reference token of a pointer.
[[nodiscard]] PINTLE_EXPORT std::string escape_token(std::string_view token);
[[nodiscard]] PINTLE_EXPORT std::string unescape_token(std::string_view token);
/// Splits a pointer into unescaped tokens: "/metadata/labels/a~1b" → {"metadata", "labels", "a/b"}, "" → {}. Error:
/// invalid, if a non-empty pointer does not start with "/".
[[nodiscard]] PINTLE_EXPORT Result<std::vector<std::string>> split_pointer(std::string_view pointer);

/// Returns the value at a pointer, or null if it does not exist or the pointer is malformed. "" is the whole value.
[[nodiscard]] PINTLE_EXPORT const Value* find(const Value& value, std::string_view pointer) noexcept;
[[nodiscard]] PINTLE_EXPORT Value* find(Value& value, std::string_view pointer) noexcept;

/// Sets the value at a pointer. Missing values and nulls on the way become objects. In an array, an index equal to its
/// size, or "-", appends an element. Error: invalid, if the pointer is malformed, or if a value on the way is a
/// primitive, or an array without this index.
[[nodiscard]] PINTLE_EXPORT Result<void> set(Value& value, std::string_view pointer, Value what);
/// Removes a member or an element. Returns whether it existed.
PINTLE_EXPORT bool erase(Value& value, std::string_view pointer);

}  // namespace pintle::json
