// SPDX-License-Identifier: Apache-2.0
#include "text_out.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/json_escape.hpp"

namespace pintle::json {
namespace {

constexpr std::uint64_t each_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// Sets the high bit of each of eight bytes that needs an escape in a JSON string. Only the lowest of these bits is
// reliable: bytes above it may be marked by mistake.
constexpr std::uint64_t marks_special(std::uint64_t bytes) {
  const std::uint64_t below_space = bytes - each_byte(' ');
  const std::uint64_t quote = (bytes ^ each_byte('"')) - each_byte(1);
  const std::uint64_t backslash = (bytes ^ each_byte('\\')) - each_byte(1);
  return (below_space | quote | backslash) & ~bytes & each_byte(0x80);
}
constexpr bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

static_assert(std::endian::native == std::endian::little, "first_mark() requires a little-endian machine");
constexpr std::size_t first_mark(std::uint64_t marks) { return static_cast<std::size_t>(std::countr_zero(marks)) / 8; }

// Copies eight bytes and returns their marks_special().
std::uint64_t copy_eight(char* to, const char* from) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, from, sizeof bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  return marks_special(bytes);
}

std::size_t copy_plain_bytes(char* to, std::string_view text) {
  std::size_t at = 0;
  for (; at < text.size() && is_plain(text[at]); ++at) to[at] = text[at];
  return at;
}

// Copies a text up to the first character that needs an escape, and returns the number of characters before it. The
// rest of the destination, up to the length of the text, may be overwritten.
inline std::size_t copy_plain(char* to, std::string_view text) {
  constexpr std::size_t eight = sizeof(std::uint64_t);
  if (text.size() < eight) return copy_plain_bytes(to, text);
  std::size_t at = 0;
  for (; at + eight <= text.size(); at += eight) {
    if (const auto marks = copy_eight(to + at, text.data() + at); marks != 0) return at + first_mark(marks);
  }
  at = text.size() - eight;  // overlaps the previous step
  const auto marks = copy_eight(to + at, text.data() + at);
  return marks != 0 ? at + first_mark(marks) : text.size();
}

}  // namespace

void TextOut::put_quoted(std::string_view text, char next) {
  if (text.size() > max_piece_size) return put_escaped(text, next);
  char* to = room(text.size() + 3);
  const std::size_t plain = copy_plain(to + 1, text);
  if (plain != text.size()) return put_escaped(text, next);
  to[0] = '"';
  to[plain + 1] = '"';
  to[plain + 2] = next;
  size_ += plain + 3;
}

void TextOut::put_escaped(std::string_view text, char next) {
  put('"');
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, max_piece_size);
    const std::size_t plain = copy_plain(room(piece.size()), piece);
    size_ += plain;
    text.remove_prefix(plain);
    if (plain == piece.size()) continue;
    put(JsonEscape(static_cast<unsigned char>(text.front())).text());
    text.remove_prefix(1);
  }
  put('"');
  put(next);
}

}  // namespace pintle::json
