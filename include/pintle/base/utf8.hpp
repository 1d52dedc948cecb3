// Text that others take only when it is UTF-8, and not too long.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// Text cut to a size in bytes, never inside a UTF-8 sequence.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t size) noexcept;

// The text with U+FFFD in the place of each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string mended_utf8(std::string_view text);

}  // namespace pintle
