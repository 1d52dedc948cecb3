// SPDX-License-Identifier: Apache-2.0
// first error: Controller: .watch is missing; set it to the kind
#include <pintle/pintle.hpp>

auto controller() {
  return pintle::Controller<pintle::Object>{
#ifndef WITH_ERROR
      .watch = {"v1", "ConfigMap"},
#endif
      .reconcile = [](const pintle::Object&, pintle::Context&) -> pintle::Outcome { return pintle::done; }};
}
