// SPDX-License-Identifier: Apache-2.0
// Log: structured log lines, each a message with named fields. The manager owns the sink that receives them.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

enum class LogLevel { debug, info, warning, error, off };

[[nodiscard]] PINTLE_EXPORT std::string_view to_string(LogLevel level) noexcept;
[[nodiscard]] PINTLE_EXPORT Result<LogLevel> parse_log_level(std::string_view name);

/// A string, an integer, a double or a boolean. A plain value.
class PINTLE_EXPORT LogValue {
 public:
  explicit LogValue(std::string text) noexcept : type_(Type::text), text_(std::move(text)) {}
  explicit LogValue(std::int64_t number) noexcept : type_(Type::integer), integer_(number) {}
  explicit LogValue(double number) noexcept : type_(Type::real), real_(number) {}
  // Accepts only a bool. Otherwise a string literal would be converted to bool and not to std::string.
  explicit LogValue(std::same_as<bool> auto flag) noexcept : type_(Type::boolean), boolean_(flag) {}

  /// Each of these functions returns null if the value has another type.
  [[nodiscard]] const std::string* as_string() const noexcept { return type_ == Type::text ? &text_ : nullptr; }
  [[nodiscard]] const std::int64_t* as_integer() const noexcept { return type_ == Type::integer ? &integer_ : nullptr; }
  [[nodiscard]] const double* as_double() const noexcept { return type_ == Type::real ? &real_ : nullptr; }
  [[nodiscard]] const bool* as_bool() const noexcept { return type_ == Type::boolean ? &boolean_ : nullptr; }

  friend PINTLE_EXPORT bool operator==(const LogValue& a, const LogValue& b) noexcept;

 private:
  // Not a std::variant, because this header is part of nearly all others and a variant takes long to compile.
  enum class Type { text, integer, real, boolean };

  Type type_;
  std::string text_{};
  union {
    std::int64_t integer_ = 0;
    double real_;
    bool boolean_;
  };
};

/// One named value of a log line. It must not contain a secret.
struct PINTLE_EXPORT LogField {
  LogField(std::string_view key, std::string_view text);
  LogField(std::string_view key, const char* text);
  LogField(std::string_view key, const std::string& text);
  LogField(std::string_view key, bool flag);
  LogField(std::string_view key, std::integral auto number) : name(key), value(static_cast<std::int64_t>(number)) {}
  LogField(std::string_view key, std::floating_point auto number) : name(key), value(static_cast<double>(number)) {}

  std::string name;
  LogValue value;
};

struct LogRecord {
  WallTime time{};
  LogLevel level = LogLevel::info;
  std::string_view message{};
  const std::vector<LogField>* context = nullptr;  ///< fields of the Log; null if it has none
  std::initializer_list<LogField> fields{};        ///< fields of this line
};

/// The destination of log lines. write() is called on any thread, also concurrently. It must not wait for anything that
/// writes to the log. If it throws, the line is lost.
class PINTLE_EXPORT LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(const LogRecord& record) = 0;
};

enum class LogFormat { automatic, text, json };  ///< automatic: text on a terminal, otherwise JSON

/// Returns a sink that writes each line to standard error, with one system call if standard error is a file or the line
/// has at most 4,096 bytes. Lines of several threads do not mix. A line contains no control character except its
/// newline, and a line of the JSON format is always valid JSON. If a message, name or value is longer than 16 KiB, its
/// end is omitted.
///
/// A line that cannot be written is lost, for example if the pipe is closed, the disk is full, or nothing was read from
/// the pipe for a second. Before the next line that can be written, the sink writes a warning with the number of lost
/// lines. No such failure ends the process. The first lost line can block the threads that log, for a second; further
/// lost lines do not.
[[nodiscard]] PINTLE_EXPORT std::shared_ptr<LogSink> make_stderr_sink(LogFormat format = LogFormat::automatic);

/// Writes lines of at least `level`, each with the fields of this log. Cheap to copy; copies share the level.
/// Thread-safe.
class PINTLE_EXPORT Log {
 public:
  /// Creates a log that discards all lines.
  Log() = default;
  Log(std::shared_ptr<LogSink> sink, const Clock& clock, LogLevel level = LogLevel::info);

  /// Returns a copy of this log that adds `fields` to every line.
  [[nodiscard]] Log with(std::initializer_list<LogField> fields) const;

  [[nodiscard]] bool enabled(LogLevel level) const noexcept { return sink_ != nullptr && level >= this->level(); }
  [[nodiscard]] LogLevel level() const noexcept { return level_ == nullptr ? LogLevel::off : level_->load(); }
  /// Sets the level of this log, of its copies and of the log from which it was copied.
  void set_level(LogLevel level) const noexcept {
    if (level_ != nullptr) level_->store(level);
  }
  void write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {}) const;

  void debug(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::debug, message, fields);
  }
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::info, message, fields);
  }
  void warning(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::warning, message, fields);
  }
  void error(std::string_view message, std::initializer_list<LogField> fields = {}) const {
    write(LogLevel::error, message, fields);
  }

 private:
  std::shared_ptr<LogSink> sink_;
  const Clock* clock_ = nullptr;
  std::shared_ptr<std::atomic<LogLevel>> level_;
  std::shared_ptr<const std::vector<LogField>> fields_;
};

}  // namespace pintle
