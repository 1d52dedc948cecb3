// SPDX-License-Identifier: Apache-2.0
// Reads and changes the members caBundle of webhook configurations and of CRDs with a conversion webhook.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/patch.hpp>
#include <pintle/object/object.hpp>

#include "webhook/webhook_configurations.hpp"

namespace pintle {

// Certificates of authorities, PEM, one certificate in each text, as CertificateInfo::pem.
using Authorities = std::vector<std::string>;

[[nodiscard]] bool has_authority(const Authorities& authorities, std::string_view one);
// Returns the certificates of a text. Empty if the text has none, or one of them is malformed: an API server cannot use
// such a bundle.
[[nodiscard]] Authorities authorities_in(std::string_view pem);
[[nodiscard]] std::string to_pem(const Authorities& authorities);

// A clientConfig of an object that an API server uses to call the webhooks at `address`.
struct ClientConfig {
  std::string pointer{};  // "/webhooks/0/clientConfig"
  Authorities trusted{};
};
// Returns the clientConfigs of the object that refer to the service or to the URL of `address`. Others belong to other
// programs.
[[nodiscard]] std::vector<ClientConfig> client_configs(const Object& object, const WebhookAddress& address);

// Returns the patch after which the clientConfigs trust `wanted`; unless `removes`, also the authorities that they
// trust now. It applies only to this version of the object, and is empty if there is nothing to change.
[[nodiscard]] json::Patch bundle_patch(const Object& object, const std::vector<ClientConfig>& configs,
                                       const Authorities& wanted, bool removes);

}  // namespace pintle
