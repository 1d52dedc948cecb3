// SPDX-License-Identifier: Apache-2.0
#include "users.hpp"

#include <openssl/crypto.h>

namespace pintle::apiserver {
namespace {

// Takes the same time for every token of the same length.
bool is_same_token(std::string_view given, std::string_view token) {
  return !token.empty() && token.size() == given.size() && CRYPTO_memcmp(given.data(), token.data(), given.size()) == 0;
}

}  // namespace

std::optional<User> Users::sender(const http::Request& request) const {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view authorization = request.headers.get("Authorization").value_or("");
  if (authorization.starts_with(scheme)) {
    if (auto found = holder(authorization.substr(scheme.size()), {std::string(token_issuer)})) {
      return std::move(found->user);
    }
    if (has_tokens() || options_.evaluates_roles) return std::nullopt;
  }
  if (request.peer != nullptr) {
    User user{.name = request.peer->common_name, .groups = request.peer->organizations};
    user.groups.emplace_back(authenticated_group);
    return user;
  }
  if (has_tokens() && !options_.evaluates_roles) return std::nullopt;
  return User{.name = std::string(anonymous_user), .groups = {std::string(unauthenticated_group)}};
}

std::optional<User> Users::configured(std::string_view token) const {
  if (is_same_token(token, options_.token)) {
    return User{.name = "admin", .groups = {std::string(masters_group), std::string(authenticated_group)}};
  }
  for (const ApiServerUser& user : options_.users) {
    if (!is_same_token(token, user.token)) continue;
    User out{.name = user.name, .uid = user.uid, .groups = user.groups};
    if (!out.is_in(authenticated_group)) out.groups.emplace_back(authenticated_group);
    return out;
  }
  return std::nullopt;
}

std::optional<TokenHolder> Users::holder(std::string_view token, const std::vector<std::string>& audiences) const {
  auto user = configured(token);
  if (!user) return tokens_.holder(token, audiences);
  TokenHolder out{.user = std::move(*user), .audiences = common_audiences(audiences, {std::string(token_issuer)})};
  if (out.audiences.empty()) return std::nullopt;
  return out;
}

}  // namespace pintle::apiserver
