// SPDX-License-Identifier: Apache-2.0
#include "connect.hpp"

#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

StatusOr<void> admit_connection(Service& service, const User& user, const Connection& connection,
                                std::vector<std::string>& warnings) {
  if (!service.admission.is_configured()) return {};
  const ResourcePtr pods = service.registry.catalog()->find("", "v1", "pods");
  const Attributes attributes{.resource = *pods,
                              .subresource = "proxy",
                              .api_version = "v1",
                              .kind = "PodProxyOptions",
                              .namespace_ = connection.namespace_,
                              .name = std::string(connection.name),
                              .operation = "CONNECT",
                              .user = user};
  json::Value options{{"kind", "PodProxyOptions"}, {"apiVersion", "v1"}};
  if (!connection.path.empty()) options.as_object()["path"] = connection.path;
  return admit(service, attributes, options, warnings);
}

}  // namespace pintle::apiserver
