// PassedTexts: objects and lists that were read for nothing, to pass over them when they come again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include <pintle/base/hash.hpp>

namespace pintle::json {

// Objects that are left out are mostly those of the object before, byte by byte: fields of the same managers. What was
// valid once is valid again, and ends where it ended. Holds 128 KiB at most. Thread-safety: none.
class PassedTexts {
 public:
  // How long the one is that begins here, or 0. As deep as it was, or less.
  [[nodiscard]] std::size_t size_at(std::string_view bytes, std::size_t depth) noexcept {
    for (auto one = texts_.begin(); one != texts_.end(); ++one) {
      const std::size_t size = one->text.size();
      if (size == 0 || size > bytes.size() || depth > one->depth) continue;
      // The ends first: many begin alike.
      const std::size_t last = size - sizeof(std::uint64_t);
      if (bytes_as<std::uint64_t>(bytes.data() + last) != bytes_as<std::uint64_t>(one->text.data() + last)) continue;
      if (std::memcmp(bytes.data(), one->text.data(), last) != 0) continue;
      std::rotate(texts_.begin(), one, one + 1);
      return size;
    }
    return 0;
  }
  // In the place of the one that was not met for longest.
  void add(std::string_view text, std::size_t depth) {
    if (text.size() < least || text.size() > most) return;
    std::rotate(texts_.begin(), texts_.end() - 1, texts_.end());
    texts_.front().text = text;
    texts_.front().depth = depth;
  }

 private:
  struct Passed {
    std::string text{};
    std::size_t depth = 0;  // how many were open around it
  };
  static constexpr std::size_t least = 64;
  static constexpr std::size_t most = std::size_t{8} << 10U;

  std::array<Passed, 8> texts_;  // the latest first
};

}  // namespace pintle::json
