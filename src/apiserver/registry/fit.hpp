// Fitting a body to a built-in type, as a server does that decodes into structs.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>

#include "refusal.hpp"

namespace pintle::apiserver {

// Refuses a value whose type or format is not the schema's (400), takes out nulls and members the schema does not name
// (each place goes to `unknown`), brings times and quantities into their printed form, and leaves out what a struct
// would not print: an empty list or map, an empty string without a default, a zero that is marked x-pintle-omit-zero.
// x-pintle-keep keeps an empty one, x-kubernetes-preserve-unknown-fields everything. Members that are identical in
// `proper`, which has been fitted, are left as they are.
[[nodiscard]] Answer<void> fit(json::Value& value, json::View schema, std::vector<std::string>& unknown,
                               const json::Value* proper = nullptr);

// Sets what the schema has a default for and the value has not: what a struct prints where nothing is set. The members
// of a struct that have one are named in its x-pintle-fill. What is identical in `proper`, which has been filled, is
// left as it is.
void fill(json::Value& value, json::View schema, const json::Value* proper = nullptr);

// fit() for metadata, which every kind has; it comes out in its printed order.
[[nodiscard]] Answer<void> fit_metadata(json::Value& object, std::vector<std::string>& unknown,
                                        const json::Value* proper = nullptr);

}  // namespace pintle::apiserver
