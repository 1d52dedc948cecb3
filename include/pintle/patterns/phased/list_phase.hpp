// ListPhase: a phase of which only read() is to be written.
#pragma once

#include <concepts>
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

// What a ListPhase does with its lists. Events about the object of the pass tell of it: CreateCompleted,
// UpdateCompleted, DeleteCompleted. Ends at the first error.
Result<K8sDiff> diff_listed(ObjectLists& lists, const OwnerReference& owner, const IgnoreRules& ignore);
Outcome create_listed(const ObjectLists& lists, const OwnerReference& owner, Context& context);
Outcome update_listed(const ObjectLists& lists, Context& context);
Outcome remove_listed(const ObjectLists& lists, Context& context);

// read() puts the objects that there should be, and those that there are, into `lists`; the rest makes them the same.
// What is made is controlled by the object of the pass, and of what is there only that counts which is: an object of
// others stays as it is, and one that is expected where it is cannot be created. The kinds that read() asks for are for
// Controller::owns, so that they are read from the local copy and their changes bring a pass.
template <Watchable T>
class ListPhase : public K8sPhaseReconciler<T, ObjectLists> {
 public:
  // What is not to be compared. Default: the status.
  [[nodiscard]] virtual IgnoreRules ignore() const { return {}; }

  K8sDiffOutcome diff(const T& object, Context& context, ObjectLists& lists) override {
    (void)context;
    return diff_listed(lists, controller(object), ignore());
  }
  Outcome create(const T& object, Context& context, ObjectLists& lists) override {
    return create_listed(lists, controller(object), context);
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
  static OwnerReference controller(const T& object) {
    if constexpr (std::same_as<T, Object>) {
      return controller_reference(object);
    } else {
      return controller_reference(T::type, object.metadata);
    }
  }
};

}  // namespace pintle::phased
