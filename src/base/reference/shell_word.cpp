// SPDX-License-Identifier: Apache-2.0
#include "shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace pintle {
namespace {

bool is_plain_in_shell(char c) {
  constexpr std::string_view harmless = "-_./=:,@%+";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || harmless.find(c) != std::string_view::npos;
}

}  // namespace

std::string quote_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, is_plain_in_shell);
  return is_plain ? std::string(text) : quote_for_shell(text);
}

}  // namespace pintle
