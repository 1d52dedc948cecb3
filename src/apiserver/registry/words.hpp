// SPDX-License-Identifier: Apache-2.0
// Helpers for the texts of the table.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pintle::apiserver {

// Splits a text. An empty text has no parts.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Returns the parts before and after the first separator.
[[nodiscard]] inline std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

[[nodiscard]] inline std::vector<std::string> copies(const std::vector<std::string_view>& parts) {
  return {parts.begin(), parts.end()};
}

}  // namespace pintle::apiserver
