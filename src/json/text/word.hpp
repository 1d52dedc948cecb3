// Word: what a compact document is made of, 32 bits a value: a tag in the low four, the rest is its payload.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pintle::json {

using Word = std::uint32_t;

enum class Tag : Word {
  literal,           // the payload is a Literal
  integer,           // the payload itself, signed
  short_text,        // up to three bytes, in the word
  text,              // where it begins among the bytes of the document: its length, then itself
  shared_text,       // its number in the pool
  signed_number,     // where its eight bytes begin
  unsigned_number,   // the same
  double_number,     // the same
  written_number,    // as text: one that none of the three holds exactly
  container,         // where its head stands among the words of the document
  shared_container,  // its number in the pool
  // Heads; the values follow.
  shape,     // of an object: the number of its shape in the pool
  key_list,  // of an object: where the head of the list of its keys stands
  count,     // of a list: how many
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

// The lowest byte of a word holds tag and length, the other three the text.
static_assert(std::endian::native == std::endian::little, "short texts are read where they stand in the word");
inline constexpr std::size_t longest_short_text = 3;
[[nodiscard]] inline Word short_text_word(std::string_view text) noexcept {
  Word chars = 0;
  if (!text.empty()) std::memcpy(&chars, text.data(), text.size());
  return chars << 8U | make_word(Tag::short_text, static_cast<Word>(text.size()));
}
[[nodiscard]] inline std::string_view short_text_in(const Word& word) noexcept {
  return {reinterpret_cast<const char*>(&word) + 1, payload_of(word) & 3U};  // NOLINT(*-reinterpret-cast)
}

// Whether a word means the same in every document of a pool.
[[nodiscard]] constexpr bool is_shareable(Word word) noexcept {
  constexpr auto bit = [](Tag tag) { return 1U << static_cast<Word>(tag); };
  constexpr unsigned shareable = bit(Tag::literal) | bit(Tag::integer) | bit(Tag::short_text) | bit(Tag::shared_text) |
                                 bit(Tag::shared_container) | bit(Tag::shape) | bit(Tag::count);
  return (shareable >> static_cast<Word>(tag_of(word)) & 1U) != 0;
}

}  // namespace pintle::json
