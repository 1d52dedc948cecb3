// SPDX-License-Identifier: Apache-2.0
// Context: the object that a reconcile function uses to read, write, record Events, log and trace.
#pragma once

#include <any>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/controller/children.hpp>
#include <pintle/controller/cluster_context.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/events/event_type.hpp>
#include <pintle/object/object.hpp>
#include <pintle/telemetry/scoped_span.hpp>

namespace pintle {

class StatusDraft;  ///< controller/status_writer.hpp

/// The optional parts of an Event. Events with an equal type, reason, action and related object are one Event with a
/// count; their notes may differ.
struct EventOptions {
  std::string_view action = "Reconcile";  ///< the operation, in upper camel case: "Scale"
  Object related{};                       ///< a second object that is involved, such as a child
};

/// There is one context for each reconcile. Only the thread of the reconcile may use it. It reads and writes in the
/// cluster of its controller.
class PINTLE_EXPORT Context : public ClusterContext {
 public:
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Applies the children of the reconciled object in dependency order: a child is applied once the children in its
  /// `after` are ready. Each child is applied as by apply(intent). After all children have been applied, earlier
  /// children that are no longer in the set are deleted, if the reconciled object is still their controller.
  ///
  /// The children and the reconciled object are marked as an apply set (KEP-3659) by labels and annotations of
  /// applyset.kubernetes.io. This requires the permission to patch the reconciled object. Children also have the
  /// annotation pintle.dev/part-of, so that a child whose label was removed by another client is still pruned. Such a
  /// child can be found only in a list of all objects of its kind. This list is read if the kind is watched without a
  /// selector, if the set differs from the last set that this process applied completely for the object, or if the set
  /// contains no child of this kind any more. If another client removed the annotations of the reconciled object,
  /// earlier children are found only if the set contains their kind, or if the controller owns it without a selector.
  ///
  /// Children of a kind that is not active for the object (see Owns) are left out of the set, and so are the children
  /// that depend on them.
  ///
  /// An object has one apply set, which belongs to the controller that first applied it. Any other controller gets the
  /// error not_owned until the annotation applyset.kubernetes.io/tooling is removed from the object. The same holds for
  /// the first controller after it or its manager was renamed.
  ///
  /// If the set is invalid, nothing is sent and the result has a terminal error. A set is invalid if
  /// ChildSet::in_order() returns an error, if an intent names another controller, or if a child of a namespaced object
  /// is not in the namespace of that object.
  AppliedChildren apply(const ChildSet& children);

  using ClusterContext::apply;

  /// Returns another cluster of the manager, or its own cluster for the name home_cluster. Objects of kinds that this
  /// controller watches there are read from the cache. Error: invalid, if ManagerOptions::clusters does not have this
  /// name.
  Result<ClusterContext> cluster(std::string_view name);

  /// The status changes of this reconcile. They are written once, when the reconcile ends, even if it failed.
  [[nodiscard]] StatusDraft& status();

  /// Records an Event about the reconciled object; it is sent in the background. This never fails the reconcile. If too
  /// many Events are waiting, the Event is dropped and counted.
  void event(EventType type, std::string_view reason, std::string_view note, const EventOptions& options = {});

  /// The reconciled object, as it was when the reconcile began.
  [[nodiscard]] const Object& object() const noexcept;

  /// The reasons for this reconcile; at least one.
  [[nodiscard]] const std::vector<ReconcileCause>& causes() const noexcept;

  /// Returns a value of type `T` that exists during this reconcile. The first call creates it. Slots pass data between
  /// the steps of a reconcile.
  template <class T>
  [[nodiscard]] T& slot() {
    std::any& place = slot_of(typeid(T));
    if (!place.has_value()) place.emplace<T>();
    return *std::any_cast<T>(&place);
  }

  /// Returns the current exception as an error, "WHAT threw …". Call it in a catch handler, in code that calls several
  /// functions of the user and continues if one of them throws. The exception is counted like one that leaves the
  /// reconcile function.
  [[nodiscard]] Error current_exception_error(std::string_view what);

  /// Stop is requested when the operator stops, and at the deadline.
  [[nodiscard]] std::stop_token stop_token() const noexcept;
  /// Replaces the token that stop_token() returns and that every call of the context uses. Returns the previous token,
  /// which the caller must restore. Use it for a part of the reconcile that may have to stop earlier than the reconcile
  /// as a whole.
  std::stop_token exchange_stop_token(std::stop_token stop) noexcept;
  /// Returns whether the controller owns this kind by controller references only (OwnerMatch::controller). A child of
  /// such a kind needs a controller reference; without one, its changes cause no reconcile.
  [[nodiscard]] bool owns_by_controller(const GroupVersionKind& kind) const;
  /// Returns whether the reconciled object may have children of this kind. Returns false only for a kind that the
  /// controller owns: if OwnsOptions::active_when is false for the object, or if OwnsOptions::if_served is set and the
  /// server does not serve the kind.
  [[nodiscard]] bool is_active(const GroupVersionKind& kind) const;
  /// The time at which the timeout of the controller ends this reconcile; Instant::max() without a timeout.
  [[nodiscard]] Instant deadline() const noexcept;
  [[nodiscard]] Executor& executor() const noexcept;
  /// The field manager of all writes of the controller: "<manager>/<controller>".
  [[nodiscard]] const std::string& field_manager() const noexcept;
  [[nodiscard]] const Log& log() const noexcept;
  /// The span of this reconcile, for additional attributes and events. Without a tracer, they are discarded.
  [[nodiscard]] Span& span() noexcept;
  /// Starts a span for a part of this reconcile. It ends with its scope. Its parent is the innermost span of the
  /// reconcile.
  [[nodiscard]] ScopedSpan start_span(std::string name, std::vector<SpanAttribute> attributes = {});

 private:
  friend class ReconcileState;
  explicit Context(ReconcileState& state);

  [[nodiscard]] std::any& slot_of(std::type_index type);
};

}  // namespace pintle
