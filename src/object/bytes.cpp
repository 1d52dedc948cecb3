// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/bytes.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return table;
}();

tl::unexpected<Error> not_base64() { return fail(ErrorCode::invalid, "not valid base64"); }

}  // namespace

Result<Bytes> Bytes::from_base64(std::string_view text) {
  std::string letters(text);
  std::erase_if(letters, [](char c) { return c == '\n' || c == '\r'; });
  if (letters.size() % 4 != 0) return not_base64();
  if (letters.ends_with('=')) letters.pop_back();
  if (letters.ends_with('=')) letters.pop_back();

  Bytes bytes;
  bytes.data.reserve(letters.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char letter : letters) {
    const std::uint8_t digit = digits[static_cast<unsigned char>(letter)];
    if (digit == no_digit) return not_base64();
    group = group << 6U | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.data += static_cast<char>(group >> bits & 0xffU);
  }
  return bytes;
}

std::string Bytes::to_base64() const {
  std::string text;
  text.reserve((data.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < data.size(); at += 3) {
    const std::size_t length = std::min<std::size_t>(3, data.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < length ? static_cast<unsigned char>(data[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) text += i <= length ? alphabet[group >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

}  // namespace pintle
