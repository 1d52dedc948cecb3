// SharedParts: the inside of a Pool.
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

namespace pintle::json {

// Remembers of lately seen texts, shapes and containers whose they were: what two objects have is worth keeping once,
// and what one object has again in its next version is not. A fixed table, where the new displaces the old.
class Sightings {
 public:
  // Whether somebody other than `owner` had it lately; notes that `owner` has it.
  [[nodiscard]] bool seen_elsewhere(std::uint64_t hash, std::uint32_t owner);
  void prefetch(std::uint64_t hash) const noexcept {
    if (size_ != 0) __builtin_prefetch(&table_[short_hash(hash) & (size_ - 1)]);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(Sighting); }

 private:
  // What is left of hash and owner; the rest of the hash is the place.
  struct Sighting {
    std::uint16_t hash = 0;
    std::uint16_t owner = 0;
  };
  static constexpr std::size_t least = 1024;
  static constexpr std::size_t most = std::size_t{1} << 16U;  // 256 KiB

  void grow();

  std::unique_ptr<Sighting[]> table_;
  std::size_t size_ = 0;
  std::size_t displaced_ = 0;  // since it last grew
};

// The keys of an object, in one place: how many, the hash of each, where each ends, and their characters.
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

// Built by one thread at a time, under the lock of the Pool, and read by all. Outlives the Pool while there are
// documents.
class SharedParts {
 public:
  SharedParts(Sharing level, std::uint64_t seed) : sharing(level), seed(seed) {}

  const Sharing sharing;
  const std::uint64_t seed;  // of every hash

  // For whoever holds a document that names it.
  [[nodiscard]] std::string_view text(std::uint32_t number) const noexcept {
    const std::span<const char> chars = texts[number];
    return {chars.data(), chars.size()};
  }

  // For the builder. What a document or a container holds is counted.
  void use(std::span<const Word> words);
  void drop(std::span<const Word> words);
  // A document was built: the parts live as long as it.
  void adopt() noexcept { ++documents_; }
  // Takes in what was released since the last time.
  void drain();
  // No builder any more; the last document takes the parts along.
  void close();

  // By whoever released the last handle, on any thread, without waiting.
  void retire(Block* block) noexcept;

  [[nodiscard]] PoolStats stats() const;

  Parts<char> texts;
  Parts<Word> shapes;
  Parts<Word> containers;
  Sightings sightings;
  std::uint32_t unnamed = 0;  // documents without a name so far

 private:
  ~SharedParts() = default;
  void left(std::size_t documents) noexcept;

  std::size_t documents_ = 0;
  std::atomic<Block*> retired_ = nullptr;
  std::atomic<std::size_t> holders_ = 0;  // once closed
};

}  // namespace pintle::json
