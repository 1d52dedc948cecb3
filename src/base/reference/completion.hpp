// SPDX-License-Identifier: Apache-2.0
// Functions that the completions of the three shells share.
#pragma once

#include <functional>

#include "base/reference/command_reference.hpp"

namespace pintle {

// Calls `visit` for the program and each of its commands, with the words that select the command: "pintle gen types".
void for_each_command(const CommandReference& program,
                      const std::function<void(const std::string& path, const CommandReference& command)>& visit);

// Returns "pintle_gen" for "pintle-gen": a valid part of the name of a shell function.
[[nodiscard]] std::string identifier_of(std::string_view name);

[[nodiscard]] std::string first_line(std::string_view text);

// Returns "--log-level", and for a switch also "--no-…" and for a short name "-h".
[[nodiscard]] std::vector<std::string> spellings_of(const OptionReference& option);

[[nodiscard]] bool is_file(std::string_view value);
[[nodiscard]] bool is_folder(std::string_view value);

[[nodiscard]] std::string print_bash_completion(const CommandReference& program);
[[nodiscard]] std::string print_zsh_completion(const CommandReference& program);
[[nodiscard]] std::string print_fish_completion(const CommandReference& program);

}  // namespace pintle
