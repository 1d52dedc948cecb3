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
  // A new place, with T{}.
  std::uint32_t add() {
    if (!has_room()) chunks_.push_back(std::make_unique<T[]>(chunk));
    return size_++;
  }
  // Whether add() needs no memory.
  [[nodiscard]] bool has_room() const noexcept { return size_ != chunks_.size() * chunk; }

  [[nodiscard]] T& operator[](std::uint32_t place) noexcept { return chunks_[place / chunk][place % chunk]; }
  [[nodiscard]] const T& operator[](std::uint32_t place) const noexcept {
    return chunks_[place / chunk][place % chunk];
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

 private:
  static constexpr std::uint32_t chunk = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace pintle
