// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/external/reconcile_steps.hpp>

namespace pintle::external {

Outcome ReconcileSteps::prepare() {
  if (auto configured = configure(); !configured) return failed(std::move(configured.error()));
  return read();
}

Outcome ReconcileSteps::change() {
  const auto needed = diff();
  if (!needed) return failed(needed.error());
  Outcome outcome = done;
  if (needed->need_create) outcome = create();
  if (needed->need_update && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), update());
  if (!outcome.is_done()) return outcome;
  return ready(on_success(*needed));
}

}  // namespace pintle::external
