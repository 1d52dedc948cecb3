// SPDX-License-Identifier: Apache-2.0
// The values of custom objects that a server prints in tables and reads for the subresource scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// A value as the Go library prints it: lists and maps as JSON with sorted members, and numbers such as 1e+06.
[[nodiscard]] std::string go_text(json::View value);

// A number without its fraction, as a conversion in Go makes it.
[[nodiscard]] std::int64_t whole_part(double number);

// Refuses replicas that a Scale cannot contain, and a selector that is no text.
void validate_scale_fields(const json::Value& object, const ScaleSubresource& scale, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
