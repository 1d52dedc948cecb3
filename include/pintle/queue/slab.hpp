// SPDX-License-Identifier: Apache-2.0
// Slab: numbered values that never move in memory, with a few hundred values in each allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pintle::internal {

/// Thread-safety: none.
template <class T>
class Slab {
 public:
  /// Adds T{} and returns its number.
  std::uint32_t add() {
    if (!has_room()) chunks_.push_back(std::make_unique<T[]>(chunk));
    return size_++;
  }
  /// True if add() does not have to allocate.
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

}  // namespace pintle::internal
