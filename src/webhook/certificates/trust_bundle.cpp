// SPDX-License-Identifier: Apache-2.0
#include "trust_bundle.hpp"

#include <algorithm>
#include <utility>

#include <pintle/object/bytes.hpp>

#include "http/certificate_info.hpp"

namespace pintle {
namespace {

bool is_of(json::View config, const WebhookAddress& address) {
  if (!address.url.empty()) {
    const std::string_view url = config.member("url").text();
    return url == address.url || url.starts_with(address.url + "/");
  }
  const json::View service = config.member("service");
  return service.member("name") == address.service && service.member("namespace") == address.namespace_;
}

Authorities trusted_by(json::View config) {
  const auto bundle = Bytes::from_base64(config.member("caBundle").text());
  return bundle ? authorities_in(bundle->data) : Authorities();
}

bool is_same_set(const Authorities& a, const Authorities& b) {
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const std::string& one) { return has_authority(b, one); });
}

}  // namespace

bool has_authority(const Authorities& authorities, std::string_view one) {
  return std::find(authorities.begin(), authorities.end(), one) != authorities.end();
}

Authorities authorities_in(std::string_view pem) {
  Authorities all;
  auto described = http::describe_certificates({"", pem});
  if (!described) return all;
  for (http::CertificateInfo& one : *described) {
    if (!has_authority(all, one.pem)) all.push_back(std::move(one.pem));
  }
  return all;
}

std::string to_pem(const Authorities& authorities) {
  std::string all;
  for (const std::string& one : authorities) all += one;
  return all;
}

std::vector<ClientConfig> client_configs(const Object& object, const WebhookAddress& address) {
  std::vector<ClientConfig> found;
  const auto add = [&](std::string pointer) {
    const json::View config = object[pointer];
    if (is_of(config, address)) found.push_back({.pointer = std::move(pointer), .trusted = trusted_by(config)});
  };
  if (object.kind() == "CustomResourceDefinition") {
    if (object["/spec/conversion/strategy"] == "Webhook") add("/spec/conversion/webhook/clientConfig");
    return found;
  }
  const std::size_t count = object["/webhooks"].size();
  for (std::size_t i = 0; i < count; ++i) add("/webhooks/" + std::to_string(i) + "/clientConfig");
  return found;
}

json::Patch bundle_patch(const Object& object, const std::vector<ClientConfig>& configs, const Authorities& wanted,
                         bool removes) {
  json::Patch patch;
  for (const ClientConfig& config : configs) {
    Authorities next = wanted;
    for (const std::string& one : config.trusted) {
      if (!removes && !has_authority(next, one)) next.push_back(one);
    }
    if (next.empty() || is_same_set(next, config.trusted)) continue;
    if (patch.empty()) patch.test("/metadata/resourceVersion", json::Value(object.resource_version()));
    patch.add(config.pointer + "/caBundle", json::Value(Bytes(to_pem(next)).to_base64()));
  }
  return patch;
}

}  // namespace pintle
