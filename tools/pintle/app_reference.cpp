// SPDX-License-Identifier: Apache-2.0
#include "app_reference.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <pintle/base/nearest_name.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>

namespace pintle::tools {
namespace {

// CLI11 appends the description of a validator to the name of the type: "SHELL:{bash,zsh,fish}", "N:INT in [1 - 9]".
std::string placeholder_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  for (const char* validator : {":{", ":INT in [", ":UINT in [", ":FLOAT in ["})
    type.resize(std::min(type.find(validator), type.size()));
  return type;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos || !type.ends_with('}')) return {};
  return CLI::detail::split(type.substr(begin + 2, type.size() - begin - 3), ',');
}

OptionReference option_reference(const CLI::Option& option) {
  OptionReference made{.choices = choices_of(option), .help = option.get_description()};
  if (!option.get_lnames().empty()) made.name = option.get_lnames().front();
  if (!option.get_snames().empty()) made.short_name = option.get_snames().front().front();
  if (option.get_items_expected_max() > 0) made.value = placeholder_of(option);
  made.initial = option.get_default_str();
  return made;
}

ArgumentReference argument_reference(const CLI::Option& option) {
  return {.value = placeholder_of(option),
          .choices = choices_of(option),
          .help = option.get_description(),
          .is_required = option.get_required(),
          .is_repeatable = option.get_items_expected_max() > 1};
}

const CLI::App* command_of(const CLI::App& app, std::string_view name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  std::string list;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
    list += (list.empty() ? "" : ", ") + command->get_name();
  }
  return quote(escape_for_terminal(word)) + " is not one of " + list + did_you_mean(word, known);
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  }
  const std::string name = word.substr(0, word.find('='));
  return quote(escape_for_terminal(name)) + " is not an option" + did_you_mean(name, known, "--");
}

}  // namespace

CommandReference reference_of(const CLI::App& app) {
  CommandReference made{.name = app.get_name(), .summary = app.get_description()};
  OptionGroupReference options{.title = "Options"};
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      options.options.push_back(option_reference(*option));
    } else {
      made.arguments.push_back(argument_reference(*option));
    }
  }
  made.groups.push_back(std::move(options));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    made.commands.push_back(reference_of(*command));
  }
  // The arguments of another program follow, which CLI11 does not list.
  if (app.get_prefix_command()) made.arguments.push_back({.value = "PROGRAM", .is_required = true});
  if (app.get_prefix_command()) made.arguments.push_back({.value = "ARGUMENT", .is_repeatable = true});
  return made;
}

std::string unknown_argument(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return {};
    if (word.size() > 1 && word.front() == '-') {
      const CLI::Option* option = at->get_option_no_throw(word.substr(0, word.find('=')));
      if (option == nullptr) return unknown_option(*at, word);
      if (option->get_items_expected_max() > 0 && word.find('=') == std::string::npos) ++i;  // its value
      continue;
    }
    if (at->get_prefix_command()) return {};
    if (at->get_subcommands([](const CLI::App*) { return true; }).empty()) continue;
    const CLI::App* command = command_of(*at, word);
    if (command == nullptr) return unknown_command(*at, word);
    at = command;
  }
  return {};
}

}  // namespace pintle::tools
