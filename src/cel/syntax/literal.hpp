// SPDX-License-Identifier: Apache-2.0
// The values of literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// Returns the value of a string or bytes token, with its prefix and quotes. Error: invalid; the message is that of CEL.
[[nodiscard]] Result<Value> read_string(std::string_view token, bool is_bytes);

// Return the value of a number token, or nothing if it is out of range. `negative` is the sign before the token.
[[nodiscard]] std::optional<std::int64_t> read_integer(std::string_view token, bool negative);
[[nodiscard]] std::optional<std::uint64_t> read_unsigned(std::string_view token);
[[nodiscard]] std::optional<double> read_number(std::string_view token, bool negative);

}  // namespace pintle::cel
