// SPDX-License-Identifier: Apache-2.0
// Patches: reads a body of one of four kinds and applies it to an object.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/object/merge/managed_fields.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

enum class PatchKind { json, merge, strategic, apply };

[[nodiscard]] std::optional<PatchKind> patch_kind(const http::Request& request);

// Parses the body as a patch. 400: it cannot be parsed.
[[nodiscard]] StatusOr<json::Value> read_patch(const Call& call, PatchKind kind);

// Applies a patch of a kind other than apply. 422: a JSON patch that cannot be applied. 400: a malformed patch.
[[nodiscard]] StatusOr<json::Value> apply_patch(const json::Value& current, const json::Value& patch, PatchKind kind,
                                                json::View schema);

}  // namespace pintle::apiserver
