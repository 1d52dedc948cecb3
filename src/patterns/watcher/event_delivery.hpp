// SPDX-License-Identifier: Apache-2.0
// EventDelivery: delivers the events of one informer to the handlers of its resource kind, in the reconciles of a
// controller.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/cache/dispatcher.hpp>
#include <pintle/patterns/watcher/informer_controller.hpp>

#include "cleanup_ledger.hpp"
#include "handlers.hpp"
#include "pending_events.hpp"
#include "watcher_metrics.hpp"

namespace pintle::watcher {

// The state that all deliveries of a resource kind share.
struct Kind {
  Kind(Executor& executor, std::string name_) : name(std::move(name_)), handlers(executor) {}

  const std::string name;
  Handlers handlers;
};

// Thread-safe, with one reconcile at a time for each object.
class EventDelivery {
 public:
  EventDelivery(Executor& executor, MetricsRegistry& registry, const InformerControllerOptions& config,
                std::shared_ptr<Kind> kind, Duration resync);

  // Stores the events of a change for the next reconcile of the object. For a controller with a watch: deletions are
  // delivered by gone().
  void observe(const Change& change);
  // The same for a change that a custom informer reported. Includes deletions, because nothing else delivers them.
  void observe_all(const Change& change);

  // Delivers the stored events to the handlers, and makes the retries that are due.
  Outcome reconcile(const Object& object, Context& context);
  Outcome gone(const Object& last, Context& context);
  // The same for everything that waits under the name of the object, whatever its uid.
  Outcome carry_all(const Object& object, Context& context);

  // Drops everything that is stored for a handler that was removed.
  void forget(HandlerId handler);

  [[nodiscard]] PendingEvents& pending_events() noexcept { return pending_; }
  [[nodiscard]] Executor& executor() const noexcept { return executor_; }
  [[nodiscard]] const std::shared_ptr<Kind>& kind() const noexcept { return kind_; }

 private:
  class Round;

  [[nodiscard]] bool wants_resync(const ObjectKey& key, const Context& context);

  Executor& executor_;
  const InformerControllerOptions config_;
  const std::shared_ptr<Kind> kind_;
  const Duration resync_;
  const WatcherMetrics metrics_;
  PendingEvents pending_;
  CleanupLedger ledger_;
};

}  // namespace pintle::watcher
