// SPDX-License-Identifier: Apache-2.0
// The command line and --help.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <pintle/base/nearest_name.hpp>

#include "flag_reference.hpp"
#include "flag_sources.hpp"

namespace pintle {
namespace {

constexpr const char* how_flags_are_given =
    "Each flag can also be set by the environment variable below it, or by a line such as \"log-level: debug\" in the\n"
    "YAML file of --config. The command line takes precedence over the environment, the environment over the file,\n"
    "and the file over the settings of the program. In a variable or in the file, a switch (--[no-]…) is true or\n"
    "false. An empty variable counts as not set.";

// Returns the text as one line, because messages of CLI11 may have several.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Formatter final : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const bool is_switch = option->get_fnames().size() == 1;
    return is_switch ? "--[no-]" + option->get_lnames().front()
                     : CLI::Formatter::make_option_name(option, is_positional);
  }
};

std::string described(const FlagRow& row, const std::string& prefix) {
  std::string below;
  if (row.last != FlagSource::command_line) below = variable_of(prefix, row.name);
  if (!row.value.now.empty()) below += (below.empty() ? "default " : ", default ") + row.value.now;
  if (row.is_required) below += (below.empty() ? "required" : ", required");
  return row.help + (below.empty() ? "" : "\n" + below);
}

CLI::Option* add(CLI::App& app, const FlagRow& row, const std::string& prefix) {
  const std::string name = "--" + row.name;
  CLI::Option* option = nullptr;
  if (row.value.is_switch) {
    option = app.add_flag(row.last == FlagSource::command_line ? name : name + ",!--no-" + row.name);
  } else {
    option = app.add_option(name)->type_name(row.value.type);
  }
  return option->description(described(row, prefix))
      ->multi_option_policy(row.is_list ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
}

bool takes_value(const FlagTable& table, std::string_view name) {
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (row.name == name) return !row.value.is_switch;
    }
  }
  return false;
}

// Returns the arguments in reverse order, as CLI11 expects them. It would take the argument after "--NAME=" as the
// value, which is empty here.
std::vector<std::string> arguments_of(const Args& args, const FlagTable& table) {
  std::vector<std::string> arguments;
  for (int i = 1; i < args.argc; ++i) {
    std::string text = args.argv[i];
    const bool is_empty = text.size() > 3 && text.starts_with("--") && text.ends_with('=') &&
                          takes_value(table, std::string_view(text).substr(2, text.size() - 3));
    if (is_empty) text.pop_back();
    arguments.push_back(std::move(text));
    if (is_empty) arguments.emplace_back();
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

Error unknown_flag(const std::string& given, const FlagTable& table) {
  const std::string name = given.substr(0, given.find('='));
  if (!name.starts_with("-")) {
    return make_error(ErrorCode::invalid, "\"" + name + "\" is not a flag; remove it, or write a flag as --NAME");
  }
  if (name == "--simulate") {
    return make_error(ErrorCode::invalid,
                      "this program contains no simulation for --simulate; link it with the CMake target "
                      "pintle::simulated, and write --simulate as the first argument");
  }
  std::vector<std::string> known{"help"};
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      known.push_back(row.name);
      if (row.value.is_switch) known.push_back("no-" + row.name);
    }
  }
  return make_error(ErrorCode::invalid, "unknown flag " + name + did_you_mean(name, known, "--"));
}

}  // namespace

Result<CommandLine> read_command_line(const FlagTable& table, const ManagerOptions& options) {
  if (options.args.argc <= 1) return CommandLine{};
  CLI::App app("Kubernetes operator " + options.name + " " + options.version, options.name);
  app.formatter(std::make_shared<Formatter>());
  app.set_help_flag("-h,--help", help_flag_text);
  app.allow_extras();
  app.footer(how_flags_are_given);
  std::vector<std::pair<const FlagRow*, CLI::Option*>> known;
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      known.emplace_back(&row, add(app, row, options.environment_prefix)->group(group.title));
    }
  }
  try {
    app.parse(arguments_of(options.args, table));
  } catch (const CLI::CallForHelp&) {
    return CommandLine{.help = app.help()};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--crds: 1 required POLICY missing"
    const std::string flag = text.substr(0, text.find(':'));
    return fail(ErrorCode::invalid, flag + " has no value; write it as " + flag + " VALUE");
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::invalid, one_line(error.what()));
  }
  if (const auto unknown = app.remaining(); !unknown.empty()) return unknown_flag(unknown.front(), table);
  CommandLine line;
  for (const auto& [row, option] : known) {
    if (option->count() == 0) continue;
    const auto texts = option->results();
    line.given[row->name] = {row->is_list ? fmt::format("{}", fmt::join(texts, ",")) : texts.back(),
                             FlagSource::command_line, "--" + row->name};
  }
  return line;
}

}  // namespace pintle
