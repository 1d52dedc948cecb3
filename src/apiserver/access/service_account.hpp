// SPDX-License-Identifier: Apache-2.0
// ServiceAccountName: a service account as a user.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pintle::apiserver {

struct ServiceAccountName {
  std::string namespace_{};
  std::string name{};

  // "system:serviceaccount:NAMESPACE:NAME".
  [[nodiscard]] std::string user() const;
  // The groups of every service account of the namespace.
  [[nodiscard]] std::vector<std::string> groups() const;
};

// Parses the name of a user. Returns nothing if it is not that of a service account.
[[nodiscard]] std::optional<ServiceAccountName> parse_service_account(std::string_view user);

}  // namespace pintle::apiserver
