// Stopping: a std::stop_token as everywhere in C++, with callbacks that a simulated run can schedule around.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <pintle/base/runtime.hpp>

namespace pintle {

// Runs a function once when stop is requested, on the thread that requests it, or at once when it was before.
// Destroying it waits for a call in progress on another thread; do not destroy it while holding a lock which the
// function takes.
class StopCallback {
 public:
  StopCallback(Runtime& runtime, std::stop_token token, std::function<void()> on_stop);
  ~StopCallback();
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::optional<std::stop_callback<std::function<void()>>> callback_;
};

}  // namespace pintle
