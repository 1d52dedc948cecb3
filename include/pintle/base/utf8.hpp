// SPDX-License-Identifier: Apache-2.0
// UTF-8: length of sequences, truncation, and replacement of malformed bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns the size in bytes of the well-formed sequence at the start of the text, or 0 if the start is malformed. The
/// text must not be empty.
[[nodiscard]] PINTLE_EXPORT std::size_t utf8_length(std::string_view text) noexcept;

/// Returns the text, cut to at most `size` bytes, but never inside a UTF-8 sequence.
[[nodiscard]] PINTLE_EXPORT std::string_view truncate_utf8(std::string_view text, std::size_t size) noexcept;

/// Returns the text with U+FFFD instead of each byte that is not part of well-formed UTF-8.
[[nodiscard]] PINTLE_EXPORT std::string sanitize_utf8(std::string_view text);
/// The same in place. A well-formed text is not modified.
PINTLE_EXPORT void sanitize_utf8_in_place(std::string& text);

}  // namespace pintle
