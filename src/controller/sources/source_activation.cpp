// SPDX-License-Identifier: Apache-2.0
#include "source_activation.hpp"

#include <utility>

namespace pintle {

SourceActivation::SourceActivation(http::Transport& transport, ServedKinds& served, FirstLists& first_lists, Log log)
    : transport_(transport),
      served_(served),
      first_lists_(first_lists),
      log_(std::move(log)),
      state_(std::make_shared<State>(transport.executor())) {}

void SourceActivation::add(Informer& informer, std::optional<Resource> resource, bool may_never_come) {
  informer.suspend();
  const MutexLock lock(state_->mutex);
  state_->sources[&informer] = {
      .informer = &informer, .resource = std::move(resource), .may_never_come = may_never_come};
}

void SourceActivation::need(const Informer& informer) {
  const MutexLock lock(state_->mutex);
  const auto found = state_->sources.find(&informer);
  if (found == state_->sources.end() || state_->stopped) return;
  Source& source = found->second;
  if (source.needs++ > 0) return;
  if (source.timer) transport_.cancel_timer(*std::exchange(source.timer, {}));
  if (std::exchange(source.is_active, true)) return;
  log_.info("a kind is watched from now on, because an object needs it", {{"resource", informer.title()}});
  if (source.resource) return source.informer->begin(*source.resource);
  source.informer->withdraw();  // `inactive` becomes `waiting`
  served_.await(*source.informer, source.may_never_come);
}

void SourceActivation::release(const Informer& informer) {
  const MutexLock lock(state_->mutex);
  const auto found = state_->sources.find(&informer);
  if (found == state_->sources.end() || state_->stopped) return;
  Source& source = found->second;
  if (source.needs == 0 || --source.needs > 0) return;
  suspend_later(source);
}

// A timer that fires while need() runs finds a need or no `timer`, and does nothing.
void SourceActivation::suspend_later(Source& source) {
  const Instant due = after(transport_.executor().now(), linger);
  source.timer = transport_.start_timer(due, [this, state = state_, key = &*source.informer] {
    const MutexLock lock(state->mutex);
    if (state->stopped) return;
    Source& idle = state->sources.at(key);
    if (idle.needs > 0 || !std::exchange(idle.timer, {})) return;
    idle.is_active = false;
    served_.forget(*idle.informer);
    first_lists_.remove(*idle.informer);
    idle.informer->suspend();
    log_.info("a kind is not watched any more, because no object needs it", {{"resource", key->title()}});
  });
}

void SourceActivation::stop() {
  const MutexLock lock(state_->mutex);
  state_->stopped = true;
}

}  // namespace pintle
