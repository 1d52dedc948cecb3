#include "users.hpp"

#include <openssl/crypto.h>

namespace pintle::apiserver {

std::optional<User> Users::sender(std::string_view authorization) const {
  if (token_.empty()) return User{.name = "system:anonymous", .groups = {"system:unauthenticated"}};
  constexpr std::string_view scheme = "Bearer ";
  if (!authorization.starts_with(scheme)) return std::nullopt;
  return holder(authorization.substr(scheme.size()));
}

std::optional<User> Users::holder(std::string_view token) const {
  const bool is_ours =
      !token_.empty() && token.size() == token_.size() && CRYPTO_memcmp(token.data(), token_.data(), token.size()) == 0;
  if (!is_ours) return std::nullopt;
  return User{.name = "admin", .groups = {"system:masters", "system:authenticated"}};
}

}  // namespace pintle::apiserver
