// SPDX-License-Identifier: Apache-2.0
#include "plugins.hpp"

#include <utility>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view pods = "pods";
constexpr std::string_view claims = "persistentvolumeclaims";
constexpr std::string_view certificates = "certificatesigningrequests.certificates.k8s.io";
constexpr std::string_view ingresses = "ingresses.networking.k8s.io";
constexpr std::string_view priority_classes = "priorityclasses.scheduling.k8s.io";

StatusOr<void> mutate_pod(const Storage& storage, const Attributes& attributes, Value& pod, const Value& old_pod) {
  const bool creates = attributes.operation == "CREATE";
  if (creates) {
    set_default_resources(storage, attributes, pod);
    if (auto checked = check_service_account(storage, attributes, pod); !checked) return checked;
  }
  if (auto set = set_priority(storage, attributes, pod, old_pod); !set || !creates) return set;
  return set_runtime_class(storage, attributes, pod);
}

}  // namespace

Refusal plugin_denial(const Attributes& attributes, const Value& object, std::string_view why) {
  std::string_view name = attributes.name;
  if (name.empty()) name = text_at(object, "/metadata/name");
  if (name.empty()) name = text_at(object, "/metadata/generateName");
  return forbidden(attributes.resource.named(name.empty() ? "Unknown" : name), why);
}

bool has_plugins(const Resource& resource) noexcept {
  const std::string_view collection = resource.collection;
  return collection == pods || collection == claims || collection == ingresses || collection == priority_classes ||
         collection == certificates;
}

StatusOr<void> mutate_by_plugins(const Storage& storage, const Attributes& attributes, Value& object,
                                 const Value& old_object) {
  if (!attributes.subresource.empty()) return {};
  const std::string_view collection = attributes.resource.collection;
  if (collection == pods) return mutate_pod(storage, attributes, object, old_object);
  if (attributes.operation != "CREATE") return {};
  if (collection == claims) set_storage_class(storage, object);
  if (collection == ingresses) set_ingress_class(storage, object);
  return {};
}

void set_sender(const Attributes& attributes, Value& object) {
  if (attributes.resource.collection != certificates) return;
  json::object& spec = object_in(object, "spec");
  for (const char* name : {"username", "uid", "groups", "extra"}) spec.erase(name);
  json::array groups;
  for (const std::string& group : attributes.user.groups) groups.emplace_back(group);
  spec["username"] = attributes.user.name;
  if (!groups.empty()) spec["groups"] = std::move(groups);
}

StatusOr<void> validate_by_plugins(const Storage& storage, const Attributes& attributes, const Value& object,
                                   const Value& old_object) {
  if (!attributes.subresource.empty()) return {};
  const std::string_view collection = attributes.resource.collection;
  if (collection == priority_classes) return check_priority_class(storage, attributes, object);
  if (collection == claims) {
    if (auto checked = check_limit_ranges(storage, attributes, object); !checked) return checked;
    return check_claim_resize(storage, attributes, object, old_object);
  }
  if (attributes.operation != "CREATE") return {};
  if (collection == certificates) return check_certificate_subject(attributes, object);
  if (collection != pods) return {};
  if (auto checked = check_limit_ranges(storage, attributes, object); !checked) return checked;
  return check_overhead(storage, attributes, object);
}

}  // namespace pintle::apiserver
