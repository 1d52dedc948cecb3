// Slab: numbered places for values that never move, a few hundred to an allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pintle {

// Thread-safety: none.
template <class T>
class Slab {
 public:
  // A new place, with T{}, or one that was freed, with what was left in it.
  std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t place = free_.back();
      free_.pop_back();
      return place;
    }
    if (size_ == chunks_.size() * chunk) chunks_.push_back(std::make_unique<T[]>(chunk));
    return size_++;
  }
  void free(std::uint32_t place) { free_.push_back(place); }

  [[nodiscard]] T& operator[](std::uint32_t place) noexcept { return chunks_[place / chunk][place % chunk]; }
  [[nodiscard]] const T& operator[](std::uint32_t place) const noexcept {
    return chunks_[place / chunk][place % chunk];
  }
  // Places that were ever taken, freed ones among them: 0 to size() - 1.
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

  // Gives all memory back; no place may be in use.
  void release() {
    chunks_ = std::vector<std::unique_ptr<T[]>>();
    free_ = std::vector<std::uint32_t>();
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t chunk = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
};

}  // namespace pintle
