// SPDX-License-Identifier: Apache-2.0
#include "background.hpp"

#include <algorithm>
#include <utility>

namespace pintle::apiserver {
namespace {

// Writes in quick succession are processed together.
constexpr Duration gathering = std::chrono::milliseconds(1);

}  // namespace

Background::Background(Service& service, Duration termination_delay)
    : service_(service),
      termination_delay_(termination_delay),
      definitions_(service),
      mutex_(service.executor),
      thread_(service.executor.spawn({.name = "apiserver"}, [this] { run(); })) {}

void Background::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  service_.storage.interrupt();
  thread_.join();
}

bool Background::is_idle() const {
  const std::uint64_t writes = service_.storage.writes();
  const MutexLock lock(mutex_);
  return processed_ >= writes && !waits_for_time_;
}

void Background::begin_anew() {
  definitions_.begin_anew();
  namespaces_.emplace(service_, termination_delay_);
  collector_.emplace(service_, termination_delay_);
  kubelets_.emplace(service_, termination_delay_);
  flow_schemas_.emplace(service_);
}

void Background::run() {
  begin_anew();
  std::uint64_t rewinds = 0;
  while (true) {
    const std::uint64_t before = service_.storage.writes();
    if (const std::uint64_t now = service_.storage.rewinds(); now != std::exchange(rewinds, now)) begin_anew();
    const bool registry_changed = definitions_.round();
    flow_schemas_->round();
    const Instant due = std::min({namespaces_->round(), collector_->round(registry_changed), kubelets_->round()});
    {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      processed_ = before;
      waits_for_time_ = due != Instant::max();
    }
    if (service_.storage.wait_past(before, due)) service_.executor.sleep_for(gathering);
  }
}

}  // namespace pintle::apiserver
