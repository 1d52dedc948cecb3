// SPDX-License-Identifier: Apache-2.0
// Checks the dates of the certificates in the configuration of a cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/http/pem.hpp>

namespace pintle {

// Adds a warning if all certificates have expired: the verification of the server will fail. kubectl reports this, too,
// only at the connection. `name` is the name of the PEM text.
void warn_of_expired_authority(Cluster& cluster, const std::string& name, const std::vector<http::Validity>& authority,
                               std::optional<WallTime> now);

// Error: invalid, if the client certificate has expired and is the only credential: the server would reject each
// request. kubectl sends such a request and reports the rejection, which does not contain the reason. A certificate
// that is not yet valid, or has expired beside a token, is a warning: the clock of the server may differ, and an API
// server accepts the token.
[[nodiscard]] Result<void> check_client_certificate(Cluster& cluster, const std::string& name,
                                                    const http::Validity& validity, std::optional<WallTime> now);

}  // namespace pintle
