// SPDX-License-Identifier: Apache-2.0
// ProgressLine: one line on the terminal that shows how far a long command is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle {

// Returns "[#######---------------------] 12,000 of 50,000 objects (24 %)". `total` 0 counts as done.
[[nodiscard]] std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total);

// Writes to standard error at most ten times a second, and only if it is a terminal. Thread-safe.
class ProgressLine {
 public:
  // `what` is the plural of the counted things: "objects".
  ProgressLine(Executor& executor, std::string what, std::uint64_t total);
  ~ProgressLine();  // removes the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void add(std::uint64_t count = 1);

 private:
  Executor& executor_;
  const std::string what_;
  const std::uint64_t total_;
  const bool is_shown_;
  Mutex mutex_;
  std::uint64_t done_ PINTLE_GUARDED_BY(mutex_) = 0;
  Instant next_ PINTLE_GUARDED_BY(mutex_){};
};

}  // namespace pintle
