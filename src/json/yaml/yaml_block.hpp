// SPDX-License-Identifier: Apache-2.0
// Block scalars ("key: |", "key: >"). libfyaml 0.7 finds their position, but returns a wrong text for some of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pintle::json {

struct YamlBlock {
  std::string text{};
  std::optional<std::size_t> indent{};  // of its lines; nothing if all are empty
};

// Reads the block whose lines are source[start, end). `read` is the text that libfyaml returned. Its first line is
// reliable and defines the indentation of the block.
[[nodiscard]] YamlBlock read_block(std::string_view source, std::size_t start, std::size_t end, bool folded,
                                   std::string_view read);

}  // namespace pintle::json
