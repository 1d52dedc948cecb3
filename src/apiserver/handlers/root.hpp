// The paths outside /api and /apis: what this server is.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

[[nodiscard]] json::Value root_paths(const Catalog& catalog);
// What it imitates, and what it is.
[[nodiscard]] json::Value version_info(std::string_view build);
[[nodiscard]] std::string git_version(std::string_view build);

}  // namespace pintle::apiserver
