// SPDX-License-Identifier: Apache-2.0
// The plugins, one function for each phase in which a plugin takes part. plugins.hpp describes the parameters.
#pragma once

#include <functional>
#include <string_view>

#include "plugins.hpp"

namespace pintle::apiserver {

// Returns the refusal of a plugin: pods "a" is forbidden: why.
[[nodiscard]] Refusal plugin_denial(const Attributes& attributes, const json::Value& object, std::string_view why);

// Returns the default of a class, such as a StorageClass: of the objects with the annotation "true", the newest one,
// and of several the first by name. Returns nothing if there is none.
[[nodiscard]] Object default_class(const Storage& storage, std::string_view collection, std::string_view annotation);

// Pods: sets the default resources of the LimitRanges of the namespace. Pods and claims: checks their limits.
void set_default_resources(const Storage& storage, const Attributes& attributes, json::Value& pod);
[[nodiscard]] StatusOr<void> check_limit_ranges(const Storage& storage, const Attributes& attributes,
                                                const json::Value& object);

// Refuses a Pod whose service account does not exist.
[[nodiscard]] StatusOr<void> check_service_account(const Storage& storage, const Attributes& attributes,
                                                   const json::Value& pod);

// Refuses to enlarge a claim that is not bound or whose class does not allow it.
[[nodiscard]] StatusOr<void> check_claim_resize(const Storage& storage, const Attributes& attributes,
                                                const json::Value& claim, const json::Value& old_claim);

// Sets the priority of a Pod by its PriorityClass.
[[nodiscard]] StatusOr<void> set_priority(const Storage& storage, const Attributes& attributes, json::Value& pod,
                                          const json::Value& old_pod);
// Refuses a second PriorityClass that is the default.
[[nodiscard]] StatusOr<void> check_priority_class(const Storage& storage, const Attributes& attributes,
                                                  const json::Value& priority_class);

// Adds overhead, node selector and tolerations of the RuntimeClass of a Pod; checks the overhead.
[[nodiscard]] StatusOr<void> set_runtime_class(const Storage& storage, const Attributes& attributes, json::Value& pod);
[[nodiscard]] StatusOr<void> check_overhead(const Storage& storage, const Attributes& attributes,
                                            const json::Value& pod);

// Refuses a CertificateSigningRequest for a certificate of an administrator of the cluster.
[[nodiscard]] StatusOr<void> check_certificate_subject(const Attributes& attributes, const json::Value& request);

// Set the class of a new claim or Ingress.
void set_storage_class(const Storage& storage, json::Value& claim);
void set_ingress_class(const Storage& storage, json::Value& ingress);

}  // namespace pintle::apiserver
