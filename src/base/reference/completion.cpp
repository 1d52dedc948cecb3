// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

namespace pintle {
namespace {

using Visit = std::function<void(const std::string&, const CommandReference&)>;

void visit_below(const std::string& above, const CommandReference& command, const Visit& visit) {
  const std::string path = above.empty() ? command.name : above + " " + command.name;
  visit(path, command);
  for (const CommandReference& one : command.commands) visit_below(path, one, visit);
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

void for_each_command(const CommandReference& program, const Visit& visit) { visit_below("", program, visit); }

std::string identifier_of(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    if (!is_letter_or_digit(c)) c = '_';
  }
  return identifier;
}

std::string first_line(std::string_view text) {
  std::string line(text.substr(0, text.find('\n')));
  if (line.size() < text.size() && line.ends_with(':')) line.pop_back();  // a list follows
  return line;
}

std::vector<std::string> spellings_of(const OptionReference& option) {
  std::vector<std::string> spellings;
  if (option.short_name != '\0') spellings.push_back(std::string("-") + option.short_name);
  if (!option.name.empty()) spellings.push_back("--" + option.name);
  if (option.is_negatable) spellings.push_back("--no-" + option.name);
  return spellings;
}

bool is_file(std::string_view value) { return value == "FILE" || value == "PROGRAM"; }
bool is_folder(std::string_view value) { return value == "DIR"; }

std::string print_completion(const CommandReference& program, Shell shell) {
  switch (shell) {
    case Shell::bash: return print_bash_completion(program);
    case Shell::zsh: return print_zsh_completion(program);
    case Shell::fish: break;
  }
  return print_fish_completion(program);
}

}  // namespace pintle
