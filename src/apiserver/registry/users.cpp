// SPDX-License-Identifier: Apache-2.0
#include "users.hpp"

#include <openssl/crypto.h>

namespace pintle::apiserver {

std::optional<User> Users::sender(const http::Request& request) const {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view authorization = request.headers.get("Authorization").value_or("");
  if (!token_.empty() && authorization.starts_with(scheme)) return holder(authorization.substr(scheme.size()));
  if (request.peer != nullptr) {
    User user{.name = request.peer->common_name, .groups = request.peer->organizations};
    user.groups.emplace_back("system:authenticated");
    return user;
  }
  if (!token_.empty()) return std::nullopt;
  return User{.name = "system:anonymous", .groups = {"system:unauthenticated"}};
}

std::optional<User> Users::holder(std::string_view token) const {
  const bool is_ours =
      !token_.empty() && token.size() == token_.size() && CRYPTO_memcmp(token.data(), token_.data(), token.size()) == 0;
  if (!is_ours) return std::nullopt;
  return User{.name = "admin", .groups = {"system:masters", "system:authenticated"}};
}

}  // namespace pintle::apiserver
