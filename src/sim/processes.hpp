// SPDX-License-Identifier: Apache-2.0
// Runs functions in forked processes, because a simulation may end its process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// The end of a process before its function has returned: how it ended, and what it printed last.
struct ProcessDeath {
  std::string how{};       // "signal 6 (Aborted)", "exit code 0"
  bool timed_out = false;  // see limit_real_time()
  std::string output{};    // the end of its standard error
};

// Calls `work` in `count` processes at the same time, each with its number and a function that sends a line to this
// process. No line may be the single character EOT. Process i runs on processor i. `on_line` and `on_end` are called in
// this process; `on_end` gets null if `work` has returned. If `on_line` returns false, or `is_interrupted`, which is
// called several times a second, returns true, all processes are ended and there are no more calls. Error: unavailable,
// if a process cannot be started; the others are then ended.
[[nodiscard]] Result<void> in_processes(
    std::size_t count, const std::function<void(std::size_t, const std::function<void(std::string)>&)>& work,
    const std::function<bool(std::size_t, const std::string&)>& on_line,
    const std::function<void(std::size_t, const ProcessDeath*)>& on_end,
    const std::function<bool()>& is_interrupted = {});

// Ends this process with SIGALRM after this real time, rounded up to seconds, unless the limit is set again. 0: no
// limit.
void limit_real_time(Duration time);

[[nodiscard]] std::size_t processor_count();

}  // namespace pintle
