// SPDX-License-Identifier: Apache-2.0
// InformerController: delivers the events of informers to watchers and reconcilers, in order and with retries.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/patterns/watcher/informer.hpp>
#include <pintle/patterns/watcher/operator.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>
#include <pintle/patterns/watcher/retry.hpp>

namespace pintle::watcher {

/// One failed call of a handler.
struct Failure {
  const Error& error;
  std::string_view resource_kind{};
  ReconcileAction action = ReconcileAction::unknown;
  const Object& object;
  unsigned attempt = 0;   ///< 0 for the first call, n for the n-th retry
  bool is_final = false;  ///< no retry follows; the handler is called for the next event or resync
};

/// Called for each failure of a handler, on its worker. Must not throw.
using ErrorHandler = std::function<void(const Failure& failure, Context& context)>;

/// Logs a line with component=InformerController. With any error handler, the failures of a reconcile are also logged
/// together when the reconcile ends.
PINTLE_EXPORT void default_error_handler(const Failure& failure, Context& context);

struct InformerControllerOptions {
  std::string metrics_namespace{};  ///< prefix of the names of its metrics, separated by "_"
  ErrorHandler error_handler{};
  RetryPolicy retry_policy = default_retry_policy();  ///< empty: no retries
  /// Default: a new event drops the retries of its object. A resync never drops a retry.
  RetryDequeuePolicy retry_dequeue_policy{};
};

/// Each event of an informer is delivered to the watchers of its resource kind, then to the reconcilers, each in the
/// order in which they were added. A handler that fails does not prevent the calls of the others. Each handler has its
/// own retries, which wait in the work queue and block nothing. Calls for one object of one informer never overlap, and
/// after a newer event was delivered, no call receives an older object.
///
/// The memory for each object is bounded. Its events merge while they wait, in a way that handlers cannot observe: an
/// update merges into the event before it, and all events of a deleted object merge into its deletion. At most two
/// events wait: a deletion, and the event of a new object of the same name. For each handler at most three retries
/// wait, one for each action (create, update, delete); a call that fails replaces the retry of the same action. If
/// nothing waits for an object, nothing is kept for it, except the clean-ups that Opinionated handlers still have to
/// do. Waiting events and retries are lost in a restart; the objects that exist then are delivered as created, and
/// Opinionated handlers recognize those that they have handled.
///
/// After a change that leaves metadata.generation as it is, a handler that failed is called at once, but its back-off
/// is not reset. The event of a write by a handler is delivered in a later reconcile, not in the reconcile that writes.
/// Such an event resets no back-off either, even if the write changed metadata.generation. A retry happens no earlier
/// than Error::retry_after, and at least 10 ms after the previous retry.
///
/// An Error::terminal() is not retried. The constructor and the add_ functions never fail; Manager::start() returns
/// their errors. Handlers can be added and removed at any time, also by a handler. A handler that is removed loses its
/// retries and is not called again; a call that runs at that time is completed. Thread-safe.
class PINTLE_EXPORT InformerController final : public Controller {
 public:
  explicit InformerController(Executor& executor, InformerControllerOptions config = {});
  ~InformerController() override;
  InformerController(const InformerController&) = delete;
  InformerController& operator=(const InformerController&) = delete;

  /// `resource_kind` is any name that connects informers and handlers: each informer of that name delivers to all
  /// handlers of that name. An informer that is added after add_to() is not started.
  void add_informer(KubernetesBasedInformer informer, std::string resource_kind);
  void add_informer(std::shared_ptr<Informer> informer, std::string resource_kind);

  /// If another handler of this resource kind already has the finalizer of an Opinionated handler, the handler is not
  /// added, and validate() returns an error: the first of the two that cleans up would remove the finalizer of both.
  /// Handlers of other resource kinds or other InformerControllers that receive the same objects need different
  /// finalizers too, as do Opinionated handlers that another handler calls; this is not checked.
  void add_watcher(std::shared_ptr<ResourceWatcher> watcher, std::string resource_kind);
  void add_reconciler(std::shared_ptr<Reconciler> reconciler, std::string resource_kind);
  /// Removes the first handler that is this very object; no effect if there is none.
  void remove_watcher(const std::shared_ptr<ResourceWatcher>& watcher, std::string_view resource_kind);
  void remove_reconciler(const std::shared_ptr<Reconciler>& reconciler, std::string_view resource_kind);
  void remove_all_watchers_for_resource(std::string_view resource_kind);
  void remove_all_reconcilers_for_resource(std::string_view resource_kind);

  /// The errors of the add_ functions, in their order.
  [[nodiscard]] std::vector<Error> validate() const;
  /// The number of objects for which an event or a retry waits.
  [[nodiscard]] std::size_t waiting() const;

  /// Adds a controller for each informer to the manager, and the errors, which Manager::start() returns. Call it once,
  /// before the manager starts.
  bool add_to(Manager& manager) override;
  /// Waits until a stop is requested; the manager does the work.
  Result<void> run(const std::stop_token& stop) override;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace pintle::watcher
