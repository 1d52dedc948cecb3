// SPDX-License-Identifier: Apache-2.0
// Word: the unit of an encoded document, 32 bits for each value: a tag in the low four bits, and a payload in the
// others.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pintle::json {

using Word = std::uint32_t;

enum class Tag : Word {
  literal,           // the payload is a Literal
  integer,           // the payload is the number, signed
  short_text,        // up to three bytes within the word
  text,              // offset in the bytes of the document: the length, then the characters
  shared_text,       // number of the string in the pool
  signed_number,     // offset of its eight bytes in the bytes of the document
  unsigned_number,   // the same
  double_number,     // the same
  written_number,    // like text: a number that none of the three represents exactly
  container,         // index of its head in the words of the document
  shared_container,  // number of the container in the pool
  // Heads of containers. The words of the values follow the head.
  shape,     // object: number of its shape in the pool
  key_list,  // object: index of the head of its list of keys
  count,     // array, or list of keys: number of elements
};

enum class Literal : Word { null, no, yes, empty_object, empty_array };

inline constexpr unsigned tag_bits = 4;
inline constexpr Word largest_payload = ~Word{0} >> tag_bits;

[[nodiscard]] constexpr Word make_word(Tag tag, Word payload) noexcept {
  return payload << tag_bits | static_cast<Word>(tag);
}
[[nodiscard]] constexpr Word make_word(Literal literal) noexcept {
  return make_word(Tag::literal, static_cast<Word>(literal));
}
[[nodiscard]] constexpr Tag tag_of(Word word) noexcept { return static_cast<Tag>(word & ((1U << tag_bits) - 1)); }
[[nodiscard]] constexpr Word payload_of(Word word) noexcept { return word >> tag_bits; }

[[nodiscard]] constexpr bool fits_word(std::int64_t number) noexcept {
  constexpr std::int64_t limit = std::int64_t{1} << (31U - tag_bits);
  return number >= -limit && number < limit;
}
[[nodiscard]] constexpr Word integer_word(std::int64_t number) noexcept {
  return make_word(Tag::integer, static_cast<Word>(number));
}
[[nodiscard]] constexpr std::int32_t integer_in(Word word) noexcept {
  return static_cast<std::int32_t>(word) >> tag_bits;
}

// In the word of a short string, the lowest byte contains tag and length, and the other three bytes contain the
// characters.
static_assert(std::endian::native == std::endian::little, "short_text_in() requires a little-endian machine");
inline constexpr std::size_t max_short_text_length = 3;
[[nodiscard]] inline Word short_text_word(std::string_view text) noexcept {
  Word chars = 0;
  if (!text.empty()) std::memcpy(&chars, text.data(), text.size());
  return chars << 8U | make_word(Tag::short_text, static_cast<Word>(text.size()));
}
[[nodiscard]] inline std::string_view short_text_in(const Word& word) noexcept {
  return {reinterpret_cast<const char*>(&word) + 1, payload_of(word) & 3U};  // NOLINT(*-reinterpret-cast)
}

// Returns whether a word has the same meaning in every document of a pool.
[[nodiscard]] constexpr bool is_shareable(Word word) noexcept {
  constexpr auto bit = [](Tag tag) { return 1U << static_cast<Word>(tag); };
  constexpr unsigned shareable = bit(Tag::literal) | bit(Tag::integer) | bit(Tag::short_text) | bit(Tag::shared_text) |
                                 bit(Tag::shared_container) | bit(Tag::shape) | bit(Tag::count);
  return (shareable >> static_cast<Word>(tag_of(word)) & 1U) != 0;
}

}  // namespace pintle::json
