// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace pintle {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Returns the options of `complete` for a value.
std::string fish_value(const std::string& value, const std::vector<std::string>& choices) {
  if (!choices.empty()) return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(choices, " ")));
  if (is_file(value)) return " -r -F";
  if (is_folder(value)) return " -x -a '(__fish_complete_directories)'";
  return value.empty() ? "" : " -x";
}

std::string fish_option(const std::string& start, const OptionReference& option) {
  std::string names;
  if (option.short_name != '\0') names += std::string(" -s ") + option.short_name;
  if (!option.name.empty()) names += " -l " + option.name;
  const std::string help = " -d " + fish_quoted(first_line(option.help));
  std::string text = start + names + fish_value(option.value, option.choices) + help + "\n";
  if (option.is_negatable) text += start + " -l no-" + option.name + help + "\n";
  return text;
}

std::string fish_command(const std::string& start, const CommandReference& command) {
  std::string text;
  for (const CommandReference& one : command.commands) {
    text += start + " -a " + fish_quoted(one.name) + " -d " + fish_quoted(first_line(one.summary)) + "\n";
  }
  for (const ArgumentReference& argument : command.arguments) {
    if (!argument.choices.empty()) {
      text += start + " -a " + fish_quoted(fmt::format("{}", fmt::join(argument.choices, " "))) + "\n";
    } else if (is_file(argument.value)) {
      text += start + " -F\n";
    }
  }
  for (const OptionGroupReference& group : command.groups) {
    for (const OptionReference& option : group.options) text += fish_option(start, option);
  }
  return text;
}

}  // namespace

std::string print_fish_completion(const CommandReference& program) {
  const std::string function = "__" + identifier_of(program.name) + "_at";
  std::string known;
  std::string commands;
  for_each_command(program, [&](const std::string& path, const CommandReference& command) {
    if (path != program.name) known += " " + fish_quoted(path);
    const std::string condition = fish_quoted(function + " " + fish_quoted(path));
    commands += fish_command(fmt::format("complete -c {} -n {}", fish_quoted(program.name), condition), command);
  });
  if (known.empty()) known = " ''";
  return fmt::format(R"(# Completion for fish. Load it with "source", or put it into a folder of $fish_complete_path.
function {0} --description 'Test which command the arguments select'
  set -l command {1}
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    switch "$command $word"
      case{2}
        set command "$command $word"
    end
  end
  test "$command" = "$argv[1]"
end
complete -c {1} -f
{3})",
                     function, fish_quoted(program.name), known, commands);
}

}  // namespace pintle
