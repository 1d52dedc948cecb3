// SPDX-License-Identifier: Apache-2.0
// FlagTable: all flags. The readers of the sources and --help use this table and contain no names of flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flag_value.hpp"

namespace pintle {

enum class FlagSource { command_line, environment, file };  // in the order of precedence

struct FlagRow {
  std::string name{};  // "log-level"
  FlagValue value{};
  std::string help{};
  FlagSource last = FlagSource::file;  // sources after this one are not used for the flag
  bool is_list = false;                // several occurrences on the command line are joined by commas
  bool is_required = false;            // an error if no source has it
};

struct FlagGroup {
  std::string title{};
  std::vector<FlagRow> rows{};
};

using FlagTable = std::vector<FlagGroup>;

// Returns "PINTLE_LOG_LEVEL" for the prefix "PINTLE_" and the flag "log-level".
[[nodiscard]] std::string variable_of(std::string_view prefix, std::string_view flag);

// Error: invalid, if a name is not a valid flag name, or if two rows have the same name.
[[nodiscard]] Result<void> check(const FlagTable& table);

}  // namespace pintle
