// SPDX-License-Identifier: Apache-2.0
// Block: the single allocation that contains a document.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>

#include "json/text/word.hpp"

namespace pintle::json {

class SharedParts;

// Contains a reference count, the words (the last one is the root) and the bytes of strings and large numbers.
// Immutable except for the count.
class Block {
 public:
  // The new block has one handle.
  [[nodiscard]] static Block* make(std::span<const Word> words, std::string_view bytes, SharedParts* parts);

  void acquire() const noexcept { handles_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (handles_.fetch_sub(1, std::memory_order_acq_rel) == 1) let_go();
  }

  [[nodiscard]] std::span<const Word> words() const noexcept { return {first_word(), word_count_}; }
  [[nodiscard]] const Word* root() const noexcept { return first_word() + word_count_ - 1; }
  [[nodiscard]] const Word* word(std::uint32_t at) const noexcept { return first_word() + at; }
  [[nodiscard]] const char* bytes(std::uint32_t at) const noexcept {
    return static_cast<const char*>(static_cast<const void*>(first_word() + word_count_)) + at;
  }
  [[nodiscard]] const SharedParts* parts() const noexcept { return parts_; }  // null: self-contained
  [[nodiscard]] std::size_t size() const noexcept { return first_place + word_count_ * sizeof(Word) + byte_count_; }

 private:
  friend class SharedParts;

  Block(std::uint32_t words, std::uint32_t bytes, SharedParts* parts) noexcept
      : parts_(parts), word_count_(words), byte_count_(bytes) {}
  ~Block() = default;
  static void free(Block* block) noexcept {
    block->~Block();
    ::operator delete(block);
  }
  void let_go() const noexcept;

  [[nodiscard]] const Word* first_word() const noexcept {
    const auto* const memory = static_cast<const char*>(static_cast<const void*>(this));
    return static_cast<const Word*>(static_cast<const void*>(memory + first_place));
  }

  union {
    SharedParts* parts_;
    Block* next_retired_;  // used when no handle is left
  };
  mutable std::atomic<std::uint32_t> handles_ = 1;
  std::uint32_t word_count_;
  std::uint32_t byte_count_;
  // The first word uses the padding of the struct. Each document has at least one word.
  [[maybe_unused]] Word first_word_ = 0;
  static constexpr std::size_t first_place = sizeof(void*) + 3 * sizeof(std::uint32_t);
};

// Reads a string from the bytes of a document: the length, seven bits in each byte with the lowest bits first, then the
// characters.
[[nodiscard]] inline std::string_view text_at(const char* at) noexcept {
  std::size_t length = 0;
  unsigned shift = 0;
  auto byte = static_cast<unsigned char>(*at++);
  for (; byte >= 0x80U; byte = static_cast<unsigned char>(*at++), shift += 7) length |= (byte & 0x7fU) << shift;
  length |= static_cast<std::size_t>(byte) << shift;
  return {at, length};
}

}  // namespace pintle::json
