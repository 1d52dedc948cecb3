// SPDX-License-Identifier: Apache-2.0
#include "lag.hpp"

#include <algorithm>

namespace pintle::apiserver {

Version Lag::reached(const Storage& storage, std::string_view collection, Instant now) const {
  if (is_over_) return storage.version();
  const Instant moment = now - std::min(stale_.age, now.time_since_epoch());
  return storage.version_before(collection, stale_.versions, moment);
}

}  // namespace pintle::apiserver
