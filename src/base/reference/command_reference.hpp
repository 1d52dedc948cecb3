// SPDX-License-Identifier: Apache-2.0
// CommandReference: the options and commands of a program as data. Shell completions and man pages are printed from it,
// so they contain the same options as --help.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pintle {

struct OptionReference {
  std::string name{};                  // "log-level"; empty if there is only a short name
  char short_name = '\0';              // 'h'; '\0': none
  std::string value{};                 // the placeholder of the value, such as FILE or DIR; empty for a switch
  std::vector<std::string> choices{};  // the valid values; empty: other values are valid too
  bool is_negatable = false;           // --no-NAME exists too
  std::string help{};                  // the first line is used where space is limited
  std::string variable{};              // the environment variable that sets the option; empty: none
  std::string initial{};               // the default; empty: not shown
};

struct OptionGroupReference {
  std::string title{};
  std::vector<OptionReference> options{};
};

struct ArgumentReference {
  std::string value{};  // the placeholder, such as FILE
  std::vector<std::string> choices{};
  std::string help{};
  bool is_required = false;
  bool is_repeatable = false;
};

struct CommandReference {
  std::string name{};     // one word; for the program itself the name of its file
  std::string summary{};  // one sentence
  std::vector<OptionGroupReference> groups{};
  std::vector<ArgumentReference> arguments{};
  std::vector<CommandReference> commands{};

  // Only for the program itself, and only for its man page.
  std::string version{};                                  // "pintle 0.1.0"
  std::string description{};                              // paragraphs, separated by empty lines
  std::vector<std::pair<int, std::string>> exit_codes{};  // with their meaning
};

enum class Shell { bash, zsh, fish };

// Returns a script that the shell reads to complete the arguments of the program.
[[nodiscard]] std::string print_completion(const CommandReference& program, Shell shell);

// Returns the man page of the program in section 1, as roff with the macros of man(7).
[[nodiscard]] std::string print_man_page(const CommandReference& program);

}  // namespace pintle
