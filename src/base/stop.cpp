// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/stop.hpp>

#include <utility>

#include <pintle/base/scheduler.hpp>

namespace pintle {

// Shared with the running callback. In a simulation, only one thread runs at a time and accesses it; with a real
// executor, the members after `scheduler` are unused.
struct StopCallback::State {
  explicit State(Scheduler* of) : scheduler(of) {}

  Scheduler* scheduler;
  const Scheduler::SimulatedThread* runs_on = nullptr;
  Scheduler::Queue ended{};
};

StopCallback::StopCallback(Executor& executor, std::stop_token token, std::function<void()> on_stop)
    : state_(std::make_shared<State>(executor.scheduler())) {
  if (state_->scheduler == nullptr) {
    callback_.emplace(std::move(token), std::move(on_stop));
    return;
  }
  // The destructor of std::stop_callback blocks on a call in progress, and the scheduler cannot control that wait. In a
  // simulation, the state therefore records the call, and the destructor of StopCallback waits for its end through the
  // scheduler.
  callback_.emplace(std::move(token), [state = state_, on_stop = std::move(on_stop)] {
    state->runs_on = state->scheduler->current();
    on_stop();
    state->runs_on = nullptr;
    state->scheduler->notify(state->ended, true);
  });
}

StopCallback::~StopCallback() {
  Scheduler* const scheduler = state_->scheduler;
  if (scheduler == nullptr) return;
  while (state_->runs_on != nullptr && state_->runs_on != scheduler->current()) {
    scheduler->wait(state_->ended, "the end of a stop callback");
  }
}

}  // namespace pintle
