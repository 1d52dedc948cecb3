// SPDX-License-Identifier: Apache-2.0
#include "reconcile_state.hpp"

namespace pintle {

Result<Object> ReconcileState::noted(const ClusterHandle& where, Result<Object> result) {
  if (result && status && &where == cluster.get()) status->rebase(*result);
  return result;
}

}  // namespace pintle
