// SPDX-License-Identifier: Apache-2.0
#include "handlers.hpp"

#include <algorithm>

namespace pintle::watcher {
namespace {

Outcome call_watcher(ResourceWatcher& watcher, const Delivery& delivery, Context& context) {
  switch (delivery.action) {
    case ReconcileAction::created: return watcher.added(delivery.object, context);
    case ReconcileAction::updated:
    case ReconcileAction::resynced: return watcher.updated(delivery.old, delivery.object, context);
    case ReconcileAction::deleted: return watcher.deleted(delivery.object, context);
    case ReconcileAction::unknown: break;
  }
  return done;
}

}  // namespace

ReconcileResult Handler::call(const Delivery& delivery, const State& state, Context& context) const {
  if (is_watcher()) return call_watcher(*std::get<0>(who), delivery, context);
  return std::get<1>(who)->reconcile({delivery.action, delivery.object, state}, context);
}

std::optional<Handler> Handlers::find(HandlerId id) const {
  const std::shared_ptr<const List> all = list();
  const auto found = std::find_if(all->begin(), all->end(), [&](const Handler& one) { return one.id == id; });
  return found == all->end() ? std::nullopt : std::optional(*found);
}

Handlers::List::iterator Handlers::end_of_watchers(List& list) {
  return std::find_if(list.begin(), list.end(), [](const Handler& one) { return !one.is_watcher(); });
}

}  // namespace pintle::watcher
