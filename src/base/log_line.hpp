// SPDX-License-Identifier: Apache-2.0
// Formats a record of the log as one line.
#pragma once

#include <cstddef>
#include <string>

#include <pintle/base/log.hpp>

namespace pintle {

// A longer message, name or value is cut, so that the size of a line is limited by the number of its fields. Container
// runtimes split lines at this size.
inline constexpr std::size_t max_log_text_size = std::size_t{16} << 10U;

// Returns "2026-01-02T03:04:05.000006Z info    the message name=value name="a value"\n". No other character of the line
// is a control character.
[[nodiscard]] std::string text_log_line(const LogRecord& record);

// Returns {"time":"2026-01-02T03:04:05.000006Z","level":"info","message":"the message","name":"value"} and a newline,
// valid JSON in UTF-8 for every record. A name occurs once: the last field with a name replaces the others, and the
// field "time", "level" or "message" has the name "field.time" and so on.
[[nodiscard]] std::string json_log_line(const LogRecord& record);

}  // namespace pintle
