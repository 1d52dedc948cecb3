// The paths outside /api and /apis: what this server is.
#pragma once

#include <string_view>

#include <pintle/http/handler.hpp>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

[[nodiscard]] json::Value root_paths(const Catalog& catalog);
// What it imitates, and what it is.
[[nodiscard]] json::Value version_info(std::string_view build);
// /openapi/v2. It describes nothing yet; kubectl, which asks for protobuf, takes an empty document for that.
[[nodiscard]] http::Response openapi_v2(const http::Request& request);

}  // namespace pintle::apiserver
