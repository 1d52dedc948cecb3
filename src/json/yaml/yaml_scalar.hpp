// What a plain YAML scalar means to Kubernetes tools, which read it by the rules of YAML 1.1 with a few of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::json {

// The value of a scalar without quotes and tag: null, a boolean (also y, yes, on, …), a number (0x1f, 0o17, 017, 0b11,
// 1_000, 1e3) or, for everything else, a string. Error: invalid for .nan and .inf, which JSON does not have.
[[nodiscard]] Result<Value> plain_scalar(std::string_view text);

// A value as the key of a mapping; none for null, lists and objects.
[[nodiscard]] std::optional<std::string> key_text(const Value& value);

// Whether a string must be quoted, because this reader, or a YAML 1.2 one, would take the bare text for something else.
[[nodiscard]] bool needs_quotes(std::string_view text);

}  // namespace pintle::json
