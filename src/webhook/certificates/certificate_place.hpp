// SPDX-License-Identifier: Apache-2.0
// Where the certificate of the webhooks is, and the hosts for which it must be valid.
#pragma once

#include <string>
#include <vector>

#include <pintle/webhook/webhook_options.hpp>

#include "webhook/webhook_configurations.hpp"

namespace pintle {

// Whether the certificate is in a Secret: in that of the operator, or in that of another program.
[[nodiscard]] bool is_certificate_in_secret(const WebhookOptions& options);

// Whether the authorities of the certificate are in a Secret or in a file, from which the configurations and CRDs are
// kept right while the operator runs.
[[nodiscard]] bool are_authorities_kept(const WebhookOptions& options);

// Returns the name of the Secret of the operator. `manager`: the name of the manager.
[[nodiscard]] std::string own_secret_name(const WebhookOptions& options, const std::string& manager);

// Returns the hosts at which API servers reach the webhooks: that of the URL, and that of the service unless only the
// URL is used.
[[nodiscard]] std::vector<std::string> certificate_hosts(const WebhookOptions& options, const WebhookAddress& address);

}  // namespace pintle
