// SPDX-License-Identifier: Apache-2.0
// Impersonation: the headers with which a sender takes the identity of another user.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include <pintle/base/mutex.hpp>
#include <pintle/http/message.hpp>

#include "authorizer.hpp"

namespace pintle::apiserver {

// Returns the user that the headers name; nothing if there are none. 400: they name no user.
[[nodiscard]] StatusOr<std::optional<User>> impersonated_user(const http::Headers& headers);

// Checks the right to impersonate. There are several modes, each with its own verbs: "impersonate:MODE" for the user
// and "impersonate-on:MODE:VERB" for the request, and last "impersonate" alone. One mode that allows it is enough.
// Thread-safe.
class Impersonation {
 public:
  Impersonation(Executor& executor, const Authorizer& authorizer) : authorizer_(authorizer), mutex_(executor) {}

  // Returns the impersonated user with all its groups. 403: the sender may not impersonate it for this action.
  [[nodiscard]] StatusOr<User> effective_user(const User& sender, const User& named, const Action& action) const;

 private:
  const Authorizer& authorizer_;
  mutable Mutex mutex_;
  // The mode that allowed the last impersonation by each sender. It is tried first, and its refusal is the response.
  mutable std::map<std::string, std::size_t> last_modes_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
