// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"
#include "shell_word.hpp"

namespace pintle {
namespace {

// {0}: the name of the function, {1}: the program in quotes, {2}: the patterns of the commands, {3}: the cases of
// values, {4}: the cases of commands.
constexpr const char* bash_script =
    R"(# Completion for bash. Load it with "source", or put it into a folder of bash-completion.
{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command={1} words= files= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
{2}      *) ;;
    esac
  done
  # bash treats the "=" of --option=value as a word.
  if [[ $word == "=" ]]; then
    word=
  elif [[ $before == "=" ]] && ((COMP_CWORD > 1)); then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case "$command $before" in
{3}    *)
      case "$command" in
{4}      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ $files && $word != -* ]] || return 0
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen "$files" -- "$word")
  compopt -o filenames 2>/dev/null
  return 0
}}
complete -F {0} {1}
)";

// Returns the assignments that make the completion offer the values of an option or argument.
std::string bash_values(const std::string& value, const std::vector<std::string>& choices) {
  if (!choices.empty()) return fmt::format("words={}", quote_for_shell(fmt::format("{}", fmt::join(choices, " "))));
  if (is_file(value)) return "files=-f";
  if (is_folder(value)) return "files=-d";
  return "";
}

std::string bash_value_cases(const std::string& path, const CommandReference& command) {
  std::string cases;
  for (const OptionGroupReference& group : command.groups) {
    for (const OptionReference& option : group.options) {
      if (option.value.empty()) continue;
      for (const std::string& spelling : spellings_of(option)) {
        const std::string values = bash_values(option.value, option.choices);
        cases +=
            fmt::format("    {}) {};;\n", quote_for_shell(path + " " + spelling), values.empty() ? "" : values + " ");
      }
    }
  }
  return cases;
}

std::string bash_command_case(const std::string& path, const CommandReference& command) {
  std::vector<std::string> words;
  std::string files;
  for (const CommandReference& one : command.commands) words.push_back(one.name);
  for (const ArgumentReference& argument : command.arguments) {
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
    if (argument.choices.empty() && files.empty()) files = bash_values(argument.value, {});
  }
  for (const OptionGroupReference& group : command.groups) {
    for (const OptionReference& option : group.options) {
      for (std::string& spelling : spellings_of(option)) words.push_back(std::move(spelling));
    }
  }
  return fmt::format("        {}) words={}{}{} ;;\n", quote_for_shell(path),
                     quote_for_shell(fmt::format("{}", fmt::join(words, " "))), files.empty() ? "" : " ", files);
}

}  // namespace

std::string print_bash_completion(const CommandReference& program) {
  std::string known;
  std::string values;
  std::string commands;
  for_each_command(program, [&](const std::string& path, const CommandReference& command) {
    if (path != program.name) known += (known.empty() ? "      " : " | ") + quote_for_shell(path);
    values += bash_value_cases(path, command);
    commands += bash_command_case(path, command);
  });
  if (!known.empty()) known += ") command+=\" ${COMP_WORDS[i]}\" ;;\n";
  return fmt::format(fmt::runtime(bash_script), "_" + identifier_of(program.name) + "_completion",
                     quote_for_shell(program.name), known, values, commands);
}

}  // namespace pintle
