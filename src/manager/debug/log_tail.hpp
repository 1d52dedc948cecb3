// SPDX-License-Identifier: Apache-2.0
// LogTail: keeps the last log lines for the debug API, and passes all lines on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

struct LogLine {
  std::uint64_t id = 0;
  WallTime time{};
  LogLevel level = LogLevel::info;
  std::string message{};
  json::object fields{};
};

// Keeps the last 1,000 lines; texts are cut after 1 KiB. Thread-safe.
class LogTail final : public LogSink {
 public:
  static constexpr std::size_t max_lines = 1000;
  static constexpr std::size_t max_text = 1024;

  using Line = std::shared_ptr<const LogLine>;
  // Members that are empty select everything.
  struct Filter {
    LogLevel level = LogLevel::debug;  // at least
    std::string search{};              // in the message, or in the text of a field

    [[nodiscard]] bool accepts(const LogLine& line) const;
  };

  LogTail(Executor& executor, std::shared_ptr<LogSink> next) : next_(std::move(next)), mutex_(executor) {}

  void write(const LogRecord& record) override;
  // Returns the newest lines that the filter accepts, the newest last.
  [[nodiscard]] std::vector<Line> newest(const Filter& filter, std::size_t count) const;
  // Returns the lines with a higher id, the newest last.
  [[nodiscard]] std::vector<Line> after(std::uint64_t id) const;
  // The id of the newest line; 0: there was none.
  [[nodiscard]] std::uint64_t last_id() const;

 private:
  const std::shared_ptr<LogSink> next_;
  mutable Mutex mutex_;
  std::deque<Line> lines_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t last_id_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle
