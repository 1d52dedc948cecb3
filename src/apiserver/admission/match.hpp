// SPDX-License-Identifier: Apache-2.0
// Which webhooks and policies receive a request.
#pragma once

#include <pintle/json/value.hpp>

#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"
#include "attributes.hpp"
#include "match_criteria.hpp"

namespace pintle::apiserver {

// Returns the version of the resource in which a request matches the criteria, or null if it does not match. Match
// conditions are not evaluated. `object` and `old_object` are null if there is none. Refuses a namespace that does not
// exist.
[[nodiscard]] StatusOr<ResourcePtr> matched_version(const MatchCriteria& criteria, const Attributes& attributes,
                                                    const json::Value& object, const json::Value& old_object,
                                                    const Storage& storage, const Catalog& catalog);

}  // namespace pintle::apiserver
