// SPDX-License-Identifier: Apache-2.0
#include "doctor/webhook_lock.hpp"

#include <string_view>

#include <pintle/object/selector.hpp>

#include "webhook/essential_resources.hpp"

namespace pintle::doctor {

Result<std::string> locked_resources(ClusterReader& cluster, json::View webhook) {
  const std::string_view namespace_ = webhook["/clientConfig/service/namespace"].text();
  if (namespace_.empty() || webhook.member("failurePolicy") == "Ignore") return std::string();
  if (!webhook.member("objectSelector").empty() || !webhook.member("matchConditions").empty()) return std::string();
  const auto selector = LabelSelector::from_json(webhook.member("namespaceSelector"));
  if (!selector) return fail(selector.error());
  bool selects_own = true;
  if (!selector->empty()) {
    const auto own = cluster.get(namespace_type, {.name = std::string(namespace_)});
    if (!own && own.error().code != ErrorCode::not_found) return fail(own.error());
    selects_own = own && selector->matches(own->labels());
  }
  std::string all;
  for (const EssentialResource& one : essential_resources(webhook.member("rules"), {"CREATE", "UPDATE"})) {
    if (!one.starts_pods || (one.is_selected_by_namespace() && !selects_own)) continue;
    all += (all.empty() ? "" : ", ") + std::string(one.name);
  }
  return all;
}

}  // namespace pintle::doctor
