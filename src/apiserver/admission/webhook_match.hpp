// SPDX-License-Identifier: Apache-2.0
// Which webhooks receive a request.
#pragma once

#include <optional>

#include <pintle/json/value.hpp>

#include "admission_webhook.hpp"
#include "apiserver/access/authorizer.hpp"
#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"
#include "attributes.hpp"

namespace pintle::apiserver {

// Returns the version of the resource in which the webhook receives the request, or null if it does not match. Match
// conditions are not evaluated. `object` and `old_object` are null if there is none. Refuses a namespace that does not
// exist.
[[nodiscard]] StatusOr<ResourcePtr> matched_version(const AdmissionWebhook& webhook, const Attributes& attributes,
                                                    const json::Value& object, const json::Value& old_object,
                                                    const Storage& storage, const Catalog& catalog);

// Evaluates the match conditions of a webhook. Refuses the request if one fails, none is false, and the webhook does
// not ignore failures. `request` is that of the review.
[[nodiscard]] StatusOr<bool> meets_conditions(const AdmissionWebhook& webhook, const Attributes& attributes,
                                              const json::Value& request, const json::Value& object,
                                              const json::Value& old_object, const Object& space,
                                              const Authorizer& authorizer);

}  // namespace pintle::apiserver
