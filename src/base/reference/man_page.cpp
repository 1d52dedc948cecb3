// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "command_reference.hpp"

namespace pintle {
namespace {

// Escapes characters that roff interprets. A hyphen becomes a minus, so that options can be copied and searched.
std::string roff(std::string_view text) {
  std::string escaped;
  bool is_line_start = true;
  for (const char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) escaped += "\\&";
    is_line_start = c == '\n';
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '\'') {
      escaped += "\\(aq";
    } else if (c == '\n') {
      escaped += "\n.br\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper(std::string_view text) {
  std::string upper_case(text);
  for (char& c : upper_case) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper_case;
}

std::string man_option(const OptionReference& option) {
  std::string names = option.short_name == '\0' ? "" : bold(std::string("-") + option.short_name);
  if (!option.name.empty()) names += (names.empty() ? "" : ", ") + bold("--" + option.name);
  if (option.is_negatable) names += ", " + bold("--no-" + option.name);
  if (!option.value.empty()) names += (option.name.empty() ? " " : "=") + italic(option.value);
  std::string text = ".TP\n" + names + "\n" + roff(option.help) + "\n";
  std::string values;
  for (const std::string& choice : option.choices) values += (values.empty() ? "" : ", ") + bold(choice);
  if (!values.empty()) text += ".br\nValues: " + values + "\n";
  if (!option.initial.empty()) text += ".br\nDefault: " + bold(option.initial) + "\n";
  if (!option.variable.empty()) text += ".br\nEnvironment variable: " + bold(option.variable) + "\n";
  return text;
}

std::string man_argument(const ArgumentReference& argument) {
  std::string text = ".TP\n" + italic(argument.value) + "\n" + roff(argument.help) + "\n";
  std::string values;
  for (const std::string& choice : argument.choices) values += (values.empty() ? "" : ", ") + bold(choice);
  return values.empty() ? text : text + ".br\nValues: " + values + "\n";
}

std::string synopsis(const std::string& path, const CommandReference& command) {
  std::string text = bold(path) + " [" + italic("OPTION") + "]...";
  for (const ArgumentReference& argument : command.arguments) {
    const std::string value = italic(argument.value) + (argument.is_repeatable ? "..." : "");
    text += argument.is_required ? " " + value : " [" + value + "]";
  }
  return text;
}

// The synopses of the commands that can be run.
std::string synopses(const std::string& path, const CommandReference& command) {
  if (command.commands.empty()) return synopsis(path, command) + "\n";
  std::string text;
  for (const CommandReference& one : command.commands) {
    text += (text.empty() ? "" : ".br\n") + synopses(path + " " + one.name, one);
  }
  return text;
}

std::string man_commands(const std::string& path, const CommandReference& command) {
  std::string text;
  for (const CommandReference& one : command.commands) {
    const std::string name = path + " " + one.name;
    text += ".SS " + roff(name) + "\n" + roff(one.summary) + "\n";
    for (const ArgumentReference& argument : one.arguments) text += man_argument(argument);
    for (const OptionGroupReference& group : one.groups) {
      for (const OptionReference& option : group.options) text += man_option(option);
    }
    text += man_commands(name, one);
  }
  return text;
}

std::string paragraphs(const std::string& text) {
  std::string printed;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    printed += (printed.empty() ? "" : ".PP\n") + roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 2;
  }
  return printed;
}

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string print_man_page(const CommandReference& program) {
  std::string page =
      fmt::format(".TH \"{}\" 1 \"\" \"{}\" \"User Commands\"\n", roff(upper(program.name)), roff(program.version));
  page += ".SH NAME\n" + roff(program.name) + " \\- " + roff(without_full_stop(program.summary)) + "\n";
  page += ".SH SYNOPSIS\n" + synopses(program.name, program);
  if (!program.description.empty()) page += ".SH DESCRIPTION\n" + paragraphs(program.description);
  page += ".SH OPTIONS\n";
  bool is_first = true;
  for (const OptionGroupReference& group : program.groups) {
    if (!is_first) page += ".SS " + roff(group.title) + "\n";
    is_first = false;
    for (const OptionReference& option : group.options) page += man_option(option);
  }
  if (!program.commands.empty()) page += ".SH COMMANDS\n" + man_commands(program.name, program);
  if (!program.exit_codes.empty()) page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : program.exit_codes) page += fmt::format(".TP\n{}\n{}\n", code, roff(meaning));
  return page;
}

}  // namespace pintle
