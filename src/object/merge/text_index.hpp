// SPDX-License-Identifier: Apache-2.0
// TextIndex: finds texts in a list. A short list is searched; a long one has a hash table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pintle {

// The list must outlive it and must not change.
class TextIndex {
 public:
  // Lists up to this size are faster without a table.
  static constexpr std::size_t few = 16;

  explicit TextIndex(const std::vector<std::string>& texts) : texts_(texts) {
    if (texts.size() <= few) return;
    places_.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) places_.emplace(texts[i], i);  // keeps the first of equal texts
  }

  // Returns the index of the first text that is equal.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view text) const {
    if (texts_.size() > few) {
      const auto found = places_.find(text);
      return found == places_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    if (found == texts_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - texts_.begin());
  }

  [[nodiscard]] bool has_equal_texts() const {
    if (texts_.size() > few) return places_.size() != texts_.size();
    for (auto text = texts_.begin(); text != texts_.end(); ++text) {
      if (std::find(texts_.begin(), text, *text) != text) return true;
    }
    return false;
  }

 private:
  const std::vector<std::string>& texts_;
  std::unordered_map<std::string_view, std::size_t> places_{};
};

}  // namespace pintle
