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

namespace pintle::testkit {

/// Keeps each line with its fields of type string: "reconcile failed controller=note key=default/a". Thread-safety:
/// none; for simulations, in which one thread runs at a time.
class PINTLE_EXPORT RecordingLogSink final : public LogSink {
 public:
  void write(const LogRecord& record) override {
    std::string line(record.message);
    const auto add = [&](const LogField& field) {
      if (const std::string* text = field.value.as_string()) line += " " + field.name + "=" + *text;
    };
    if (record.context != nullptr) std::for_each(record.context->begin(), record.context->end(), add);
    std::for_each(record.fields.begin(), record.fields.end(), add);
    lines.push_back(std::move(line));
    errors += record.level == LogLevel::error ? 1 : 0;
  }
  [[nodiscard]] std::size_t count(std::string_view part) const {
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
  }
  [[nodiscard]] bool has(std::string_view part) const { return count(part) != 0; }

  std::vector<std::string> lines;
  int errors = 0;  ///< number of lines with level error
};

}  // namespace pintle::testkit
