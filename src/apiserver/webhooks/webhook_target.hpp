// SPDX-License-Identifier: Apache-2.0
// WebhookTarget: the address of a webhook, from a clientConfig.
#pragma once

#include <memory>
#include <string>

#include <pintle/http/message.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// A plain value. Either `url` or `service` is set.
struct WebhookTarget {
  std::string url{};      // "https://host:port/path"
  std::string service{};  // "NAME.NAMESPACE"
  std::string path{};     // of the service; begins with a slash
  int port = 443;         // of the service
  std::string ca{};       // PEM; empty: the certificates of the system
};

[[nodiscard]] WebhookTarget webhook_target(json::View client_config);

}  // namespace pintle::apiserver
