// SPDX-License-Identifier: Apache-2.0
// LineWriter: writes whole lines to a file descriptor that may be closed, full or not read.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <system_error>

#include <pintle/base/time.hpp>

namespace pintle {

// Thread-safety: used by one thread at a time.
class LineWriter {
 public:
  // A call of write() waits at most `patience` for the reader of a pipe, a socket or a terminal. The descriptor is not
  // closed and its flags are not changed, because other processes may share them.
  LineWriter(int descriptor, Duration patience) : descriptor_(descriptor), patience_(patience) {}

  // Writes a line, which ends with a newline, in one system call if a pipe accepts it as a unit (4096 bytes) or the
  // descriptor is a file. Error: the line is lost, in whole or in part, for example because the pipe is closed or the
  // disk is full; the signal SIGPIPE is not raised. After such an error, a line waits for the reader only after another
  // line was written, and begins on a new line.
  [[nodiscard]] std::error_code write(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::error_code write_all(std::string_view text);
  [[nodiscard]] std::error_code wait_for_room(Clock::time_point until) const noexcept;

  const int descriptor_;
  const Duration patience_;
  bool is_failing_ = false;  // the last line was lost
  bool is_torn_ = false;     // the output does not end with a newline
};

}  // namespace pintle
