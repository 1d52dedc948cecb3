// SPDX-License-Identifier: Apache-2.0
#include "fence.hpp"

#include <algorithm>

namespace pintle {

void Fence::open_for(const Term& term) {
  const MutexLock lock(mutex_);
  held_ = true;
  was_held_ = true;
  term_ = term;
}

void Fence::close(bool has_ended) {
  const MutexLock lock(mutex_);
  held_ = false;
  if (has_ended) term_.ends = std::min(term_.ends, executor_.now());
}

Result<void> Fence::check() const {
  const MutexLock lock(mutex_);
  if (held_ && executor_.now() < term_.write_until) return {};
  return fail(
      ErrorCode::cancelled,
      "the lease " + lease_ + (was_held_ ? " is not held any more, so another instance may work now" : " is not held"));
}

Instant Fence::ends() const {
  const MutexLock lock(mutex_);
  return term_.ends;
}

}  // namespace pintle
