// FlagTable: every flag there is. What reads a source and what prints --help go by it, and know no flag by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flag_value.hpp"

namespace pintle {

enum class FlagSource { command_line, environment, file };  // in the order in which they count

struct FlagRow {
  std::string name{};  // "log-level"
  FlagValue value{};
  std::string help{};
  FlagSource last = FlagSource::file;  // it is not taken from a source after this one
};

struct FlagGroup {
  std::string title{};
  std::vector<FlagRow> rows{};
};

using FlagTable = std::vector<FlagGroup>;

inline constexpr std::string_view variable_prefix = "PINTLE_";

// "PINTLE_LOG_LEVEL" of "log-level". Not by the name of the operator: Kubernetes sets variables that begin with the
// names of Services, such as HELLO_OPERATOR_PORT, in every pod beside them.
[[nodiscard]] std::string variable_of(std::string_view flag);

// Error: invalid, for a name that cannot be one, or that two rows have.
[[nodiscard]] Result<void> check(const FlagTable& table);

}  // namespace pintle
