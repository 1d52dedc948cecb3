// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/backoff.hpp>

#include <algorithm>
#include <cmath>

namespace pintle {

Duration Backoff::delay(unsigned attempt, double unit) const noexcept {
  // Computed in doubles: an overflow becomes infinity, and the cap still applies.
  const double grown = static_cast<double>(base.count()) * std::pow(factor, attempt);
  const double capped = std::min(grown, static_cast<double>(cap.count()));
  const double jittered = capped * (1 + jitter * unit);
  constexpr double max_delay = 9.2e18;
  return Duration(static_cast<Duration::rep>(std::clamp(jittered, 0.0, max_delay)));
}

}  // namespace pintle
