// SPDX-License-Identifier: Apache-2.0
#include "line_writer.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>

namespace pintle {
namespace {

// A write to a closed pipe raises SIGPIPE on the thread, and the default action of the signal terminates the process.
class WithoutBrokenPipeSignal {
 public:
  WithoutBrokenPipeSignal() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~WithoutBrokenPipeSignal() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutBrokenPipeSignal(const WithoutBrokenPipeSignal&) = delete;
  WithoutBrokenPipeSignal& operator=(const WithoutBrokenPipeSignal&) = delete;

  // Removes the signal that a write has raised.
  void discard() const noexcept {
    constexpr timespec at_once{};
    while (sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {}
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

// Returns how many bytes one write() may contain. After poll() has reported room in a pipe, a write of PIPE_BUF bytes
// does not block; a longer one may.
std::size_t max_write_size(int descriptor, std::size_t size) noexcept {
  if (size <= PIPE_BUF) return size;
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? size : PIPE_BUF;
}

}  // namespace

std::error_code LineWriter::write(const std::string& line) {
  const WithoutBrokenPipeSignal masked;
  const std::error_code error = is_torn_ ? write_all("\n" + line) : write_all(line);
  if (error == std::errc::broken_pipe) masked.discard();
  is_failing_ = static_cast<bool>(error);
  return error;
}

std::error_code LineWriter::write_all(std::string_view text) {
  const Duration patience = is_failing_ ? Duration() : patience_;
  const std::size_t most = max_write_size(descriptor_, text.size());
  auto until = Clock::now() + patience;
  while (!text.empty()) {
    if (const std::error_code error = wait_for_room(until)) return error;
    const ssize_t written = ::write(descriptor_, text.data(), std::min(text.size(), most));
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      is_torn_ = !text.empty();
      until = Clock::now() + patience;
    } else if (written == 0 || (errno != EINTR && errno != EAGAIN)) {
      return written == 0 ? std::make_error_code(std::errc::io_error) : last_error();
    } else if (Clock::now() >= until) {
      return std::make_error_code(std::errc::timed_out);
    }
  }
  return {};
}

std::error_code LineWriter::wait_for_room(Clock::time_point until) const noexcept {
  pollfd watched{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    const int ready = ::poll(&watched, 1, static_cast<int>(std::max<Duration::rep>(left.count(), 0)));
    if (ready > 0) return {};
    if (ready == 0) return std::make_error_code(std::errc::timed_out);
    if (errno != EINTR) return last_error();
  }
}

}  // namespace pintle
