// InformerController: brings what informers see to watchers and reconcilers, in order and with retries.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/manager/manager.hpp>
#include <pintle/patterns/watcher/informer.hpp>
#include <pintle/patterns/watcher/operator.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>
#include <pintle/patterns/watcher/retry.hpp>

namespace pintle::watcher {

// One call of a handler that failed.
struct Failure {
  const Error& error;
  std::string_view resource_kind{};
  ReconcileAction action = ReconcileAction::unknown;
  const Object& object;
  unsigned attempt = 0;   // 0 for the first call, n for the n-th retry
  bool is_final = false;  // it is not tried again; the next event or resync is
};

// Told of every failure of a handler, on its worker. May not throw.
using ErrorHandler = std::function<void(const Failure& failure, Context& context)>;

// Writes a line with component=InformerController. Failures are in the log without it too, once for each pass.
void default_error_handler(const Failure& failure, Context& context);

struct InformerControllerConfig {
  std::string metrics_namespace{};  // before the names of its metrics, with "_" between
  ErrorHandler error_handler{};
  RetryPolicy retry_policy = default_retry_policy();  // empty: nothing is tried again
  // Default: what is new drops the retries of its object. A resync never drops one.
  RetryDequeuePolicy retry_dequeue_policy{};
};

// Each event of an informer is told to the watchers of its resource kind in the order they were added, then to the
// reconcilers in theirs; one that fails does not keep it from the others. Each has retries of its own, which wait in
// the queue and hold up nothing. Calls about one object of one informer never overlap, and once a newer event has
// been told no call has an older object.
//
// What waits for an object is bounded. While it waits, events merge as far as the handlers cannot tell: an update into
// what came before, and all that a deleted object had into its deletion, so at most two wait, a deletion and what
// followed it under the same name. For each handler at most three retries wait, one an action (create, update, delete):
// a call that fails takes the place of the retry of the same action. Nothing is kept of an object for which nothing
// waits, apart from what Opinionated* have to clean up. What waits is not kept over a restart; what is there then is
// told as created, and Opinionated* know the rest.
//
// A change that leaves metadata.generation as it is has a handler that failed called at once, but its back-off goes on.
// The event of what a handler writes comes with a later pass, not within the one that writes; the back-off of a handler
// that failed goes on then too, whatever was written. A retry comes no earlier than Error::retry_after says, and at
// least 10 ms after the retry before.
//
// An error that is Error::terminal() is given up at once. Construction and add_ never fail: what is wrong is kept, and
// Manager::start() answers it. Handlers may be added and removed at any time, also by a handler; a handler that is
// removed loses its retries, and is not called again unless it is being called. Thread-safe.
class InformerController final : public Controller {
 public:
  explicit InformerController(Runtime& runtime, InformerControllerConfig config = {});
  ~InformerController() override;
  InformerController(const InformerController&) = delete;
  InformerController& operator=(const InformerController&) = delete;

  // `resource_kind` is a name of one's own that brings informers and handlers together. Each informer of a kind tells
  // all handlers of the kind. One that is added after add_to() is not started.
  void add_informer(KubernetesBasedInformer informer, std::string resource_kind);
  void add_informer(std::shared_ptr<Informer> informer, std::string resource_kind);

  void add_watcher(std::shared_ptr<ResourceWatcher> watcher, std::string resource_kind);
  void add_reconciler(std::shared_ptr<Reconciler> reconciler, std::string resource_kind);
  // The first of this identity; nothing when there is none.
  void remove_watcher(const std::shared_ptr<ResourceWatcher>& watcher, std::string_view resource_kind);
  void remove_reconciler(const std::shared_ptr<Reconciler>& reconciler, std::string_view resource_kind);
  void remove_all_watchers_for_resource(std::string_view resource_kind);
  void remove_all_reconcilers_for_resource(std::string_view resource_kind);

  // What was wrong with what was added, in its order.
  [[nodiscard]] std::vector<Error> errors() const;
  // Objects for which something waits: an event, or a retry.
  [[nodiscard]] std::size_t waiting() const;

  // Has the manager run its informers, a controller each, and answer its errors as it starts. Once, before that.
  bool add_to(Manager& manager) override;
  // The manager does its work; waits until stop.
  Result<void> run(const std::stop_token& stop) override;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace pintle::watcher
