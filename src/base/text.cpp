#include <pintle/base/text.hpp>

#include <algorithm>

namespace pintle {

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string quote(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  return out.append("\"").append(text).append("\"");
}

}  // namespace pintle
