// CustomResourceDefinitions to structs.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "gen_model.hpp"

namespace pintle::tools {

// Whether an object is a CustomResourceDefinition, of any version.
[[nodiscard]] bool is_crd(json::View object);

// Adds the kind of each version that is served. Error: invalid, with the place, for what C++ cannot say.
[[nodiscard]] Result<void> read_crd(json::View crd, const Place& place, Headers& headers,
                                    std::vector<std::string>& warnings);

}  // namespace pintle::tools
