#include <pintle/base/log.hpp>

#include <cmath>

#include <unistd.h>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <pintle/base/result.hpp>
#include <pintle/base/terminal.hpp>

namespace pintle {
namespace {

// Appends a JSON string. Escapes control characters that a terminal interprets, and replaces invalid UTF-8.
void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t begin = 0;
  const auto flush = [&](std::size_t end) {
    out += escape_for_terminal(text.substr(begin, end - begin), ControlEscape::json);
    begin = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"' && text[i] != '\\') continue;
    flush(i);
    out += '\\';
    out += text[i];
  }
  flush(text.size());
  out += '"';
}

// JSON cannot represent these numbers; the strings are those of the JSON mapping of Protocol Buffers.
std::string_view not_a_json_number(double real) {
  return std::isnan(real) ? "NaN" : real > 0 ? "Infinity" : "-Infinity";
}

void append_value(std::string& out, const LogField::Value& value, bool is_json) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const bool plain =
        !is_json && !text->empty() && text->find_first_of(" \"=\\") == std::string::npos && is_terminal_safe(*text);
    plain ? void(out += *text) : append_json_string(out, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    out += std::to_string(*number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (std::isfinite(*real)) {
      out += fmt::format("{}", *real);
    } else if (is_json) {
      append_json_string(out, not_a_json_number(*real));
    } else {
      out += not_a_json_number(*real);
    }
  } else {
    out += std::get<bool>(value) ? "true" : "false";
  }
}

template <class Each>
void each_field(const LogRecord& record, Each each) {
  if (record.context != nullptr) {
    for (const LogField& field : *record.context) each(field);
  }
  for (const LogField& field : record.fields) each(field);
}

std::string text_line(const LogRecord& record) {
  std::string line = fmt::format("{} {:<7} {}", format_micro_time(record.time), to_string(record.level),
                                 escape_for_terminal(record.message));
  each_field(record, [&](const LogField& field) {
    line += ' ';
    line += escape_for_terminal(field.name);
    line += '=';
    append_value(line, field.value, false);
  });
  return line;
}

std::string json_line(const LogRecord& record) {
  std::string line =
      fmt::format(R"({{"time":"{}","level":"{}","message":)", format_micro_time(record.time), to_string(record.level));
  append_json_string(line, record.message);
  each_field(record, [&](const LogField& field) {
    line += ',';
    append_json_string(line, field.name);
    line += ':';
    append_value(line, field.value, true);
  });
  return line + '}';
}

class StderrSink final : public LogSink {
 public:
  explicit StderrSink(bool json) : json_(json), logger_("pintle", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger_.set_pattern("%v");
    logger_.set_level(spdlog::level::trace);
    logger_.flush_on(spdlog::level::trace);
  }
  void write(const LogRecord& record) override {
    logger_.log(spdlog::level::info, spdlog::string_view_t(json_ ? json_line(record) : text_line(record)));
  }

 private:
  bool json_;
  spdlog::logger logger_;
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

std::shared_ptr<LogSink> make_stderr_sink(LogFormat format) {
  const bool json = format == LogFormat::json || (format == LogFormat::automatic && isatty(STDERR_FILENO) == 0);
  return std::make_shared<StderrSink>(json);
}

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
