// SPDX-License-Identifier: Apache-2.0
#include "overflow_sweep.hpp"

#include <utility>

namespace pintle {

bool OverflowSweep::note_rejected() {
  const MutexLock lock(mutex_);
  return !std::exchange(overflown_, true);
}

bool OverflowSweep::is_needed() const {
  const MutexLock lock(mutex_);
  return overflown_ || sweep_from_;
}

void OverflowSweep::run(const std::vector<ObjectKey>& gone, const ObjectRange& objects, const Add& add) {
  const MutexLock lock(mutex_);
  if (!overflown_ && !sweep_from_) return;
  if (!sweep_from_) {
    overflown_ = false;
    sweep_from_.emplace();
  }
  for (const ObjectKey& key : gone) {
    if (add(key)) continue;
    overflown_ = true;
    return;
  }
  for (const Object& object : objects) {
    ObjectKey key = object.key();
    if (key < *sweep_from_ || add(key)) continue;
    sweep_from_ = std::move(key);
    return;
  }
  sweep_from_.reset();
}

}  // namespace pintle
