// SPDX-License-Identifier: Apache-2.0
// OpenAPI in the protobuf that kubectl and Go clients request (gnostic's openapi.v2.Document and openapi.v3.Document).
#pragma once

#include <string>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Encodes a document of Components and add_paths(). Members that are unknown to the format are left out.
[[nodiscard]] std::string encode_openapi_v2(const json::object& document);
[[nodiscard]] std::string encode_openapi_v3(const json::object& document);

}  // namespace pintle::apiserver
