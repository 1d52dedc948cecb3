// SPDX-License-Identifier: Apache-2.0
// last_words: the end of the standard error of a program, for a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>

namespace pintle {

// Returns ": text" on one line; "" if the program has written nothing.
[[nodiscard]] inline std::string last_words(std::string_view errors) {
  constexpr std::size_t max_size = 500;
  errors = trim(errors);
  if (errors.size() > max_size) errors.remove_prefix(errors.size() - max_size);
  return errors.empty() ? "" : ": " + escape_for_terminal(errors);
}

}  // namespace pintle
