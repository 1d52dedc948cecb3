// Bodies in protobuf, which kubectl and typed Go clients send for built-in kinds even to a server that answers JSON.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Reads an application/vnd.kubernetes.protobuf body as the JSON it stands for. Errors: unsupported for a kind that is
// not known in this form, invalid for bytes that are none.
[[nodiscard]] Result<json::Value> decode_protobuf(std::string_view body);

}  // namespace pintle::apiserver
