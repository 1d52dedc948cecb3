// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/log.hpp>

#include <cstdint>
#include <mutex>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include <pintle/base/result.hpp>

#include "line_writer.hpp"
#include "log_line.hpp"

namespace pintle {
namespace {

class StderrSink final : public LogSink {
 public:
  explicit StderrSink(bool json) : line_of_(json ? json_log_line : text_log_line) {}

  void write(const LogRecord& record) override {
    const std::string line = line_of_(record);
    const std::lock_guard lock(mutex_);
    if (lost_ != 0) report_lost(record.time);
    note(writer_.write(line));
  }

 private:
  void report_lost(WallTime now) {
    const std::initializer_list<LogField> fields{{"lines", lost_}, {"error", error_.message()}};
    const LogRecord record{.time = now,
                           .level = LogLevel::warning,
                           .message = "log lines are missing here, because they could not be written",
                           .fields = fields};
    if (!writer_.write(line_of_(record))) lost_ = 0;
  }
  void note(std::error_code error) {
    if (!error) return;
    ++lost_;
    error_ = error;
  }

  std::string (*const line_of_)(const LogRecord&);
  std::mutex mutex_;  // protects the following members
  LineWriter writer_{STDERR_FILENO, std::chrono::seconds(1)};
  std::uint64_t lost_ = 0;  // lines since the last report
  std::error_code error_{};
};

}  // namespace

std::string_view to_string(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
    case LogLevel::off: return "off";
  }
  return "off";
}

Result<LogLevel> parse_log_level(std::string_view name) {
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error, LogLevel::off}) {
    if (name == to_string(level)) return level;
  }
  return fail(ErrorCode::invalid, fmt::format("log level \"{}\" is not one of debug, info, warning, error, off", name));
}

bool operator==(const LogValue& a, const LogValue& b) noexcept {
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case LogValue::Type::text: return a.text_ == b.text_;
    case LogValue::Type::integer: return a.integer_ == b.integer_;
    case LogValue::Type::real: return a.real_ == b.real_;
    case LogValue::Type::boolean: return a.boolean_ == b.boolean_;
  }
  return false;
}

LogField::LogField(std::string_view key, std::string_view text) : name(key), value(std::string(text)) {}
LogField::LogField(std::string_view key, const char* text) : name(key), value(std::string(text)) {}
LogField::LogField(std::string_view key, const std::string& text) : name(key), value(text) {}
LogField::LogField(std::string_view key, bool flag) : name(key), value(flag) {}

std::shared_ptr<LogSink> make_stderr_sink(LogFormat format) {
  const bool json = format == LogFormat::json || (format == LogFormat::automatic && isatty(STDERR_FILENO) == 0);
  return std::make_shared<StderrSink>(json);
}

Log::Log(std::shared_ptr<LogSink> sink, const Clock& clock, LogLevel level)
    : sink_(std::move(sink)), clock_(&clock), level_(std::make_shared<std::atomic<LogLevel>>(level)) {}

Log Log::with(std::initializer_list<LogField> fields) const {
  Log copy = *this;
  auto all = fields_ != nullptr ? std::make_shared<std::vector<LogField>>(*fields_)
                                : std::make_shared<std::vector<LogField>>();
  all->insert(all->end(), fields.begin(), fields.end());
  copy.fields_ = std::move(all);
  return copy;
}

void Log::write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) const {
  if (!enabled(level)) return;
  try {
    sink_->write(
        {.time = clock_->wall_now(), .level = level, .message = message, .context = fields_.get(), .fields = fields});
  } catch (...) {
    // The line is lost: the failure cannot be reported anywhere, and a thread that logs must not terminate the process.
  }
}

}  // namespace pintle
