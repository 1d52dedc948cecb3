// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"
#include "shell_word.hpp"

namespace pintle {
namespace {

// Escapes characters that have a meaning in a specification of _arguments.
std::string zsh_escaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Returns ":FILE:_files": the message and the action for a value.
std::string zsh_value(const std::string& value, const std::vector<std::string>& choices) {
  std::string action = " ";
  if (!choices.empty()) {
    action = fmt::format("({})", fmt::join(choices, " "));
  } else if (is_file(value)) {
    action = "_files";
  } else if (is_folder(value)) {
    action = "_files -/";
  }
  return fmt::format(":{}:{}", zsh_escaped(value, ":"), action);
}

std::string zsh_specs(const CommandReference& command) {
  std::string specs;
  const auto add = [&specs](const std::string& spec) { specs += " \\\n    " + quote_for_shell(spec); };
  for (const OptionGroupReference& group : command.groups) {
    for (const OptionReference& option : group.options) {
      const std::string help = "[" + zsh_escaped(first_line(option.help), "[]") + "]";
      for (const std::string& spelling : spellings_of(option)) {
        const bool has_equals = !option.value.empty() && spelling.starts_with("--");
        add(fmt::format("*{}{}{}{}", spelling, has_equals ? "=" : "", help,
                        option.value.empty() ? "" : zsh_value(option.value, option.choices)));
      }
    }
  }
  for (const ArgumentReference& argument : command.arguments) {
    add((argument.is_repeatable ? "*" : argument.is_required ? "" : ":") + zsh_value(argument.value, argument.choices));
  }
  if (!command.commands.empty()) {
    add("1:command:->command");
    add("*::argument:->argument");
  }
  return specs;
}

std::string zsh_function_of(const std::string& path) {
  std::string name = "_";
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(' ', begin), path.size());
    name += (begin == 0 ? "" : "__") + identifier_of(std::string_view(path).substr(begin, end - begin));
    begin = end + 1;
  }
  return name;
}

std::string zsh_function(const std::string& path, const CommandReference& command) {
  const std::string name = zsh_function_of(path);
  if (command.commands.empty()) return fmt::format("{}() {{\n  _arguments{}\n}}\n", name, zsh_specs(command));
  std::string list;
  std::string cases;
  for (const CommandReference& one : command.commands) {
    list += " \\\n    " + quote_for_shell(zsh_escaped(one.name, ":") + ":" + zsh_escaped(first_line(one.summary), ""));
    cases += fmt::format("        {}) {} ;;\n", quote_for_shell(one.name), zsh_function_of(path + " " + one.name));
  }
  return fmt::format(R"({0}() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=({1}
  )
  _arguments -C{2}
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $line[1] in
{3}      esac
      ;;
  esac
}}
)",
                     name, list, zsh_specs(command), cases);
}

}  // namespace

std::string print_zsh_completion(const CommandReference& program) {
  std::string functions;
  for_each_command(program, [&](const std::string& path, const CommandReference& command) {
    functions += zsh_function(path, command);
  });
  return fmt::format(R"(#compdef {0}
# Completion for zsh. Load it with "source" after compinit, or put it as {1} into a folder of $fpath.
{2}if [ "$funcstack[1]" = {1} ]; then
  {1} "$@"
else
  compdef {1} {3}
fi
)",
                     program.name, zsh_function_of(program.name), functions, quote_for_shell(program.name));
}

}  // namespace pintle
