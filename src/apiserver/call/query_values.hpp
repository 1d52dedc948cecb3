// SPDX-License-Identifier: Apache-2.0
// Query parameters as kube-apiserver decodes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/http/message.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Returns an integer; nothing if the parameter is missing. 400: it is no integer, which an empty text is not either.
[[nodiscard]] StatusOr<std::optional<std::int64_t>> integer_parameter(const http::Target& target,
                                                                      std::string_view name);

// Returns all values of a parameter, which may occur several times.
[[nodiscard]] std::vector<std::string> all_values(const http::Target& target, std::string_view name);

// Adds the error in the option dryRun.
void validate_dry_run(const std::vector<std::string>& values, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
