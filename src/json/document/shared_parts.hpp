// SPDX-License-Identifier: Apache-2.0
// SharedParts: the implementation of a Pool.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <pintle/json/pool.hpp>

#include "block.hpp"
#include "hash.hpp"
#include "json/text/word.hpp"
#include "parts.hpp"
#include "recent_texts.hpp"

namespace pintle::json {

// Sightings: the owners of recently read strings, shapes and containers. A value that two objects have is worth
// sharing; a value that only occurs again in the next version of the same object is not. A table of limited size, in
// which new entries replace old ones.
class Sightings {
 public:
  // Returns whether another owner had this value recently. Otherwise, records that `owner` has it.
  [[nodiscard]] bool seen_elsewhere(std::uint64_t hash, std::uint32_t owner);
  void prefetch(std::uint64_t hash) const noexcept {
    if (size_ != 0) __builtin_prefetch(&table_[short_hash(hash) & (size_ - 1)]);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(Sighting); }

 private:
  // Parts of the hash and of the owner. Other bits of the hash are the index in the table.
  struct Sighting {
    std::uint16_t hash = 0;
    std::uint16_t owner = 0;
  };
  static constexpr std::size_t least = 1024;
  static constexpr std::size_t most = std::size_t{1} << 16U;  // 256 KiB

  void grow();

  std::unique_ptr<Sighting[]> table_;
  std::size_t size_ = 0;
  std::size_t displaced_ = 0;  // entries replaced since the table last grew
};

// Shape: the keys of an object in one array of words: the number of keys, the hash of each, the end of each, and the
// characters.
class Shape {
 public:
  explicit Shape(std::span<const Word> words) noexcept : words_(words) {}

  [[nodiscard]] std::size_t size() const noexcept { return words_.front(); }
  [[nodiscard]] std::span<const Word> hashes() const noexcept { return words_.subspan(1, size()); }
  [[nodiscard]] std::string_view key(std::size_t index) const noexcept {
    const Word* ends = words_.data() + 1 + size();
    const Word begin = index == 0 ? 0 : ends[index - 1];
    return {static_cast<const char*>(static_cast<const void*>(ends + size())) + begin, ends[index] - begin};
  }

 private:
  std::span<const Word> words_;
};

// Modified by one thread at a time, under the lock of the Pool, and read by all threads. Exists until the Pool and all
// its documents are destroyed.
class SharedParts {
 public:
  SharedParts(Sharing level, std::uint64_t seed) : sharing(level), seed(seed) {}

  const Sharing sharing;
  const std::uint64_t seed;  // of all hashes

  // The caller must hold a document that refers to the string.
  [[nodiscard]] std::string_view text(std::uint32_t number) const noexcept {
    const std::span<const char> chars = texts[number];
    return {chars.data(), chars.size()};
  }

  // For builders: use() and drop() count the references in the words of a document or container. drop() erases parts
  // without references.
  void use(std::span<const Word> words);
  void drop(std::span<const Word> words);
  // Counts a new document. The shared parts exist as long as it does.
  void adopt() noexcept { ++documents_; }
  // Frees the documents released since the last call, and erases parts without references.
  void drain();
  // Called when the pool is destroyed and no builder uses it. The release of the last document then deletes this
  // object.
  void close();

  // Called after the last handle of a block was released, on any thread. Does not block.
  void retire(Block* block) noexcept;

  [[nodiscard]] PoolStats stats() const;

  Parts<char> texts;
  Parts<Word> shapes;
  Parts<Word> containers;
  Sightings sightings;
  RecentTexts recent;
  std::uint32_t unnamed = 0;  // number of documents without a name so far

 private:
  ~SharedParts() = default;
  void left(std::size_t documents) noexcept;

  std::size_t documents_ = 0;
  std::atomic<Block*> retired_ = nullptr;
  std::atomic<std::size_t> holders_ = 0;  // used after close()
};

}  // namespace pintle::json
