// SPDX-License-Identifier: Apache-2.0
// first error: Controller: .reconcile is missing; set it to the reconcile function
#include <pintle/pintle.hpp>

auto controller() {
  return pintle::Controller<pintle::ConfigMap>{
      .owns = {pintle::Secret::type},
#ifndef WITH_ERROR
      .reconcile = [](const pintle::ConfigMap&, pintle::Context&) -> pintle::Outcome { return pintle::done; }
#endif
  };
}
