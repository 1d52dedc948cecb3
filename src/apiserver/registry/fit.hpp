// Fitting a body to a built-in type, as a server does that decodes into structs.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>

#include "../refusal.hpp"

namespace pintle::apiserver {

// Refuses a value whose type or format is not the schema's (400), takes out nulls and members the schema does not name
// (each place goes to `unknown`), brings times and quantities into their printed form, and leaves out what a struct
// would not print: an empty list or map, an empty string without a default, a zero that is marked x-pintle-omit-zero.
// x-pintle-keep keeps an empty one, x-kubernetes-preserve-unknown-fields everything.
[[nodiscard]] Answer<void> fit(json::Value& value, json::View schema, std::vector<std::string>& unknown);

// Sets what the schema has a default for and the value has not: what a struct prints where nothing is set.
void fill(json::Value& value, json::View schema);

// fit() for apiVersion, kind and metadata, which every kind has; metadata comes out in its printed order.
[[nodiscard]] Answer<void> fit_metadata(json::Value& object, std::vector<std::string>& unknown);

}  // namespace pintle::apiserver
