// SPDX-License-Identifier: Apache-2.0
// The CEL library for `authorizer`, with which expressions check the rights of the sender.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::apiserver {

// A check by an expression: of the sender, or of a service account.
struct AuthorizerQuery {
  std::string account_namespace{};
  std::string account_name{};  // "": the sender
  std::string verb{};
  std::string path{};  // "": a resource
  std::string group{};
  std::string resource{};
  std::string subresource{};
  std::string namespace_{};
  std::string name{};
};

struct AuthorizerAnswer {
  bool is_allowed = true;
  std::string reason{};
};

using AuthorizerFunction = std::function<AuthorizerAnswer(const AuthorizerQuery& query)>;

// Declares the functions of authorizers.
[[nodiscard]] cel::Library authorizer_library();
// The variables `authorizer` and `authorizer.requestResource`, which some expressions must not name.
[[nodiscard]] std::vector<cel::Variable> authorizer_variables();

// Returns the value of `authorizer`, whose checks call `function`. Empty: every check is allowed.
[[nodiscard]] cel::Value make_authorizer(AuthorizerFunction function = {});
// Returns the value of `authorizer.requestResource`, which checks the resource in `query`.
[[nodiscard]] cel::Value make_request_resource(AuthorizerFunction function, AuthorizerQuery query);

}  // namespace pintle::apiserver
