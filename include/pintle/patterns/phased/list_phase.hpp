// ListPhase: a phase of which only read() is to be written.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include <pintle/object/codec.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/patterns/phased/list_diff.hpp>
#include <pintle/patterns/phased/reconciler.hpp>

namespace pintle::phased {

// What read() fills in, and what the diff makes of it.
struct ObjectLists {
  std::vector<json::Value> expected{};
  std::vector<Object> current{};
  ListDiff diff{};

  template <Described T>
  void expect(const T& object) {
    expected.push_back(encode_for_apply(object));
  }
  // Adds those that are there of a kind.
  Outcome find(Context& context, const GroupVersionKind& kind, const ListOptions& options);
};

// The phase and the object that a list belongs to.
struct ListOwner {
  std::string phase{};
  OwnerReference controller{};
};

// What a ListPhase does with its lists. Events about the object of the reconcile name what was done: CreateCompleted,
// UpdateCompleted, DeleteCompleted. Ends at the first error.
Result<K8sDiff> diff_listed(ObjectLists& lists, const ListOwner& owner, const IgnoreRules& ignore, Context& context);
Outcome create_listed(const ObjectLists& lists, const ListOwner& owner, Context& context);
Outcome update_listed(const ObjectLists& lists, Context& context);
Outcome remove_listed(const ObjectLists& lists, Context& context);

// Called after the last phase of a reconcile in which no phase failed: a Warning Event, UnclaimedObjects, names the
// objects that ListPhases made and no phase of now claims.
void report_unclaimed(Context& context);

// read() puts the objects that should exist, and those that exist, into `lists`; the rest makes them equal. The kinds
// that read() asks for belong into Controller::owns, so that they are read from the local copy and their changes cause
// a reconcile.
//
// Which objects are changed: only those whose controller is the object of the reconcile. Each object that a phase makes
// carries the label pintle.dev/phase with phase_mark() of its name, and a phase removes only objects with its own mark,
// so several phases may list the same kind. An expected object without the mark of the phase is taken over: the mark is
// set and the object stays. That is how objects of versions without marks, of a phase that was renamed, and of a phase
// that comes later are adopted. An object that moves to a phase that comes later is removed by its former phase first,
// and made again. An object that was made by a phase and is now claimed by none stays; report_unclaimed() names it.
// Two phases that expect the same object are an error, which is not retried. An expected object that exists under
// another controller, or none, cannot be created, which fails the phase.
//
// Sizes: an object may be as large as the server accepts. The annotation pintle.dev/last-applied holds the names of its
// members and not their values; it counts toward the 256 KiB of annotations (see diff_lists).
template <Watchable T>
class ListPhase : public K8sPhaseReconciler<T, ObjectLists> {
 public:
  // What is not to be compared. Default: the status.
  [[nodiscard]] virtual IgnoreRules ignore() const { return {}; }

  K8sDiffOutcome diff(const T& object, Context& context, ObjectLists& lists) override {
    return diff_listed(lists, owner(object), ignore(), context);
  }
  Outcome create(const T& object, Context& context, ObjectLists& lists) override {
    return create_listed(lists, owner(object), context);
  }
  Outcome update(const T& object, Context& context, ObjectLists& lists) override {
    (void)object;
    return update_listed(lists, context);
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
};

}  // namespace pintle::phased
