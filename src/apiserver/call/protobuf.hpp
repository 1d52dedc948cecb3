// Request bodies in protobuf. kubectl and typed Go clients send them for built-in kinds, even if the server responds in
// JSON.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Converts an application/vnd.kubernetes.protobuf body to the JSON that it represents. Errors: unsupported for a kind
// or member that is not in the table, invalid for malformed bytes.
[[nodiscard]] Result<json::Value> decode_protobuf(std::string_view body);

}  // namespace pintle::apiserver
