// SPDX-License-Identifier: Apache-2.0
// Objects inside a custom resource, at the places with x-kubernetes-embedded-resource.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Fits the metadata of embedded objects, as fit_metadata() does for the object itself. 400: a member has another type.
[[nodiscard]] StatusOr<void> fit_embedded(json::Value& object, json::View schema, std::vector<std::string>& unknown);

// Adds the errors in the labels and annotations of embedded objects.
void validate_embedded(const json::Value& object, json::View schema, std::vector<StatusCause>& causes);

// True if the schema has embedded objects.
[[nodiscard]] bool has_embedded(json::View schema);

}  // namespace pintle::apiserver
