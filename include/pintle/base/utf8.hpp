// Text that others take only when it is UTF-8, and not too long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle {

// How many bytes the well-formed sequence takes that a text begins with; 0 where it is none. The text must not be
// empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

// Text cut to a size in bytes, never inside a UTF-8 sequence.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t size) noexcept;

// The text with U+FFFD in the place of each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string mended_utf8(std::string_view text);
// The same in place. A text that is well-formed stays as it is.
void mend_utf8(std::string& text);

}  // namespace pintle
