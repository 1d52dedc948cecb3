// Users: whom this server knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pintle::apiserver {

struct User {
  std::string name{};
  std::vector<std::string> groups{};
};

// The holder of the server's token is its admin. A server that asks for none takes everybody as somebody unknown.
// Immutable.
class Users {
 public:
  explicit Users(std::string token) : token_(std::move(token)) {}

  // Who sends this Authorization header; nobody: it is refused.
  [[nodiscard]] std::optional<User> sender(std::string_view authorization) const;
  // Whose bearer token this is.
  [[nodiscard]] std::optional<User> holder(std::string_view token) const;

 private:
  const std::string token_;
};

}  // namespace pintle::apiserver
