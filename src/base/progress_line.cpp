// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "numbers.hpp"

namespace pintle {
namespace {

constexpr std::uint64_t width = 28;
constexpr Duration between_writes = std::chrono::milliseconds(100);

}  // namespace

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total) {
  done = std::min(done, total);
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  const auto filled = static_cast<std::uint64_t>(share * width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '-') + "] " + with_commas(done) + " of " +
         with_commas(total) + " " + std::string(what) + " (" + std::to_string(static_cast<int>(share * 100)) + " %)";
}

ProgressLine::ProgressLine(Executor& executor, std::string what, std::uint64_t total)
    : executor_(executor),
      what_(std::move(what)),
      total_(total),
      is_shown_(::isatty(STDERR_FILENO) == 1),
      mutex_(executor) {}

ProgressLine::~ProgressLine() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::add(std::uint64_t count) {
  if (!is_shown_) return;
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  done_ += count;
  if (now < next_) return;
  next_ = now + between_writes;
  std::fputs(("\r\x1b[K" + progress_text(what_, done_, total_)).c_str(), stderr);
}

}  // namespace pintle
