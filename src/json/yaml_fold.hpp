// Folded block scalars ("key: >"), which libfyaml 0.7 gets wrong where an empty line comes before an indented one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle::json {

// The text of the folded block whose lines are source[start, end). `read` is what libfyaml made of it; its beginning can be
// trusted, and tells how far the block is indented.
[[nodiscard]] std::string fold_block(std::string_view source, std::size_t start, std::size_t end, std::string_view read);

}  // namespace pintle::json
