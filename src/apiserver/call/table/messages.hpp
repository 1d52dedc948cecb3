// The protobuf messages of the built-in kinds. scripts/generate-protobuf writes messages.cpp, which is text in the
// image of the program and is not read before a protobuf body arrives.
#pragma once

#include <span>
#include <string_view>

namespace pintle::apiserver {

// `fields`: one line for each member, "number name type", followed by "omit" if JSON leaves out a zero or an empty
// text. The name "-" stands for a message whose members are, in JSON, members of the surrounding message.
//
// A type is string, int, bool, bytes, time, microtime, quantity, int-or-string, json, the name of another message, []T
// for a list, or {}T for a map. The T of a map may be "list": a message that contains a list of texts.
struct MessageFacts {
  std::string_view name{};  // "apps.v1.DeploymentSpec"
  std::string_view fields{};
};

// Sorted by name.
[[nodiscard]] std::span<const MessageFacts> protobuf_messages() noexcept;

}  // namespace pintle::apiserver
