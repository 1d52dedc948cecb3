// Context: what a reconcile works with: reads, writes, why it runs, and when it has to stop.
#pragma once

#include <any>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/controller/children.hpp>
#include <pintle/controller/cluster_context.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/events/event_type.hpp>
#include <pintle/object/object.hpp>
#include <pintle/telemetry/scoped_span.hpp>

namespace pintle {

class StatusDraft;  // controller/status_writer.hpp

// One a pass, used by the thread of that pass alone. It reads and writes in the cluster of its controller.
class Context : public ClusterContext {
 public:
  explicit Context(Pass& pass);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Applies children of the object of this pass, each as the others, in the order they name: one that comes after
  // others waits until those are ready. Once all have been applied, what was applied for this object before and is no
  // longer in the set is removed, if the object still is its controller. Members and parent are marked as an apply set
  // (KEP-3659): labels and annotations of applyset.kubernetes.io, which needs the right to patch the object of the
  // pass. Members have the annotation pintle.dev/part-of too, so that one whose label somebody removed is still pruned:
  // always where its kind is watched without a selector, otherwise if this process has applied the set before or the
  // kind is no longer in it. A set with faults (see ChildSet::in_order) fails the pass for good, before anything is
  // sent.
  AppliedChildren apply(const ChildSet& children);

  using ClusterContext::apply;

  // Another cluster of the manager, or its own by the name home_cluster. What this controller watches there is read
  // from the local copy. Error: invalid, for a name that ManagerOptions::clusters does not have.
  Result<ClusterContext> cluster(std::string_view name);

  // What to say about the object of this pass; written once, when the pass ends, also when it failed.
  [[nodiscard]] StatusDraft& status();

  // Tells people: an Event about the object of this pass, sent in the background. Never fails the pass; dropped, and
  // counted, when too many wait.
  void event(EventType type, std::string_view reason, std::string_view note);

  // Why this pass runs; at least one.
  [[nodiscard]] const std::vector<ReconcileCause>& causes() const noexcept;

  // A value of this type that lives as long as the pass, made when it is first asked for; to hand things from one step
  // of a pass to another.
  template <class T>
  [[nodiscard]] T& slot() {
    std::any& place = slot_of(typeid(T));
    if (!place.has_value()) place.emplace<T>();
    return *std::any_cast<T>(&place);
  }

  // In a catch handler, for whoever calls several functions of an author, one of which must not keep the others from
  // being called: the exception as an error, "WHAT threw …", counted as those are that reach the worker.
  [[nodiscard]] Error thrown(std::string_view what);

  // Requested when the operator stops, and at the deadline.
  [[nodiscard]] std::stop_token stop_token() const noexcept;
  // From now on stop_token() and every call of the context use this token. Returns the one before, to be put back: for
  // code that ends a part of the reconcile earlier.
  std::stop_token exchange_stop_token(std::stop_token stop) noexcept;
  // Whether the controller declares that it owns this kind and is woken by controller references alone
  // (OwnerMatch::controller): a child needs one, or its changes wake nobody.
  [[nodiscard]] bool owns_by_controller(const GroupVersionKind& kind) const;
  // When the controller's timeout ends this pass; Instant::max() when it has none.
  [[nodiscard]] Instant deadline() const noexcept;
  [[nodiscard]] Runtime& runtime() const noexcept;
  // As whom the controller writes: "<manager>/<controller>".
  [[nodiscard]] const std::string& field_manager() const noexcept;
  [[nodiscard]] const Log& log() const noexcept;
  // The span of this pass, for more attributes and events; one that forgets them when nobody traces.
  [[nodiscard]] Span& span() noexcept;
  // A span for a part of this pass, below that of the part around it, to the end of the scope.
  [[nodiscard]] ScopedSpan begin_span(std::string name, std::vector<SpanAttribute> attributes = {});

 private:
  [[nodiscard]] std::any& slot_of(std::type_index type);
};

}  // namespace pintle
