// AskedRight: what a request needs, in the words of RBAC.
#pragma once

#include <optional>
#include <string>

#include <pintle/http/message.hpp>
#include <pintle/runtime/rbac_rule.hpp>

namespace pintle::testing {

struct AskedRight {
  std::string verb{};
  std::string group{};
  std::string resource{};    // with its sub-resource: "notes/status"
  std::string namespace_{};  // none: of the cluster, or all namespaces
  std::string name{};        // none: no single object

  [[nodiscard]] bool is_allowed_by(const RbacRole& role, const RbacRule& rule) const;
};

// As kube-apiserver derives it from method and target. None for what every client may ask, such as discovery.
[[nodiscard]] std::optional<AskedRight> right_asked_by(const http::Request& request);

// An apply makes an object that is not there, which takes the right to create it as well.
[[nodiscard]] bool may_create(const http::Request& request, const AskedRight& asked);

}  // namespace pintle::testing
