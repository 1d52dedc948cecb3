// SPDX-License-Identifier: Apache-2.0
// Creates MutatingWebhookConfigurations and ValidatingWebhookConfigurations from declarations, and finds declarations
// that could make a cluster unusable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/versions.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle {

// The place at which the API server reaches the webhooks.
struct WebhookAddress {
  std::string url{};  // "https://host:9443"; if set, replaces the service
  std::string service{};
  std::string namespace_{};  // of the service; objects in it are not sent, unless an admission includes them
  std::uint16_t port = 443;
  std::string ca{};  // PEM; empty: the API server uses the authorities of its machine
};

// Returns at most one configuration of each of the two kinds, mutating first, with the name `name`. All members that an
// API server would add are set, so a stored configuration can be compared with them.
[[nodiscard]] std::vector<json::Value> webhook_configurations(const std::vector<AnyAdmission>& admissions,
                                                              const std::string& name, const WebhookAddress& address);

// Returns the place at which the API server reaches the conversions.
[[nodiscard]] ConversionWebhook conversion_webhook(const WebhookAddress& address);

// Returns an error for each admission that could prevent the repair of the cluster, or the start of the operator,
// while no webhook can be reached. Each names the admission and the remedy.
[[nodiscard]] std::vector<Error> validate_webhook_reach(const std::vector<AnyAdmission>& admissions,
                                                        const WebhookAddress& address);

}  // namespace pintle
