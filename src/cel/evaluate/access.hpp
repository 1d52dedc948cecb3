// SPDX-License-Identifier: Apache-2.0
// Reads members and elements: `a.b`, `a[b]`, `a.?b`, `a[?b]` and has(a.b).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// The member or element of a value by its key. In an optional, the result is optional. Error: invalid, for a missing
// key (any key of a value without members), and an index out of bounds or of a wrong type.
[[nodiscard]] Result<Value> read_key(const Value& operand, const Value& key);
// The same as an optional; a missing key is no error.
[[nodiscard]] Result<Value> read_optional_key(const Value& operand, const Value& key);
// The text of a key in errors.
[[nodiscard]] std::string describe_key(const Value& key);
// Whether the member exists.
[[nodiscard]] Result<bool> has_key(const Value& operand, std::string_view name);

}  // namespace pintle::cel
