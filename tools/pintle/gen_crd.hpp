// SPDX-License-Identifier: Apache-2.0
// Converts CRDs to structs.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "gen_model.hpp"

namespace pintle::tools {

// Returns whether an object is a CRD of any version of apiextensions.k8s.io.
[[nodiscard]] bool is_crd(json::View object);

// Adds the kind of each served version. Error: invalid, if a schema cannot be expressed in C++; the message names the
// place.
[[nodiscard]] Result<void> read_crd(json::View crd, const Place& place, Headers& headers,
                                    std::vector<std::string>& warnings);

}  // namespace pintle::tools
