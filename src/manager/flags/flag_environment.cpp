// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <pintle/base/nearest_name.hpp>

#include "flag_sources.hpp"

namespace pintle {
namespace {

// Returns the variables with the prefix that are not empty.
std::map<std::string, std::string> variables_of(const ManagerOptions& options) {
  std::map<std::string, std::string> variables;
  char** next = options.args.environment != nullptr ? options.args.environment : environ;
  for (; next != nullptr && *next != nullptr; ++next) {
    const std::string_view variable(*next);
    const std::size_t end = std::min(variable.find('='), variable.size());
    if (!variable.starts_with(options.environment_prefix) || end + 1 >= variable.size()) continue;
    variables.emplace(variable.substr(0, end), variable.substr(end + 1));
  }
  return variables;
}

}  // namespace

Environment read_environment(const FlagTable& table, const ManagerOptions& options) {
  const std::string& prefix = options.environment_prefix;
  Environment environment;
  std::map<std::string, std::string> left = variables_of(options);
  std::vector<std::string> known;
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (row.last == FlagSource::command_line) continue;
      const std::string variable = variable_of(prefix, row.name);
      known.push_back(variable.substr(prefix.size()));
      if (auto found = left.extract(variable)) {
        environment.given[row.name] = {std::move(found.mapped()), FlagSource::environment, variable};
      }
    }
  }
  for (const auto& [variable, text] : left) {
    environment.warnings.push_back(variable + " is set, but it belongs to no flag" +
                                   did_you_mean(variable, known, prefix));
  }
  return environment;
}

}  // namespace pintle
