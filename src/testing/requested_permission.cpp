// SPDX-License-Identifier: Apache-2.0
#include "requested_permission.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace pintle::testkit {
namespace {

bool matches(const std::string& allowed, const std::string& info) { return allowed == info || allowed == "*"; }

}  // namespace

bool is_allowed_by(const RequestInfo& info, const RbacRole& role, const RbacRule& rule) {
  const auto has = [](const std::vector<std::string>& allowed, const std::string& text) {
    return std::any_of(allowed.begin(), allowed.end(), [&](const auto& one) { return matches(one, text); });
  };
  const bool is_within = role.namespace_.empty() || role.namespace_ == info.namespace_;
  const bool is_named = rule.names.empty() || has(rule.names, info.name);
  return is_within && is_named && matches(rule.group, info.group) && matches(rule.resource, info.resource) &&
         has(rule.verbs, info.verb);
}

bool may_create(const http::Request& request, const RequestInfo& info) {
  return info.verb == "patch" && info.resource.find('/') == std::string::npos &&
         request.headers.get("Content-Type").value_or("").starts_with("application/apply-patch");
}

}  // namespace pintle::testkit
