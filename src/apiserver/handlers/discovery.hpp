// SPDX-License-Identifier: Apache-2.0
// Discovery: the groups, versions and resources of the server, which clients read first.
#pragma once

#include <string>
#include <string_view>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

[[nodiscard]] json::Value api_versions();                                                          // /api
[[nodiscard]] json::Value api_groups(const Catalog& catalog);                                      // /apis
[[nodiscard]] json::Value api_group(const Catalog::Group& group);                                  // /apis/G
[[nodiscard]] json::Value api_resources(std::string_view group, const Catalog::Version& version);  // /api/v1, /apis/G/V
// The aggregated form of /api (`core`) and /apis.
[[nodiscard]] json::Value aggregated_discovery(const Catalog& catalog, bool core);

}  // namespace pintle::apiserver
