// SPDX-License-Identifier: Apache-2.0
// The admission plugins that a kube-apiserver contains: LimitRanger, ServiceAccount, Priority, DefaultStorageClass,
// PersistentVolumeClaimResize, RuntimeClass, CertificateSubjectRestriction and DefaultIngressClass. In each round of a
// phase, they run before policies and webhooks.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/admission/attributes.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"

namespace pintle::apiserver {

// True if a plugin takes part in writes of a kind.
[[nodiscard]] bool has_plugins(const Resource& resource) noexcept;

// The two phases of one request, for a whole object. `old_object` is null for a creation. 403: a plugin forbids the
// object. Running the first phase again changes nothing.
[[nodiscard]] StatusOr<void> mutate_by_plugins(const Storage& storage, const Attributes& attributes,
                                               json::Value& object, const json::Value& old_object);
// Sets the sender of a new CertificateSigningRequest, which neither a client nor a webhook can choose. For use between
// the phases.
void set_sender(const Attributes& attributes, json::Value& object);
[[nodiscard]] StatusOr<void> validate_by_plugins(const Storage& storage, const Attributes& attributes,
                                                 const json::Value& object, const json::Value& old_object);

}  // namespace pintle::apiserver
