// Users: whom this server knows.
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

// The holder of the server's token is its admin; who came in by a certificate is whom that names. A server that asks
// for neither takes everybody as somebody unknown. Immutable.
class Users {
 public:
  explicit Users(std::string token) : token_(std::move(token)) {}

  // Who sends a request; nobody: it is refused.
  [[nodiscard]] std::optional<User> sender(const http::Request& request) const;
  // Whose bearer token this is.
  [[nodiscard]] std::optional<User> holder(std::string_view token) const;

 private:
  const std::string token_;
};

}  // namespace pintle::apiserver
