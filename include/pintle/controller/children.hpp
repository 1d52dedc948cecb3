// SPDX-License-Identifier: Apache-2.0
// ChildSet: all children that a reconcile declares. They are applied in dependency order; children that are no longer
// declared are pruned.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Returns whether a child is ready. The argument is the child as the server returned it. Children that depend on this
/// child are applied only once it is ready. A child that is being deleted is not ready, and the function is not called.
using ReadyCheck = std::function<bool(const Object&)>;

/// Returns a check for a condition with status True, for example condition_is_true("Available"). The check fails if the
/// status or the condition has an observedGeneration below metadata.generation.
[[nodiscard]] PINTLE_EXPORT ReadyCheck condition_is_true(std::string type);

struct ChildOptions {
  /// Ids that add() returned. The child is applied once these children are ready.
  std::vector<std::string> after{};
  ReadyCheck ready{};  ///< default: ready as soon as it is applied
  bool adopt = false;  ///< see ApplyOptions
};

/// The children of one object. Each reconcile builds a new set and passes it to Context::apply(). A plain value.
class PINTLE_EXPORT ChildSet {
 public:
  struct Child {
    std::string id{};
    json::Value intent{};
    ChildOptions options{};
  };

  /// Adds a child. Returns its id, such as "apps/v1 Deployment default/web", by which ChildOptions::after and
  /// AppliedChildren refer to the child. If the intent has no controller reference, the reconciled object becomes the
  /// controller of the child.
  std::string add(json::Value intent, ChildOptions options = {});
  template <Described T>
  std::string add(const T& intent, ChildOptions options = {}) {
    return add(encode_for_apply(intent), std::move(options));
  }

  [[nodiscard]] const std::vector<Child>& children() const noexcept { return children_; }
  /// Returns the children in dependency order. If the dependencies of several children are met, the one that was added
  /// first comes next. Error: invalid, if a child lacks apiVersion, kind or metadata.name, if two children have the
  /// same id, if `after` contains an unknown id, or if there is a cycle. The message names the child.
  [[nodiscard]] Result<std::vector<const Child*>> in_order() const;

 private:
  [[nodiscard]] Result<void> check() const;

  std::vector<Child> children_;
};

/// The result of applying a ChildSet. A plain value. It converts to an Outcome: failed if there is an error; `done` if
/// all children are ready, or if `watched` is true; otherwise `requeue`.
struct PINTLE_EXPORT AppliedChildren {
  /// Each applied child as the server returned it, by id.
  std::map<std::string, Object> objects{};
  std::vector<std::string> not_ready{};  ///< ids: applied, but not ready
  std::vector<std::string> blocked{};    ///< ids: not applied, because they depend on children that are not ready
  /// Ids of children of watched kinds that another client had changed or deleted. The apply restored them.
  std::vector<std::string> drifted{};
  std::vector<std::string> pruned{};  ///< pruned children: "v1 ConfigMap default/old"
  std::optional<Error> error{};       ///< the first error
  /// True if each change of each child in not_ready causes a reconcile. This is so if the controller owns the kind
  /// without a predicate and the cache of the kind is filled.
  bool watched = true;
  /// Ids: not applied, because their kinds are not active for the object (see Owns), or because they depend on such
  /// children. If they existed, they are in `pruned`.
  std::vector<std::string> inactive{};

  [[nodiscard]] bool all_ready() const noexcept { return !error && not_ready.empty() && blocked.empty(); }
  [[nodiscard]] Outcome outcome() const;
  operator Outcome() const { return outcome(); }  // NOLINT(google-explicit-constructor)
};

}  // namespace pintle
