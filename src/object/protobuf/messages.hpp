// SPDX-License-Identifier: Apache-2.0
// The protobuf messages of the built-in kinds. scripts/generate-protobuf writes messages.cpp, which is text in the
// image of the program and is not read before it is needed.
#pragma once

#include <span>

#include <pintle/json/message_types.hpp>

namespace pintle {

// Sorted by name.
[[nodiscard]] std::span<const json::MessageFacts> protobuf_messages() noexcept;

}  // namespace pintle
