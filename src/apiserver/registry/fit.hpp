// SPDX-License-Identifier: Apache-2.0
// Fits a body to a built-in type, as a server does that decodes into structs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>

#include "refusal.hpp"

namespace pintle::apiserver {

// Refuses a value whose type or format differs from the schema (400). Removes nulls and unknown members, and adds the
// places of the first unknown members to `unknown`, which gets at most max_field_errors. Converts times and quantities
// to the form in which they are printed. Removes each value that a struct would not print: an empty list or map, an
// empty string without a default, and a zero marked x-pintle-omit-zero. x-pintle-keep keeps an empty value,
// x-kubernetes-preserve-unknown-fields keeps everything. Members that are identical in `proper`, which has been fitted,
// are not changed.
[[nodiscard]] StatusOr<void> fit(json::Value& value, json::View schema, std::vector<std::string>& unknown,
                                 const json::Value* proper = nullptr);

// Sets the defaults of the schema for missing members, because a struct prints unset members too. x-pintle-fill lists
// the members of a struct that have a default. Parts that are identical in `proper`, which has been filled, are not
// changed.
void fill(json::Value& value, json::View schema, const json::Value* proper = nullptr);

// fit() for metadata, which every kind has. Its members get the order in which they are printed. `kind`: that of a
// built-in object, which is decoded as a whole; empty for a custom object, whose metadata is decoded apart from it.
[[nodiscard]] StatusOr<void> fit_metadata(json::Value& object, std::vector<std::string>& unknown,
                                          const json::Value* proper = nullptr, std::string_view kind = {});

}  // namespace pintle::apiserver
