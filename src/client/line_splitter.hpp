// SPDX-License-Identifier: Apache-2.0
// LineSplitter: splits a text that arrives in pieces into lines.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace pintle {

// Not thread-safe.
class LineSplitter {
 public:
  // `on_line` must outlive the splitter.
  explicit LineSplitter(const std::function<bool(std::string_view)>& on_line) : on_line_(on_line) {}

  // Passes on each complete line. Returns false if `on_line` did.
  bool add(std::string_view bytes);
  // Passes on a last line without a line break.
  void finish();

 private:
  static constexpr std::size_t max_line = std::size_t{64} << 10U;  // bytes; a longer line is passed in pieces

  bool pass(std::string_view rest_of_line);

  const std::function<bool(std::string_view)>& on_line_;
  std::string begun_;  // the line that is not complete
  bool is_ended_ = false;
};

}  // namespace pintle
