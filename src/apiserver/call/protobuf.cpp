// SPDX-License-Identifier: Apache-2.0
#include "protobuf.hpp"

#include <cstdint>
#include <utility>

#include <pintle/object/protobuf.hpp>

namespace pintle::apiserver {

Result<json::Value> decode_protobuf(std::string_view body) {
  auto decoded = json::parse_protobuf(body, protobuf_types());
  if (decoded) return decoded;
  Error error = std::move(decoded.error());
  if (error.code == ErrorCode::unsupported) error.message += ": send the object as application/json";
  return fail(std::move(error));
}

bool has_protobuf(std::string_view api_version, std::string_view kind) {
  return protobuf_types().find_kind(api_version, kind) != nullptr;
}

std::optional<std::string> protobuf_message(json::View object, std::string_view api_version, std::string_view kind) {
  const auto* const message = protobuf_types().find_kind(api_version, kind);
  std::string out;
  if (message == nullptr || !append_message(object, *message, out)) return std::nullopt;
  return out;
}

std::optional<std::string> encode_protobuf(json::View object) {
  const std::string_view api_version = object.member("apiVersion").text();
  const std::string_view kind = object.member("kind").text();
  const auto message = protobuf_message(object, api_version, kind);
  if (!message) return std::nullopt;
  return protobuf_envelope(api_version, kind, *message);
}

std::string protobuf_event(std::string_view type, std::string_view object) {
  std::string extension;
  append_chunk(1, object, extension);
  std::string event;
  append_chunk(1, type, event);
  append_chunk(2, extension, event);
  std::string frame;
  for (unsigned shift = 32; shift != 0;) {
    shift -= 8;
    frame += static_cast<char>(static_cast<std::uint32_t>(event.size()) >> shift & 0xffU);
  }
  return frame + event;
}

}  // namespace pintle::apiserver
