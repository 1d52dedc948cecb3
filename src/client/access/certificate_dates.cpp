// SPDX-License-Identifier: Apache-2.0
#include "certificate_dates.hpp"

#include <algorithm>

namespace pintle {
namespace {

std::string named(const Cluster& cluster, const std::string& name) { return name + " (" + cluster.origin + ")"; }

}  // namespace

void warn_of_expired_authority(Cluster& cluster, const std::string& name, const std::vector<http::Validity>& authority,
                               std::optional<WallTime> now) {
  const auto last = std::ranges::max_element(authority, {}, &http::Validity::not_after);
  if (!now || last == authority.end() || !last->has_ended(*now)) return;
  cluster.warnings.push_back("each certificate in " + named(cluster, name) + " has expired, the last one at " +
                             format_time(last->not_after) +
                             ", so the certificate of the server cannot be verified; renew it, or correct the clock of "
                             "this machine");
}

Result<void> check_client_certificate(Cluster& cluster, const std::string& name, const http::Validity& validity,
                                      std::optional<WallTime> now) {
  if (!now) return {};
  if (validity.has_ended(*now)) {
    const std::string what = " expired at " + format_time(validity.not_after) + "; renew it";
    const bool has_token = !cluster.token.empty() || !cluster.token_file.empty();
    if (!has_token) return fail(ErrorCode::invalid, name + what + ", or correct the clock of this machine");
    cluster.warnings.push_back(named(cluster, name) + what + ", or remove it to use only the token");
  } else if (!validity.has_begun(*now)) {
    cluster.warnings.push_back(named(cluster, name) + " is not valid before " + format_time(validity.not_before) +
                               "; the server may reject it until then; check the clock of this machine");
  }
  return {};
}

}  // namespace pintle
