// SPDX-License-Identifier: Apache-2.0
// ChildrenApplier: applies a set of children in order, and prunes children of earlier sets.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pintle/controller/children.hpp>

#include "apply_set.hpp"
#include "controller/reconcile_state.hpp"

namespace pintle {

// Applies one set, on the thread of the reconcile. A kind is added to the annotation of the parent before its first
// member is created, and removed only after its last member was deleted. A reconcile after a crash therefore finds all
// children of earlier sets.
class ChildrenApplier {
 public:
  ChildrenApplier(Context& context, ReconcileState& state);

  [[nodiscard]] AppliedChildren apply(const ChildSet& set);

 private:
  struct Prepared {
    const ChildSet::Child* child = nullptr;
    json::Value intent{};
    GroupVersionKind kind{};
    ObjectKey key{};
  };
  // The kinds that have members, and the namespaces of members other than the namespace of the parent.
  struct Reach {
    apply_set::Names kinds{};
    apply_set::Names namespaces{};
    friend bool operator==(const Reach&, const Reach&) = default;
  };

  [[nodiscard]] Result<void> prepare(const ChildSet& set);
  [[nodiscard]] bool is_active(const ChildSet::Child& child) const;
  [[nodiscard]] Result<Prepared> prepared(const ChildSet::Child& child) const;
  [[nodiscard]] Result<void> make_part_of_set(Prepared& child) const;

  [[nodiscard]] Result<void> check_parent() const;
  [[nodiscard]] Reach recorded() const;
  // Adds the kinds that the controller owns and whose caches contain members, although the annotation lacks them.
  [[nodiscard]] Result<void> add_unrecorded(apply_set::Names& kinds);
  [[nodiscard]] Reach wanted() const;
  // Writes the kinds and namespaces to the annotations of the parent, unless they are there already.
  [[nodiscard]] Result<void> record(const Reach& reach);

  void apply_all();
  void apply_one(const Prepared& child);
  [[nodiscard]] bool causes_reconcile(const Prepared& child, const Object& applied) const;

  [[nodiscard]] Result<void> prune();
  [[nodiscard]] Result<void> prune_kind(const GroupVersionKind& kind);
  [[nodiscard]] bool is_member(const Object& object) const;
  [[nodiscard]] Result<bool> prune_member(const Object& member);
  [[nodiscard]] bool is_wanted(const Object& member) const;
  [[nodiscard]] bool must_list_from_server(const apply_set::Names& kinds) const;
  [[nodiscard]] std::string fingerprint() const;
  // Returns the kind with the version to use; nullopt if the server does not serve the kind any more.
  [[nodiscard]] Result<std::optional<GroupVersionKind>> kind_named(const std::string& name);

  Context& context_;
  ReconcileState& state_;
  Object parent_;
  const std::string id_;
  const std::string tooling_;
  std::vector<Prepared> children_;
  std::set<std::string> ready_;
  AppliedChildren result_;
};

}  // namespace pintle
