// SPDX-License-Identifier: Apache-2.0
// Words of commands that a user can copy into a shell.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// Returns the text in single quotes, for bash, zsh and every other POSIX shell.
[[nodiscard]] std::string quote_for_shell(std::string_view text);
// The same, but only if the text needs quotes.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace pintle
