#include "background.hpp"

#include <algorithm>

namespace pintle::apiserver {

Background::Background(Service& service, Duration settle)
    : service_(service),
      definitions_(service),
      namespaces_(service, settle),
      collector_(service, settle),
      mutex_(service.runtime),
      thread_(service.runtime.spawn({.name = "apiserver"}, [this] { run(); })) {}

void Background::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  service_.storage.interrupt();
  thread_.join();
}

bool Background::idle() const {
  const Version version = service_.storage.version();
  const MutexLock lock(mutex_);
  return seen_ >= version && !waits_for_time_;
}

void Background::run() {
  while (true) {
    const Version before = service_.storage.version();
    const bool registry_changed = definitions_.round();
    const Instant due = std::min(namespaces_.round(), collector_.round(registry_changed));
    {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      seen_ = before;
      waits_for_time_ = due != Instant::max();
    }
    service_.storage.wait_past(before, due);
  }
}

}  // namespace pintle::apiserver
