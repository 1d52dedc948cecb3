// SPDX-License-Identifier: Apache-2.0
// PassedTexts: the text of objects and lists that a projection dropped, to skip it without parsing when it occurs
// again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include <pintle/base/hash.hpp>

namespace pintle::json {

// Dropped objects are usually equal, byte by byte, to those of the previous object, for example the managed fields of
// the same managers. A text that was valid once is valid again and ends at the same byte. Uses at most 128 KiB. Not
// thread-safe.
class PassedTexts {
 public:
  // Returns the size of the stored text with which `bytes` begins; 0 if there is none. Uses only texts that were stored
  // at this depth or deeper, so that the limit on the depth holds.
  [[nodiscard]] std::size_t size_at(std::string_view bytes, std::size_t depth) noexcept {
    for (auto one = texts_.begin(); one != texts_.end(); ++one) {
      const std::size_t size = one->text.size();
      if (size == 0 || size > bytes.size() || depth > one->depth) continue;
      // Compares the ends first, because many texts have the same beginning.
      const std::size_t last = size - sizeof(std::uint64_t);
      if (load_unaligned<std::uint64_t>(bytes.data() + last) != load_unaligned<std::uint64_t>(one->text.data() + last))
        continue;
      if (std::memcmp(bytes.data(), one->text.data(), last) != 0) continue;
      std::rotate(texts_.begin(), one, one + 1);
      return size;
    }
    return 0;
  }
  // Replaces the least recently used text.
  void add(std::string_view text, std::size_t depth) {
    if (text.size() < least || text.size() > most) return;
    std::rotate(texts_.begin(), texts_.end() - 1, texts_.end());
    texts_.front().text = text;
    texts_.front().depth = depth;
  }

 private:
  struct Passed {
    std::string text{};
    std::size_t depth = 0;  // number of open containers around it
  };
  static constexpr std::size_t least = 64;
  static constexpr std::size_t most = std::size_t{8} << 10U;

  std::array<Passed, 8> texts_;  // last used first
};

}  // namespace pintle::json
