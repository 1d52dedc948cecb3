// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/versions.hpp>

#include <pintle/base/text.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::internal {

void add_conversion(json::Value& crd, const ConversionWebhook* webhook) {
  json::object conversion{{"strategy", "Webhook"}};
  json::object& hook = conversion["webhook"].emplace_object();
  hook["conversionReviewVersions"] = json::array{"v1"};
  if (webhook != nullptr) {
    json::object& config = hook["clientConfig"].emplace_object();
    if (!webhook->url.empty()) {
      config["url"] = webhook->url;
    } else {
      config["service"] = {{"name", webhook->service}, {"namespace", webhook->namespace_}, {"port", webhook->port}};
      if (!webhook->path.empty()) config["service"].as_object()["path"] = webhook->path;
    }
    if (!webhook->ca_bundle.empty()) config["caBundle"] = Bytes(webhook->ca_bundle).to_base64();
  }
  crd.at("spec").as_object()["conversion"] = std::move(conversion);
}

}  // namespace pintle::internal
