// Block scalars ("key: |", "key: >"). libfyaml 0.7 finds where they are, but gets the text of some wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pintle::json {

struct YamlBlock {
  std::string text{};
  std::optional<std::size_t> indent{};  // of its lines; none where all are empty
};

// Reads the block whose lines are source[start, end). `read` is what libfyaml made of it; its first line can be
// trusted, and tells how far the block is indented.
[[nodiscard]] YamlBlock read_block(std::string_view source, std::size_t start, std::size_t end, bool folded,
                                   std::string_view read);

}  // namespace pintle::json
