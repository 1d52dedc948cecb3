// SPDX-License-Identifier: Apache-2.0
#include "service_account.hpp"

#include <utility>

#include <pintle/object/names.hpp>

namespace pintle::apiserver {
namespace {

constexpr std::string_view service_account_prefix = "system:serviceaccount:";

}  // namespace

std::string ServiceAccountName::user() const { return std::string(service_account_prefix) + namespace_ + ":" + name; }

std::vector<std::string> ServiceAccountName::groups() const {
  return {"system:serviceaccounts", "system:serviceaccounts:" + namespace_};
}

std::optional<ServiceAccountName> parse_service_account(std::string_view user) {
  if (!user.starts_with(service_account_prefix)) return std::nullopt;
  user.remove_prefix(service_account_prefix.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  ServiceAccountName out{.namespace_ = std::string(user.substr(0, colon)), .name = std::string(user.substr(colon + 1))};
  if (names::validate_dns1123_label(out.namespace_) || names::validate_dns1123_subdomain(out.name)) return std::nullopt;
  return out;
}

}  // namespace pintle::apiserver
