// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/text.hpp>

#include <algorithm>

namespace pintle {

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

bool is_visible_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string quote(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  return out.append("\"").append(text).append("\"");
}

}  // namespace pintle
