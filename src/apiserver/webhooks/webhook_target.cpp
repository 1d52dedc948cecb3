// SPDX-License-Identifier: Apache-2.0
#include "webhook_target.hpp"

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

namespace pintle::apiserver {

WebhookTarget webhook_target(json::View client_config) {
  WebhookTarget out;
  if (const auto ca = Bytes::from_base64(client_config.member("caBundle").text())) out.ca = ca->data;
  if (const json::View service = client_config.member("service")) {
    out.service = fmt::format("{}.{}", service.member("name").text(), service.member("namespace").text());
    out.path = service.member("path").text();
    if (!out.path.starts_with('/')) out.path.insert(0, "/");
    out.port = static_cast<int>(service.member("port").as_integer().value_or(443));
  } else {
    out.url = client_config.member("url").text();
  }
  return out;
}

}  // namespace pintle::apiserver
