// SPDX-License-Identifier: Apache-2.0
#include "certificate_place.hpp"

#include <utility>

#include <pintle/http/server_url.hpp>

namespace pintle {

bool is_certificate_in_secret(const WebhookOptions& options) {
  const bool has_other = !options.certificate_file.empty() || !options.url.empty();
  return !has_other || !options.secret.empty() || !options.foreign_secret.empty();
}

bool are_authorities_kept(const WebhookOptions& options) {
  return is_certificate_in_secret(options) || !options.ca_file.empty();
}

std::string own_secret_name(const WebhookOptions& options, const std::string& manager) {
  return options.secret.empty() ? manager + "-webhooks" : options.secret;
}

std::vector<std::string> certificate_hosts(const WebhookOptions& options, const WebhookAddress& address) {
  std::vector<std::string> hosts;
  if (const auto url = http::parse_server_url(options.url, true); !options.url.empty() && url) {
    std::string host = url->host;
    // A certificate names a host without the dot that ends an absolute DNS name.
    if (host.ends_with('.')) host.pop_back();
    hosts.push_back(std::move(host));
  }
  if (hosts.empty() || !options.service_namespace.empty()) {
    hosts.push_back(address.service + "." + address.namespace_ + ".svc");
  }
  return hosts;
}

}  // namespace pintle
