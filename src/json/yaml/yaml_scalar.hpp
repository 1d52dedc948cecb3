// SPDX-License-Identifier: Apache-2.0
// The meaning of plain YAML scalars in Kubernetes tools, which follow YAML 1.1 with a few additional rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::json {

// Returns the value of a scalar without quotes and tag: null, a boolean (also y, yes, on, …), a number (0x1f, 0o17,
// 017, 0b11, 1_000, 1e3) or, for everything else, a string. Error: invalid, for .nan and .inf, which JSON cannot
// represent.
[[nodiscard]] Result<Value> plain_scalar(std::string_view text);

// Returns the text of a value that is the key of a mapping; nothing for null, lists and objects.
[[nodiscard]] std::optional<std::string> key_text(const Value& value);

// Returns whether a string must be quoted, because this parser or a YAML 1.2 parser would read the plain text as
// another value.
[[nodiscard]] bool needs_quotes(std::string_view text);

}  // namespace pintle::json
