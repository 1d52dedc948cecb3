// SPDX-License-Identifier: Apache-2.0
#include "first_lists.hpp"

#include <algorithm>

#include <pintle/base/random.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Duration max_jitter = std::chrono::milliseconds(100);

}  // namespace

FirstLists::FirstLists(http::Transport& transport)
    : transport_(transport), state_(std::make_shared<State>(transport.executor())) {}

void FirstLists::start(const std::vector<Informer*>& informers) {
  {
    const MutexLock lock(state_->mutex);
    state_->waiting.insert(state_->waiting.begin(), informers.begin(), informers.end());
  }
  for (std::size_t i = 0; i < std::min(max_running, informers.size()); ++i) start_next(i == 0);
}

void FirstLists::add(Informer& informer) {
  {
    const MutexLock lock(state_->mutex);
    state_->waiting.push_back(&informer);
    if (state_->running.size() >= max_running) return;  // note_result() starts it
  }
  start_next(false);
}

void FirstLists::note_result(const Informer& informer) {
  {
    const MutexLock lock(state_->mutex);
    const auto at = std::find(state_->running.begin(), state_->running.end(), &informer);
    if (at == state_->running.end()) return;
    state_->running.erase(at);
  }
  start_next(false);
}

bool FirstLists::cancel(const Informer& informer) {
  {
    const MutexLock lock(state_->mutex);
    const auto waiting = std::find(state_->waiting.begin(), state_->waiting.end(), &informer);
    if (waiting != state_->waiting.end()) {
      state_->waiting.erase(waiting);
      return true;
    }
    if (state_->starting.erase(&informer) == 0) return false;
  }
  note_result(informer);  // its place is free
  return true;
}

void FirstLists::stop() {
  const MutexLock lock(state_->mutex);
  state_->stopped = true;
}

void FirstLists::start_next(bool is_first) {
  Informer* next = nullptr;
  {
    const MutexLock lock(state_->mutex);
    if (state_->stopped || state_->waiting.empty()) return;
    next = state_->waiting.front();
    state_->waiting.pop_front();
    state_->running.push_back(next);
    if (!is_first) state_->starting.insert(next);
  }
  if (is_first) return next->start();
  Executor& executor = transport_.executor();
  const auto jitter = std::chrono::duration_cast<Duration>(max_jitter * Random::to_unit(executor.random()));
  (void)transport_.start_timer(after(executor.now(), jitter), [state = state_, next] {
    // The lock is held, so that stop() waits for a start in progress.
    const MutexLock lock(state->mutex);
    if (!state->stopped && state->starting.erase(next) != 0) next->start();
  });
}

}  // namespace pintle
