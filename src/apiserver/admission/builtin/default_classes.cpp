// SPDX-License-Identifier: Apache-2.0
// DefaultStorageClass and DefaultIngressClass.
#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

bool has_annotation(const Value& object, std::string_view name) {
  const Value* annotations = json::find(object, "/metadata/annotations");
  return annotations != nullptr && member(*annotations, name) != nullptr;
}

}  // namespace

Object default_class(const Storage& storage, std::string_view collection, std::string_view annotation) {
  Object found;
  for (const Object& one : storage.objects(collection)) {  // in the order of names
    if (one.metadata().member("annotations").member(annotation) != "true") continue;
    const auto created = [](const Object& object) { return object["/metadata/creationTimestamp"].text(); };
    if (!found || created(one) > created(found)) found = one;
  }
  return found;
}

void set_storage_class(const Storage& storage, Value& claim) {
  if (json::find(claim, "/spec/storageClassName") != nullptr) return;
  if (has_annotation(claim, "volume.beta.kubernetes.io/storage-class")) return;
  const Object found =
      default_class(storage, "storageclasses.storage.k8s.io", "storageclass.kubernetes.io/is-default-class");
  if (found) object_in(claim, "spec")["storageClassName"] = found.name();
}

void set_ingress_class(const Storage& storage, Value& ingress) {
  if (json::find(ingress, "/spec/ingressClassName") != nullptr) return;
  if (has_annotation(ingress, "kubernetes.io/ingress.class")) return;
  const Object found =
      default_class(storage, "ingressclasses.networking.k8s.io", "ingressclass.kubernetes.io/is-default-class");
  if (found) object_in(ingress, "spec")["ingressClassName"] = found.name();
}

}  // namespace pintle::apiserver
