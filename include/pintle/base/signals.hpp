// Signals: SIGINT and SIGTERM as calls on a thread, for as long as somebody asks for them.
#pragma once

#include <functional>
#include <memory>

#include <pintle/base/result.hpp>

namespace pintle {

// While it lives, SIGINT and SIGTERM are blocked in the constructing thread and in threads it starts, and delivered
// one by one to `on_signal` on a thread of its own. Construct it before other threads. Destroying it restores the mask.
class SignalWatch {
 public:
  explicit SignalWatch(std::function<void(int signal)> on_signal);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Error: unavailable, if the system refused a descriptor. Then nothing is watched and no signal is blocked.
  [[nodiscard]] const Result<void>& started() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pintle
