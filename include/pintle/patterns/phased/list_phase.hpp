// SPDX-License-Identifier: Apache-2.0
// ListPhase: a phase that is defined by two lists of objects; its author writes only name() and read().
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/patterns/phased/list_diff.hpp>
#include <pintle/patterns/phased/reconciler.hpp>

namespace pintle::phased {

/// The lists that read() fills, and the difference that is computed from them.
struct PINTLE_EXPORT ObjectLists {
  std::vector<json::Value> expected{};
  std::vector<Object> current{};
  ListDiff diff{};

  template <Described T>
  void expect(const T& object) {
    expected.push_back(encode_for_apply(object));
  }
  /// Adds the existing objects of a kind to `current`.
  Outcome find(Context& context, const GroupVersionKind& kind, const CacheListOptions& options);
};

/// The phase and the object that the listed objects belong to.
struct ListOwner {
  std::string phase{};
  OwnerReference controller{};
};

/// The updates that changed nothing: the server stores another form of a value than the expected one, for example
/// "1" for the quantity "1000m". While the object keeps its version, such an update need not be sent again. At most
/// `max_updates` are stored, and fewer if their hashes collide; an update that is not stored is sent again.
/// Thread-safe.
class PINTLE_EXPORT UpdatesWithoutEffect {
 public:
  static constexpr std::size_t max_updates = 4096;

  [[nodiscard]] bool contains(const ObjectUpdate& update) const;
  void add(const ObjectUpdate& update);

 private:
  std::array<std::atomic<std::uint64_t>, max_updates> hashes_{};
};

/// The steps of a ListPhase. Each step ends at the first error. The Events CreateCompleted, UpdateCompleted and
/// DeleteCompleted of the reconciled object name the objects that were changed. In an expected Secret, diff_listed()
/// replaces `stringData` by `data`, as the server does. It leaves out the updates in `without_effect`, to which
/// update_listed() adds.
PINTLE_EXPORT Result<K8sDiff> diff_listed(ObjectLists& lists, const ListOwner& owner, const DiffOptions& ignore,
                                          const UpdatesWithoutEffect& without_effect, Context& context);
PINTLE_EXPORT Outcome create_listed(const ObjectLists& lists, const ListOwner& owner, Context& context);
PINTLE_EXPORT Outcome update_listed(const ObjectLists& lists, UpdatesWithoutEffect& without_effect, Context& context);
PINTLE_EXPORT Outcome remove_listed(const ObjectLists& lists, Context& context);

/// Called when a reconcile continues after this phase has failed. Unless the phase has stated which objects it expects
/// (its diff_listed() succeeded), the ListPhases that follow in the reconcile remove nothing, because the phase may
/// expect their objects.
PINTLE_EXPORT void defer_removals_after(const std::string& failed_phase, Context& context);

/// Called after the last phase of a reconcile in which no phase failed. Records the Warning Event UnclaimedObjects,
/// which names the objects that a ListPhase created, that no phase expects any more, and whose label pintle.dev/phase
/// is missing or is that of a phase that no longer exists.
PINTLE_EXPORT void report_unclaimed(Context& context);

/// read() stores the objects that should exist and the objects that do exist in `lists`; the other steps remove the
/// differences. Controller::owns must contain the kinds that read() finds with ObjectLists::find(), so that their
/// changes cause a reconcile. find() returns an error for a kind that the controller neither owns nor watches.
///
/// A phase changes only objects whose controller is the object of the reconcile. The value of the label
/// pintle.dev/phase marks the objects of a phase: it is phase_label_value() of the name of the phase. A phase sets its
/// mark on each object that it creates, and removes only objects with its own mark. Several phases may therefore list
/// the same kind. In detail:
/// - If an expected object has no mark or the mark of another phase, the phase takes it over: it sets its own mark and
///   keeps the object. The phase thus adopts objects that were created before pintle set marks, objects of a phase that
///   was renamed, and objects of a later phase.
/// - If an object moves to a later phase, its former phase removes it first, and it is then created again.
/// - If no phase expects an object that a phase created, and its mark is missing or is that of a phase that no longer
///   exists, the object stays; report_unclaimed() names it.
/// - If two phases expect the same object, the second phase fails and is not retried.
/// - If an expected object exists with another controller or with none, it cannot be created, and the phase fails.
/// - If an expected object names another controller, or is of a kind without namespaces although the reconciled object
///   has one, the phase fails and is not retried.
/// - If an expected object is being deleted, the phase requeues until it is gone, and then creates it again.
/// - If an earlier phase of the reconcile failed before its diff() succeeded, and its on_error() returned
///   handled_continue, the phase removes nothing.
/// - If an object that this process created is missing, it is created again only if the reconciled object still exists
///   on the server.
///
/// An object may be as large as the server accepts. The annotation pintle.dev/last-applied contains the names of its
/// members and not their values; it counts toward the limit of 256 KiB for annotations (see diff_lists).
template <Watchable T>
class ListPhase : public K8sPhaseReconciler<T, ObjectLists> {
 public:
  /// The members that are not compared. Default: the status.
  [[nodiscard]] virtual DiffOptions ignore() const { return {}; }

  K8sDiffOutcome diff(const T& object, Context& context, ObjectLists& lists) override {
    return diff_listed(lists, owner(object), ignore(), without_effect_, context);
  }
  Outcome create(const T& object, Context& context, ObjectLists& lists) override {
    return create_listed(lists, owner(object), context);
  }
  Outcome update(const T& object, Context& context, ObjectLists& lists) override {
    (void)object;
    return update_listed(lists, without_effect_, context);
  }
  Outcome remove(const T& object, Context& context, ObjectLists& lists) override {
    (void)object;
    return remove_listed(lists, context);
  }

 private:
  [[nodiscard]] ListOwner owner(const T& object) const {
    if constexpr (std::same_as<T, Object>) {
      return {this->name(), controller_reference(object)};
    } else {
      return {this->name(), controller_reference(T::type, object.metadata)};
    }
  }

  UpdatesWithoutEffect without_effect_;
};

}  // namespace pintle::phased
