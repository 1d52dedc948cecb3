// SPDX-License-Identifier: Apache-2.0
// Reads escape sequences and non-ASCII characters of JSON strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle::json {

struct Escape {
  std::size_t size = 0;  // in bytes; 0: more bytes are needed
  bool is_wrong = false;
};

// Reads the escape sequence or non-ASCII character at the start of `bytes` and appends its meaning to `out`.
[[nodiscard]] Escape read_escape(std::string_view bytes, std::string& out);

}  // namespace pintle::json
