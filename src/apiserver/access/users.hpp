// SPDX-License-Identifier: Apache-2.0
// Users: authenticates the senders of requests.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/apiserver/users.hpp>
#include <pintle/http/message.hpp>

#include "apiserver/registry/user.hpp"
#include "service_tokens.hpp"

namespace pintle::apiserver {

// The holder of the server's token is its admin. A client with a certificate has the name in the certificate. A client
// without credentials is anonymous if the server has no token and no users, or if it evaluates roles. Thread-safe.
class Users {
 public:
  struct Options {
    std::string token{};
    std::vector<ApiServerUser> users{};
    bool evaluates_roles = false;
  };
  Users(Options options, const ServiceTokens& tokens) : options_(std::move(options)), tokens_(tokens) {}

  // Returns the sender of a request; nothing if the request must be refused.
  [[nodiscard]] std::optional<User> sender(const http::Request& request) const;
  // Returns the user with this bearer token, if the token is valid for one of the audiences.
  [[nodiscard]] std::optional<TokenHolder> holder(std::string_view token,
                                                  const std::vector<std::string>& audiences) const;

 private:
  [[nodiscard]] bool has_tokens() const { return !options_.token.empty() || !options_.users.empty(); }
  [[nodiscard]] std::optional<User> configured(std::string_view token) const;

  const Options options_;
  const ServiceTokens& tokens_;
};

}  // namespace pintle::apiserver
