// SPDX-License-Identifier: Apache-2.0
// Refusals of bodies of which not even the kind can be read.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// A 400. `kind`: that of the endpoint; empty for the options of a deletion, whose refusals do not show the body.
[[nodiscard]] Refusal unrecognized(std::string_view kind, std::string_view why, std::string_view text);

// Returns why apiVersion and kind of a body cannot be read; empty if they can be, or are missing.
[[nodiscard]] std::string type_error(const json::Value& body);

// Returns the error of the decoder about a value that does not have the Go type: "json: cannot unmarshal array into Go
// value of type map[string]interface {}".
[[nodiscard]] std::string not_a_go_value(const json::Value& value, std::string_view type);

}  // namespace pintle::apiserver
