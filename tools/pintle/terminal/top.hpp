// SPDX-License-Identifier: Apache-2.0
// pintle top: the controllers, caches and problems of a running operator, as a table that follows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>

#include "terminal/operator_pages.hpp"

namespace pintle::tools {

struct TopOptions {
  OperatorOptions place{};
  Duration interval = std::chrono::seconds(2);
  bool is_once = false;  // print one table and exit
};

// Returns the exit code: 0 at the end by a signal; 1, if the operator does not respond at the start; 2, for bad usage.
[[nodiscard]] int run_top(const TopOptions& options);

// The responses of the debug API at one moment.
struct TopState {
  json::Value about{};                 // /operator
  json::Value controllers{};           // /controllers
  json::Value caches{};                // /caches
  std::vector<json::Value> failing{};  // for each controller: its objects that fail or are not ready
  Instant at{};
};

struct ScreenSize {
  std::size_t rows = 0;  // 0: no limit
  std::size_t columns = 0;
};

// Returns the table. Rates are the differences to `before`; null: there are none yet. No line is longer than the
// screen, and at most as many lines are returned as it has rows. Contains no control characters except newlines.
[[nodiscard]] std::string top_text(const TopState& now, const TopState* before, const std::string& title,
                                   ScreenSize size);

}  // namespace pintle::tools
