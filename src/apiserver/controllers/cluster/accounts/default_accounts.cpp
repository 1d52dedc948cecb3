// SPDX-License-Identifier: Apache-2.0
#include "default_accounts.hpp"

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view accounts = "serviceaccounts";
constexpr std::string_view certificate_maps = "configmaps";
constexpr std::string_view certificate_map = "kube-root-ca.crt";
constexpr std::string_view certificate_key = "ca.crt";
constexpr std::string_view description =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters.";

}  // namespace

bool is_root_certificate(std::string_view collection, const Object& object) {
  return collection == certificate_maps && object.name() == certificate_map;
}

Instant DefaultAccounts::reconcile(const Object& namespace_) {
  const std::string_view space = namespace_.name();
  if (!objects_.get({std::string(accounts), storage_key(space, "default")})) {
    objects_.create(accounts, space, json::object{{"metadata", json::object{{"name", "default"}}}});
  }
  const Value data = json::object{{certificate_key, ca_certificate_}};
  const Object map = objects_.get({std::string(certificate_maps), storage_key(space, certificate_map)});
  if (!map) {
    json::object annotations{{"kubernetes.io/description", description}};
    objects_.create(
        certificate_maps, space,
        json::object{{"metadata", json::object{{"name", certificate_map}, {"annotations", std::move(annotations)}}},
                     {"data", data}});
  } else if (map["/data"] != Object(data).root()) {
    objects_.edit(certificate_maps, map, [&](Value& next) { next.get_object()["data"] = data; });
  }
  return Instant::max();
}

}  // namespace pintle::apiserver
