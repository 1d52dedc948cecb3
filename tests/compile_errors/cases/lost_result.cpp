// SPDX-License-Identifier: Apache-2.0
// first error: ignoring returned value
#include <pintle/pintle.hpp>

auto controller() {
  return pintle::Controller<pintle::ConfigMap>{
      .reconcile = [](const pintle::ConfigMap& map, pintle::Context& ctx) -> pintle::Outcome {
#ifdef WITH_ERROR
        ctx.find<pintle::Secret>(map.metadata.key());
        return pintle::done;
#else
        const auto secret = ctx.find<pintle::Secret>(map.metadata.key());
        if (!secret) return secret.error();
        return pintle::done;
#endif
      }};
}
