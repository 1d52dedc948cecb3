// SPDX-License-Identifier: Apache-2.0
// Parts: numbered storage for the parts that the documents of a pool share. Each part is stored once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <pintle/base/slot_index.hpp>

#include "json/text/word.hpp"

namespace pintle::json {

// The header of a part. The content follows it in memory: the characters of a string, or the words of a shape or
// container.
template <class Unit>
struct Part {
  std::uint32_t users = 0;  // number of words that refer to it; the other members never change
  std::uint32_t hash = 0;
  std::uint32_t size = 0;

  [[nodiscard]] std::span<const Unit> content() const noexcept {
    return {static_cast<const Unit*>(static_cast<const void*>(this + 1)), size};
  }
};

// A number is valid until its part is erased, and parts do not move. Thread-safety: one thread at a time may add and
// erase. Meanwhile, other threads may read parts whose numbers they have received.
template <class Unit>
class Parts {
 public:
  static constexpr std::uint32_t none = internal::SlotIndex::no_slot;

  [[nodiscard]] std::span<const Unit> operator[](std::uint32_t number) const noexcept {
    return place(number)->content();
  }
  [[nodiscard]] std::size_t size() const noexcept { return index_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // The number of parts erased so far. While it does not change, each number refers to the same part.
  [[nodiscard]] std::uint64_t erased() const noexcept { return erased_; }

  template <class IsIt>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, IsIt is_it) const {
    return index_.find(hash, [&](std::uint32_t number) { return is_it((*this)[number]); });
  }
  void prefetch(std::uint32_t hash) const noexcept { index_.prefetch(hash); }
  [[nodiscard]] bool has_room() const noexcept { return !free_.empty() || next_ < largest_payload; }
  // Precondition: has_room().
  std::uint32_t add(std::uint32_t hash, std::span<const Unit> content) {
    Owned part(new (::operator new(bytes_of(content.size())))
                   Part<Unit>{0, hash, static_cast<std::uint32_t>(content.size())});
    std::copy(content.begin(), content.end(), const_cast<Unit*>(part->content().data()));  // NOLINT(*-const-cast)
    const std::uint32_t number = take_number();
    bytes_ += bytes_of(content.size());
    place(number) = std::move(part);
    index_.insert(hash, number);
    return number;
  }
  void use(std::uint32_t number) noexcept { ++place(number)->users; }
  // Returns whether this was the last user. The caller must then erase the part.
  [[nodiscard]] bool drop(std::uint32_t number) noexcept { return --place(number)->users == 0; }
  void erase(std::uint32_t number) {
    Owned& part = place(number);
    index_.erase(part->hash, number);
    bytes_ -= bytes_of(part->size);
    part.reset();
    ++erased_;
    free_.push_back(number);
  }

 private:
  struct Freeing {
    void operator()(Part<Unit>* part) const noexcept { ::operator delete(part); }
  };
  using Owned = std::unique_ptr<Part<Unit>, Freeing>;

  [[nodiscard]] static std::size_t bytes_of(std::size_t size) noexcept {
    return sizeof(Part<Unit>) + size * sizeof(Unit);
  }

  std::uint32_t take_number() {
    if (!free_.empty()) {
      const std::uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    auto& chunk = chunks_[chunk_of(next_)];
    if (!chunk) chunk = std::make_unique<Owned[]>(std::size_t{first_chunk} << chunk_of(next_));
    return next_++;
  }

  // Each chunk is twice as long as the previous one. Chunks do not move.
  static constexpr std::uint32_t first_chunk = 64;
  [[nodiscard]] static unsigned chunk_of(std::uint32_t number) noexcept {
    return static_cast<unsigned>(std::bit_width(number + first_chunk) - std::bit_width(first_chunk));
  }
  [[nodiscard]] Owned& place(std::uint32_t number) const noexcept {
    const unsigned chunk = chunk_of(number);
    return chunks_[chunk][number + first_chunk - (first_chunk << chunk)];
  }

  std::array<std::unique_ptr<Owned[]>, 24> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;
  internal::SlotIndex index_;
  std::size_t bytes_ = 0;
  std::uint64_t erased_ = 0;
};

}  // namespace pintle::json
