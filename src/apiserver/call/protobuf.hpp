// SPDX-License-Identifier: Apache-2.0
// Kubernetes protobuf in requests and responses. kubectl and typed Go clients send it for built-in kinds, and clients
// request it for lists and watches of these kinds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Converts an application/vnd.kubernetes.protobuf body to the JSON that it represents. Errors: unsupported for a kind
// or member that is not in the table, invalid for malformed bytes.
[[nodiscard]] Result<json::Value> decode_protobuf(std::string_view body);

// Whether the kind has a message.
[[nodiscard]] bool has_protobuf(std::string_view api_version, std::string_view kind);

// Returns the message of an object, without its envelope; nothing if the object does not fit its message, or if the
// kind has none.
[[nodiscard]] std::optional<std::string> protobuf_message(json::View object, std::string_view api_version,
                                                          std::string_view kind);
// Returns the object in its envelope. Its own members determine the kind.
[[nodiscard]] std::optional<std::string> encode_protobuf(json::View object);

// Returns an event of a watch: its size in four bytes, its type and its object in an envelope.
[[nodiscard]] std::string protobuf_event(std::string_view type, std::string_view object);

}  // namespace pintle::apiserver
