// SPDX-License-Identifier: Apache-2.0
#include "paused_keys.hpp"

namespace pintle {

bool PausedKeys::is_paused(const Object& object) const {
  if (annotation_.empty() || object.annotation(annotation_) != "true") return false;
  return pauses_deletion_ || !object.is_deleting();
}

void PausedKeys::add(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  keys_.insert(key);
}

bool PausedKeys::take(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  return keys_.erase(key) != 0;
}

bool PausedKeys::ends_with(const Change& change) {
  if (change.current && is_paused(change.current)) return false;
  return take(change.object().key());
}

}  // namespace pintle
