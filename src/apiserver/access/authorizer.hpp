// SPDX-License-Identifier: Apache-2.0
// Authorizer: decides which requests are allowed.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/mutex.hpp>

#include "apiserver/expressions/authorizer.hpp"
#include "apiserver/registry/refusal.hpp"
#include "roles.hpp"

namespace pintle::apiserver {

// Allows everything, or what the stored roles allow. Roles take effect at once. Thread-safe.
class Authorizer {
 public:
  struct Decision {
    bool is_allowed = false;
    std::string reason{};
  };
  struct HeldRules {
    PolicyRules rules{};
    std::string error{};  // bindings to roles that do not exist
  };

  Authorizer(Executor& executor, const Storage& storage, bool evaluates_roles)
      : storage_(storage), evaluates_roles_(evaluates_roles), mutex_(executor) {}

  // False: every request is allowed.
  [[nodiscard]] bool evaluates_roles() const noexcept { return evaluates_roles_; }
  [[nodiscard]] Decision authorize(const User& user, const Action& action) const;
  // Refuses an action that is not allowed: 403.
  [[nodiscard]] StatusOr<void> check(const User& user, const Action& action) const;
  // The rules of all roles that a user has in a namespace; "": in the cluster scope.
  [[nodiscard]] HeldRules rules_of(const User& user, std::string_view namespace_) const;
  [[nodiscard]] std::shared_ptr<const Roles> roles() const;
  // The checks of an expression on behalf of a user, who must outlive the result.
  [[nodiscard]] AuthorizerFunction checks_of(const User& user) const;

 private:
  const Storage& storage_;
  const bool evaluates_roles_;
  mutable Mutex mutex_;
  mutable std::array<Version, 5> read_at_ PINTLE_GUARDED_BY(mutex_) = {};
  mutable std::shared_ptr<const Roles> roles_ PINTLE_GUARDED_BY(mutex_);
};

// The 403 of an action that a user must not do. `why` may be empty.
[[nodiscard]] Refusal not_allowed(const User& user, const Action& action, std::string_view why);

}  // namespace pintle::apiserver
