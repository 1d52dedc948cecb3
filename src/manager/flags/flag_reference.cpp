// SPDX-License-Identifier: Apache-2.0
#include "flag_reference.hpp"

#include "../program/exit_codes.hpp"

namespace pintle {
namespace {

constexpr const char* flags_in_man_page =
    "Each flag can also be set by the environment variable that is named below it, or by a line such as "
    "\"log-level: debug\" in the YAML file of --config. The command line takes precedence over the environment, the "
    "environment over the file, and the file over the settings of the program.\n\n"
    "In a variable or in the file, a switch (a flag with a --no- form) is true or false. An empty variable counts as "
    "not set.";

OptionReference reference_of(const FlagRow& row, const std::string& prefix) {
  return {.name = row.name,
          .value = row.value.type,
          .choices = row.value.choices,
          .is_negatable = row.value.is_switch && row.last != FlagSource::command_line,
          .help = row.is_required ? row.help + "; required" : row.help,
          .variable = row.last == FlagSource::command_line ? "" : variable_of(prefix, row.name),
          .initial = row.value.now};
}

std::string file_name_of(const ManagerOptions& options) {
  if (options.args.argc == 0 || options.args.argv[0] == nullptr) return options.name;
  const std::string path = options.args.argv[0];
  const std::string file = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return file.empty() ? options.name : file;
}

}  // namespace

CommandReference reference_of(const FlagTable& table, const ManagerOptions& options) {
  CommandReference program{.name = file_name_of(options),
                           .summary = "Kubernetes operator " + options.name,
                           .version = options.version.empty() ? options.name : options.name + " " + options.version,
                           .description = flags_in_man_page};
  for (const FlagGroup& group : table) {
    if (group.rows.empty()) continue;
    OptionGroupReference& made = program.groups.emplace_back(OptionGroupReference{.title = group.title});
    if (program.groups.size() == 1) {
      made.options.push_back({.name = "help", .short_name = 'h', .help = help_flag_text});
    }
    for (const FlagRow& row : group.rows) made.options.push_back(reference_of(row, options.environment_prefix));
  }
  for (const auto& [code, meaning] : exit_codes) program.exit_codes.emplace_back(code, meaning);
  return program;
}

}  // namespace pintle
