// SPDX-License-Identifier: Apache-2.0
#include "line_splitter.hpp"

#include <algorithm>

namespace pintle {

bool LineSplitter::add(std::string_view bytes) {
  while (!is_ended_ && !bytes.empty()) {
    const std::size_t end = std::min({bytes.find('\n'), bytes.size(), max_line - begun_.size()});
    const std::string_view part = bytes.substr(0, end);
    const bool is_line = end < bytes.size() && bytes[end] == '\n';
    bytes.remove_prefix(is_line ? end + 1 : end);
    if (is_line || begun_.size() + part.size() == max_line) {
      pass(part);
    } else {
      begun_.append(part);
    }
  }
  return !is_ended_;
}

void LineSplitter::finish() {
  if (!is_ended_ && !begun_.empty()) pass({});
}

bool LineSplitter::pass(std::string_view rest_of_line) {
  if (begun_.empty()) {
    is_ended_ = !on_line_(rest_of_line);
  } else {
    begun_.append(rest_of_line);
    is_ended_ = !on_line_(begun_);
    begun_.clear();
  }
  return !is_ended_;
}

}  // namespace pintle
