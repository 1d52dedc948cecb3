// SPDX-License-Identifier: Apache-2.0
// Scratch: a buffer for data that is assembled piece by piece and then copied. It grows and never shrinks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

namespace pintle::json {

template <class T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Appends `more` elements and returns the first. The caller sets their values.
  T* take(std::size_t more) {
    if (room_ - size_ < more) grow(more);
    T* place = all_.get() + size_;
    size_ += more;
    return place;
  }
  void clear() noexcept { size_ = 0; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T* data() const noexcept { return all_.get(); }
  [[nodiscard]] T& operator[](std::size_t at) noexcept { return all_[at]; }
  [[nodiscard]] const T& operator[](std::size_t at) const noexcept { return all_[at]; }

 private:
  void grow(std::size_t more) {
    const std::size_t room = std::max({std::size_t{64}, 2 * room_, size_ + more});
    std::unique_ptr<T[]> larger(new T[room]);
    std::copy_n(all_.get(), size_, larger.get());
    all_ = std::move(larger);
    room_ = room;
  }

  std::unique_ptr<T[]> all_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

// Like memcpy, but without a function call for short strings, which are the most frequent.
inline void copy_text(char* to, std::string_view text) noexcept {
  const std::size_t size = text.size();
  const auto copy_ends = [&](auto part) {
    std::memcpy(&part, text.data(), sizeof part);
    std::memcpy(to, &part, sizeof part);
    std::memcpy(&part, text.data() + size - sizeof part, sizeof part);
    std::memcpy(to + size - sizeof part, &part, sizeof part);
  };
  if (size > 16) {
    std::memcpy(to, text.data(), size);
  } else if (size >= 8) {
    copy_ends(std::uint64_t{});
  } else if (size >= 4) {
    copy_ends(std::uint32_t{});
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = text[i];
  }
}

}  // namespace pintle::json
