// SPDX-License-Identifier: Apache-2.0
// Users: the users of this server.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/http/message.hpp>

namespace pintle::apiserver {

struct User {
  std::string name{};
  std::vector<std::string> groups{};
};

// The holder of the server's token is its admin. A client with a certificate has the name in the certificate. Any
// other client is anonymous if the server has no token; otherwise it is refused. Immutable.
class Users {
 public:
  explicit Users(std::string token) : token_(std::move(token)) {}

  // Returns the sender of a request; nothing if the request must be refused.
  [[nodiscard]] std::optional<User> sender(const http::Request& request) const;
  // Returns the user with this bearer token.
  [[nodiscard]] std::optional<User> holder(std::string_view token) const;

 private:
  const std::string token_;
};

}  // namespace pintle::apiserver
