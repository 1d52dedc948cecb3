// SPDX-License-Identifier: Apache-2.0
#include "progress_sink.hpp"

#include <cstdio>
#include <utility>

#include <unistd.h>

namespace pintle {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

}  // namespace

ProgressSink::ProgressSink(Executor& executor, std::shared_ptr<LogSink> inner, Print print)
    : inner_(std::move(inner)), print_(std::move(print)), mutex_(executor) {}

void ProgressSink::show(std::string_view text) {
  const MutexLock lock(mutex_);
  print_(std::string(erase_line).append(text));
  is_shown_ = true;
}

void ProgressSink::hide() {
  const MutexLock lock(mutex_);
  remove();
}

void ProgressSink::write(const LogRecord& record) {
  const MutexLock lock(mutex_);
  remove();
  inner_->write(record);
}

void ProgressSink::remove() {
  if (std::exchange(is_shown_, false)) print_(erase_line);
}

std::shared_ptr<ProgressSink> make_progress_sink(Executor& executor, std::shared_ptr<LogSink> inner) {
  if (::isatty(STDERR_FILENO) != 1) return nullptr;
  const auto print = [](std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); };
  return std::make_shared<ProgressSink>(executor, std::move(inner), print);
}

}  // namespace pintle
