// SPDX-License-Identifier: Apache-2.0
// first error: has no non-static data member named 'resync_perod'
#include <pintle/pintle.hpp>

auto controller() {
  return pintle::Controller<pintle::ConfigMap>{
      .reconcile = [](const pintle::ConfigMap&, pintle::Context&) -> pintle::Outcome { return pintle::done; },
#ifdef WITH_ERROR
      .resync_perod = std::chrono::minutes(1)
#else
      .resync_period = std::chrono::minutes(1)
#endif
  };
}
