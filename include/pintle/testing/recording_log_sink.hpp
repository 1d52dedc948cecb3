// SPDX-License-Identifier: Apache-2.0
// RecordingLogSink: a log sink that keeps its lines for the checks of a test.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::testkit {

/// Keeps each line with its fields of type string: "reconcile failed controller=note key=default/a". Thread-safe.
class PINTLE_EXPORT RecordingLogSink final : public LogSink {
 public:
  void write(const LogRecord& record) override {
    std::string line(record.message);
    const auto add = [&](const LogField& field) {
      if (const std::string* text = field.value.as_string()) line += " " + field.name + "=" + *text;
    };
    if (record.context != nullptr) std::for_each(record.context->begin(), record.context->end(), add);
    std::for_each(record.fields.begin(), record.fields.end(), add);
    const MutexLock lock(mutex_);
    lines_.push_back(std::move(line));
    errors_ += record.level == LogLevel::error ? 1 : 0;
  }
  /// All lines so far.
  [[nodiscard]] std::vector<std::string> lines() const {
    const MutexLock lock(mutex_);
    return lines_;
  }
  /// The number of lines with level error.
  [[nodiscard]] int errors() const {
    const MutexLock lock(mutex_);
    return errors_;
  }
  /// The number of lines that contain this text.
  [[nodiscard]] std::size_t count(std::string_view part) const {
    const MutexLock lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        lines_.begin(), lines_.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
  }
  [[nodiscard]] bool has(std::string_view part) const { return count(part) != 0; }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ PINTLE_GUARDED_BY(mutex_);
  int errors_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle::testkit
