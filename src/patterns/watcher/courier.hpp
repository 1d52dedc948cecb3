// Courier: takes what one informer sees to the handlers of its resource kind, in the passes of a controller.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/cache/dispatcher.hpp>
#include <pintle/patterns/watcher/informer_controller.hpp>

#include "cleanup_ledger.hpp"
#include "handlers.hpp"
#include "mailboxes.hpp"
#include "watcher_metrics.hpp"

namespace pintle::watcher {

// What all couriers of a resource kind share.
struct Kind {
  Kind(Executor& executor, std::string name_) : name(std::move(name_)), handlers(executor) {}

  const std::string name;
  Handlers handlers;
};

// Thread-safe, with one pass at a time for each object.
class Courier {
 public:
  Courier(Executor& executor, MetricsRegistry& registry, const InformerControllerConfig& config,
          std::shared_ptr<Kind> kind, Duration resync);

  // Keeps what happened for the next pass over the object. Of a controller that watches: what is gone is told by
  // gone().
  void observe(const Change& change);
  // The same for what an informer of one's own saw, of which nobody else tells.
  void hear(const Change& change);

  // Tell the handlers what was kept, and make the calls again that are due.
  Outcome reconcile(const Object& object, Context& context);
  Outcome gone(const Object& last, Context& context);
  // Whatever waits under the name of the object.
  Outcome carry_all(const Object& object, Context& context);

  // Drops what is kept for a handler that was removed.
  void forget(HandlerId handler);

  [[nodiscard]] Mailboxes& mailboxes() noexcept { return mailboxes_; }
  [[nodiscard]] Executor& executor() const noexcept { return executor_; }
  [[nodiscard]] const std::shared_ptr<Kind>& kind() const noexcept { return kind_; }

 private:
  class Round;

  [[nodiscard]] bool wants_resync(const ObjectKey& key, const Context& context);

  Executor& executor_;
  const InformerControllerConfig config_;
  const std::shared_ptr<Kind> kind_;
  const Duration resync_;
  const WatcherMetrics metrics_;
  Mailboxes mailboxes_;
  CleanupLedger ledger_;
};

}  // namespace pintle::watcher
