// SPDX-License-Identifier: Apache-2.0
// The flags of an operator as a CommandReference, for --print-completion and --print-man.
#pragma once

#include <pintle/manager/manager.hpp>

#include "base/reference/command_reference.hpp"
#include "flag_table.hpp"

namespace pintle {

// Describes --help, which is not in the table.
inline constexpr const char* help_flag_text = "Print this help and exit";

// The name of the program is that of its file, which the user types.
[[nodiscard]] CommandReference reference_of(const FlagTable& table, const ManagerOptions& options);

}  // namespace pintle
