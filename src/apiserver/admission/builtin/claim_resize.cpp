// SPDX-License-Identifier: Apache-2.0
// PersistentVolumeClaimResize.
#include <pintle/object/quantity.hpp>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

Quantity claimed_storage_of(const Value& claim) {
  const Value* amount = json::find(claim, "/spec/resources/requests/storage");
  if (amount == nullptr) return {};
  return Quantity::parse(amount->is_string() ? std::string(amount->get_string()) : json::print(*amount))
      .value_or(Quantity());
}

// The annotation is the old place of the name.
std::string_view class_name_of(const Value& claim) {
  const std::string_view annotation = text_at(claim, "/metadata/annotations/volume.beta.kubernetes.io~1storage-class");
  return annotation.empty() ? text_at(claim, "/spec/storageClassName") : annotation;
}

bool class_allows_expansion(const Storage& storage, const Value& claim, const Value& old_claim) {
  const std::string_view name = class_name_of(claim);
  if (name.empty() || name != class_name_of(old_claim)) return false;
  return storage.get("storageclasses.storage.k8s.io", name).root().member("allowVolumeExpansion") == true;
}

}  // namespace

StatusOr<void> check_claim_resize(const Storage& storage, const Attributes& attributes, const Value& claim,
                                  const Value& old_claim) {
  if (attributes.operation != "UPDATE" || claimed_storage_of(claim) <= claimed_storage_of(old_claim)) return {};
  if (text_at(old_claim, "/status/phase") != "Bound") {
    return refuse(plugin_denial(attributes, claim, "Only bound persistent volume claims can be expanded"));
  }
  if (class_allows_expansion(storage, claim, old_claim)) return {};
  return refuse(plugin_denial(attributes, claim,
                              "only dynamically provisioned pvc can be resized and the storageclass that provisions "
                              "the pvc must support resize"));
}

}  // namespace pintle::apiserver
