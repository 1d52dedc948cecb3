// The protobuf messages of the built-in kinds. messages.cpp is written by scripts/generate-protobuf and is text in the
// program's image; nothing is read of it before a body comes.
#pragma once

#include <span>
#include <string_view>

namespace pintle::apiserver {

// `fields`: one a line, "number name type", and "omit" behind it where JSON has no zero or empty text. The name "-" is
// of a message whose members stand in JSON among those of the message around it.
//
// A type is string, int, bool, bytes, time, microtime, quantity, int-or-string, json, the name of another message, []T
// for a list or {}T for a map, whose T may be "list": texts in a message of their own.
struct MessageFacts {
  std::string_view name{};  // "apps.v1.DeploymentSpec"
  std::string_view fields{};
};

// In the order of their names.
[[nodiscard]] std::span<const MessageFacts> protobuf_messages() noexcept;

}  // namespace pintle::apiserver
