// SPDX-License-Identifier: Apache-2.0
// String functions for names, headers and settings: ASCII only, independent of the locale.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns the text with A to Z in lower case; all other bytes stay the same.
[[nodiscard]] PINTLE_EXPORT std::string to_lower_ascii(std::string_view text);

/// Returns the text without spaces, tabs and line breaks at both ends.
[[nodiscard]] PINTLE_EXPORT std::string_view trim(std::string_view text) noexcept;

/// Returns whether each byte is a visible ASCII character, from "!" to "~".
[[nodiscard]] PINTLE_EXPORT bool is_visible_ascii(std::string_view text) noexcept;

/// Returns the text in double quotes, without escaping, for messages.
[[nodiscard]] PINTLE_EXPORT std::string quote(std::string_view text);

}  // namespace pintle
