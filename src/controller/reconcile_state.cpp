#include "reconcile_state.hpp"

namespace pintle {

Result<Object> ReconcileState::noted(const ClusterHandle& where, Result<Object> answer) {
  if (answer && status && &where == cluster.get()) status->rebase(*answer);
  return answer;
}

}  // namespace pintle
