// SPDX-License-Identifier: Apache-2.0
#include "app_reference.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
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

std::string set_of(const std::vector<std::string>& names) { return "{" + CLI::detail::join(names, ",") + "}"; }

// "pintle new [OPTION]... NAME"
std::string usage_of(const std::string& command, const CLI::App& app) {
  std::string usage = command + " [OPTION]...";
  for (const ArgumentReference& one : reference_of(app).arguments) {
    const std::string value = one.value + (one.is_repeatable ? "..." : "");
    usage += one.is_required ? " " + value : " [" + value + "]";
  }
  return usage;
}

std::string missing_argument(const std::string& command, const CLI::App& app) {
  std::vector<std::string> commands;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(one->get_name());
  }
  if (!commands.empty()) return "a command is missing; use one of " + CLI::detail::join(commands, ", ");
  std::vector<std::string> missing;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    missing.push_back(option->nonpositional() ? option->get_name() : placeholder_of(*option));
  }
  return CLI::detail::join(missing, ", ") + (missing.size() == 1 ? " is" : " are") + " missing; write " +
         usage_of(command, app);
}

std::string missing_value(const CLI::App& app, const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));  // of "--group: 1 required DOMAIN missing"
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return text;
  return name + " has no value; write it as " + name + " " + placeholder_of(*option);
}

}  // namespace

std::string placeholder_with(const std::string& placeholder, const std::vector<std::string>& names) {
  return placeholder + ":" + set_of(names);
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return {};
    return quote(text) + " is not one of " + CLI::detail::join(names, ", ") + did_you_mean(text, names);
  };
  return {check, set_of(names)};
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = CLI::Formatter::make_usage(app, std::move(name));
  if (app->get_prefix_command()) usage.insert(usage.find_last_not_of('\n') + 1, " PROGRAM [ARGUMENT]...");
  return usage;
}

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

std::string parse_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* at = &app;
  std::string command = app.get_name();
  for (auto given = at->get_subcommands(); !given.empty(); given = at->get_subcommands()) {
    at = given.front();
    command += " " + at->get_name();
  }
  std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    text = missing_argument(command, *at);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    text = missing_value(*at, text);
  } else if (const auto more = app.remaining(true); dynamic_cast<const CLI::ExtrasError*>(&error) && !more.empty()) {
    text = quote(more.front()) + " is not expected; write " + usage_of(command, *at);
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return command + ": " + escape_for_terminal(text) + " (" + command + " --help lists the arguments)";
}

}  // namespace pintle::tools
