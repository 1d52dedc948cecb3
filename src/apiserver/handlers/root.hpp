// SPDX-License-Identifier: Apache-2.0
// The paths outside /api and /apis: the list of all paths, and the version.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

[[nodiscard]] json::Value root_paths(const Catalog& catalog);
// The version that the server imitates, and its own.
[[nodiscard]] json::Value version_info(std::string_view build);
// The discovery document of the issuer of service account tokens. `host`: that of the request.
[[nodiscard]] json::Value openid_configuration(std::string_view host);
[[nodiscard]] std::string git_version(std::string_view build);

}  // namespace pintle::apiserver
