#include <pintle/base/stop.hpp>

#include <utility>

#include <pintle/base/scheduler.hpp>

namespace pintle {

// Shared with the running callback. Touched by the one simulated thread that runs; unused on a real executor.
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
  // std::stop_callback waits in its destructor for a call that is in progress, outside the seams; so in a simulated run
  // the call is watched here and waited for through the scheduler.
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
