#include <pintle/patterns/phased/list_phase.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <pintle/object/owner.hpp>

namespace pintle::phased {
namespace {

// One Event of all that one step has done, as those of one reason are counted and not listed.
class Told {
 public:
  Told(Context& context, std::string_view reason) : context_(context), reason_(reason) {}
  ~Told() {
    if (!names_.empty()) context_.event(EventType::normal, reason_, names_);
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  void add(const Object& object) {
    names_ += (names_.empty() ? "" : ", ") + std::string(object.kind()) + " " + object.key().to_string();
  }

 private:
  Context& context_;
  const std::string_view reason_;
  std::string names_;
};

}  // namespace

Outcome ObjectLists::find(Context& context, const GroupVersionKind& kind, const ListOptions& options) {
  auto found = context.list(kind, options);
  if (!found) return failed(std::move(found.error()));
  current.insert(current.end(), found->begin(), found->end());
  return settled;
}

Result<K8sDiff> diff_listed(ObjectLists& lists, const OwnerReference& owner, const IgnoreRules& ignore) {
  std::erase_if(lists.current, [&](const Object& one) {
    const auto controller = controller_of(one);
    return !controller || controller->uid != owner.uid;
  });
  auto diff = diff_lists(lists.expected, lists.current, ignore);
  if (!diff) return fail(std::move(diff.error()).terminal());
  lists.diff = std::move(*diff);
  return lists.diff.summary();
}

Outcome create_listed(const ObjectLists& lists, const OwnerReference& owner, Context& context) {
  Told told(context, "CreateCompleted");
  for (const json::Value& one : lists.diff.create) {
    auto created = context.create(with_controller(with_last_applied(one), owner));
    if (!created) return failed(std::move(created.error()));
    told.add(*created);
  }
  return settled;
}

Outcome update_listed(const ObjectLists& lists, Context& context) {
  Told told(context, "UpdateCompleted");
  for (const ObjectUpdate& one : lists.diff.update) {
    if (auto updated = context.patch(one.current, one.patch); !updated) return failed(std::move(updated.error()));
    told.add(one.current);
  }
  return settled;
}

Outcome remove_listed(const ObjectLists& lists, Context& context) {
  Told told(context, "DeleteCompleted");
  for (const Object& one : lists.diff.remove) {
    if (auto removed = context.remove(one); !removed) return failed(std::move(removed.error()));
    told.add(one);
  }
  return settled;
}

}  // namespace pintle::phased
