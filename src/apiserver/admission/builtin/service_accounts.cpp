// SPDX-License-Identifier: Apache-2.0
// ServiceAccount, as far as the server has the objects for it.
#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// Without the controllers of a cluster, no namespace has this account.
constexpr std::string_view default_account = "default";

}  // namespace

StatusOr<void> check_service_account(const Storage& storage, const Attributes& attributes, const Value& pod) {
  const std::string_view name = text_at(pod, "/spec/serviceAccountName");
  if (name.empty() || name == default_account) return {};
  if (!text_at(pod, "/metadata/annotations/kubernetes.io~1config.mirror").empty()) return {};
  if (storage.get("serviceaccounts", storage_key(attributes.namespace_, name)).exists()) return {};
  return refuse(plugin_denial(attributes, pod,
                              fmt::format("error looking up service account {}/{}: serviceaccount \"{}\" not found",
                                          attributes.namespace_, name, name)));
}

}  // namespace pintle::apiserver
