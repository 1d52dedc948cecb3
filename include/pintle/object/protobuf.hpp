// SPDX-License-Identifier: Apache-2.0
// Kubernetes protobuf (application/vnd.kubernetes.protobuf) of the built-in kinds: its messages, and the encoding of an
// object. json::Reader and json::parse_protobuf() decode it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/message_types.hpp>

namespace pintle {

/// The media type of Kubernetes protobuf. The events of a watch have it with the parameter `stream=watch`.
inline constexpr std::string_view protobuf_media_type = "application/vnd.kubernetes.protobuf";

/// The messages of the built-in kinds. They are read at the first call. Thread-safe.
[[nodiscard]] PINTLE_EXPORT const json::MessageTypes& protobuf_types();

/// The same for one kind; null if it has no message, for example for a custom resource.
[[nodiscard]] PINTLE_EXPORT const json::MessageTypes* protobuf_types_of(std::string_view api_version,
                                                                        std::string_view kind);

/// Appends an object as protobuf, without an envelope. A missing member with the mark "omit" (see json::MessageFacts)
/// is encoded as zero or an empty text, as a Go program does. A null member is left out, except a time or embedded JSON
/// without the mark "null", which becomes an empty value. A null view is an empty message. Errors, with the path of the
/// member: unsupported for a member that is not in the message, invalid for a value that does not have the type of its
/// member. `out` is undefined after an error.
[[nodiscard]] PINTLE_EXPORT Result<void> append_message(json::View object, const json::MessageTypes::Message& message,
                                                        std::string& out);

/// Appends a member of a message: its number, the size of its value, and the value.
PINTLE_EXPORT void append_chunk(std::uint32_t number, std::string_view bytes, std::string& out);

/// An event of a watch: its type, "ADDED", and its object in an envelope.
struct ProtobufEvent {
  std::string_view type{};
  std::string_view object{};
};
/// Returns nothing if the bytes are malformed. The event refers to the bytes.
[[nodiscard]] PINTLE_EXPORT std::optional<ProtobufEvent> read_protobuf_event(std::string_view bytes);

/// Returns a message of this kind in its envelope, which begins with the magic bytes.
[[nodiscard]] PINTLE_EXPORT std::string protobuf_envelope(std::string_view api_version, std::string_view kind,
                                                          std::string_view message);

}  // namespace pintle
