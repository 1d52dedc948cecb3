// SPDX-License-Identifier: Apache-2.0
#include "cel.hpp"

#include <algorithm>
#include <iterator>

namespace pintle {

std::string cel_name(std::string_view name) {
  static constexpr std::string_view words[] = {
      "true", "false",  "null", "in",   "as",      "break",     "const",  "continue", "else", "for",  "function",
      "if",   "import", "let",  "loop", "package", "namespace", "return", "var",      "void", "while"};
  if (std::find(std::begin(words), std::end(words), name) != std::end(words)) return "__" + std::string(name) + "__";
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i, 2) == "__") {
      out += "__underscores__";
      ++i;
    } else if (name[i] == '.') {
      out += "__dot__";
    } else if (name[i] == '-') {
      out += "__dash__";
    } else if (name[i] == '/') {
      out += "__slash__";
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string cel_stays(std::string_view cel_name) {
  return "!has(oldSelf." + std::string(cel_name) + ") || has(self." + std::string(cel_name) + ")";
}

}  // namespace pintle
