// SPDX-License-Identifier: Apache-2.0
// Text of values: code points, search, base64, numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pintle::cel {

// Appends a code point as UTF-8. Returns false for a number that is none.
bool append_code_point(std::string& out, std::uint32_t code_point);

// The number of code points of a text; a byte that is not part of well-formed UTF-8 counts as one.
[[nodiscard]] std::size_t count_code_points(std::string_view text) noexcept;
[[nodiscard]] bool is_well_formed_utf8(std::string_view text) noexcept;

// std::string_view::find() and rfind() in a time that is linear in the sizes of both texts.
[[nodiscard]] std::size_t find_part(std::string_view text, std::string_view part, std::size_t start = 0) noexcept;
[[nodiscard]] std::size_t find_last_part(std::string_view text, std::string_view part,
                                         std::size_t start = std::string_view::npos);

[[nodiscard]] std::string encode_base64(std::string_view data);
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

// The shortest text that represents the number, with an exponent below 1e-4 and from 1e6: "2.5", "1e+06".
[[nodiscard]] std::string format_number(double number);

}  // namespace pintle::cel
