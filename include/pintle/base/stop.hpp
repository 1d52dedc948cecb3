// SPDX-License-Identifier: Apache-2.0
// StopCallback: a callback for std::stop_token that can also be simulated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>

namespace pintle {

/// Calls `on_stop` once when a stop is requested, on the thread that requests it; if the stop was requested before, the
/// constructor calls it. The destructor waits for a call in progress on another thread. Do not destroy it while holding
/// a lock that `on_stop` takes.
class PINTLE_EXPORT StopCallback {
 public:
  StopCallback(Executor& executor, std::stop_token token, std::function<void()> on_stop);
  ~StopCallback();
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::optional<std::stop_callback<std::function<void()>>> callback_;
};

}  // namespace pintle
