// SPDX-License-Identifier: Apache-2.0
// The output of `pintle doctor`.
#pragma once

#include <string>
#include <vector>

#include "doctor/line.hpp"

namespace pintle::doctor {

// 0: all lines are ok, warn or skip; 1: at least one is fail.
[[nodiscard]] int exit_code_of(const std::vector<Line>& lines);

// One line for each result, the action below it, and a summary. Control characters are escaped.
[[nodiscard]] std::string print_text(const std::vector<Line>& lines);
// {"lines": [{"state", "check", "subject", "detail", "action"}], "summary": {"ok", "warn", "fail", "skip"},
// "exitCode"}.
[[nodiscard]] std::string print_json(const std::vector<Line>& lines);

}  // namespace pintle::doctor
