// SPDX-License-Identifier: Apache-2.0
#include "first_lists.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/random.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Duration max_jitter = std::chrono::milliseconds(100);

}  // namespace

FirstLists::FirstLists(http::Transport& transport)
    : transport_(transport), state_(std::make_shared<State>(transport.executor())) {}

void FirstLists::Start::operator()() const {
  if (resource) return informer->begin(*resource);
  informer->start();
}

void FirstLists::start(const std::vector<Informer*>& informers) {
  {
    const MutexLock lock(state_->mutex);
    std::deque<Start> all;
    for (Informer* informer : informers) all.push_back({.informer = informer});
    all.insert(all.end(), state_->waiting.begin(), state_->waiting.end());
    state_->waiting = std::move(all);
  }
  for (std::size_t i = 0; i < std::min(max_running, informers.size()); ++i) start_next(i == 0);
}

void FirstLists::add(Informer& informer) { add(Start{.informer = &informer}); }

void FirstLists::begin(Informer& informer, Resource resource) {
  informer.expect();
  add(Start{.informer = &informer, .resource = std::move(resource)});
}

void FirstLists::add(Start start) {
  {
    const MutexLock lock(state_->mutex);
    state_->waiting.push_back(std::move(start));
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

void FirstLists::remove(const Informer& informer) {
  {
    const MutexLock lock(state_->mutex);
    std::erase_if(state_->waiting, [&](const Start& start) { return start.informer == &informer; });
    state_->starting.erase(&informer);
  }
  note_result(informer);
}

void FirstLists::stop() {
  const MutexLock lock(state_->mutex);
  state_->stopped = true;
}

void FirstLists::start_next(bool is_first) {
  Start next;
  {
    const MutexLock lock(state_->mutex);
    if (state_->stopped || state_->waiting.empty() || state_->running.size() >= max_running) return;
    next = std::move(state_->waiting.front());
    state_->waiting.pop_front();
    state_->running.push_back(next.informer);
    if (!is_first) state_->starting.insert(next.informer);
  }
  if (is_first) return next();
  Executor& executor = transport_.executor();
  const auto jitter = std::chrono::duration_cast<Duration>(max_jitter * Random::to_unit(executor.random()));
  (void)transport_.start_timer(after(executor.now(), jitter), [state = state_, next = std::move(next)] {
    // The lock is held, so that stop() waits for a start in progress.
    const MutexLock lock(state->mutex);
    if (!state->stopped && state->starting.erase(next.informer) != 0) next();
  });
}

}  // namespace pintle
