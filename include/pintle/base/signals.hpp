// SPDX-License-Identifier: Apache-2.0
// SignalHandler: calls a function for SIGINT and SIGTERM.
#pragma once

#include <functional>
#include <memory>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// During its lifetime, SIGINT and SIGTERM are blocked in the constructing thread and in the threads that this thread
/// starts. A separate thread calls `on_signal` for each of these signals, one at a time. Construct it before other
/// threads start. The destructor restores the signal mask.
class PINTLE_EXPORT SignalHandler {
 public:
  explicit SignalHandler(std::function<void(int signal)> on_signal);
  ~SignalHandler();
  SignalHandler(const SignalHandler&) = delete;
  SignalHandler& operator=(const SignalHandler&) = delete;

  /// Error: unavailable, if the system refused a file descriptor. In this case no signal is watched or blocked.
  [[nodiscard]] const Result<void>& started() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pintle
