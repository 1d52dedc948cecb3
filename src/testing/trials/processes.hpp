// SPDX-License-Identifier: Apache-2.0
// Runs functions in forked processes, because a trial may end its process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::testkit {

// The end of a process that sent no result: how it ended, and what it printed last.
struct ProcessDeath {
  std::string how{};     // "signal 6 (Aborted)"
  std::string output{};  // the end of its standard error
};

// Calls `work` in `count` processes at the same time, each with its number and a function that sends a value to this
// process. `on_value` and `on_end` are called in this process; `on_end` has no death if the function has returned.
// Ends all processes when `on_value` returns false.
void in_processes(std::size_t count, const std::function<void(std::size_t, const std::function<void(json::Value)>&)>& work,
                  const std::function<bool(std::size_t, const json::Value&)>& on_value,
                  const std::function<void(std::size_t, const ProcessDeath*)>& on_end);

}  // namespace pintle::testkit
