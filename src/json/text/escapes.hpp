// What in a JSON text does not stand for itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle::json {

struct Escape {
  std::size_t size = 0;  // in bytes; 0 when more of it must come
  bool is_wrong = false;
};

// Reads the escape, or the character beyond ASCII, that the bytes begin with, and appends what it means.
[[nodiscard]] Escape read_escape(std::string_view bytes, std::string& out);

}  // namespace pintle::json
