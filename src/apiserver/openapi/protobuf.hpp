// OpenAPI version 2 in the protobuf that kubectl and Go clients ask for (gnostic's openapi.v2.Document).
#pragma once

#include <string>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Of what Components and add_paths() write; members that the format does not know are left out.
[[nodiscard]] std::string encode_openapi_v2(const json::object& document);

}  // namespace pintle::apiserver
