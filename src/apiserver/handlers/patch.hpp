// Patches: a body of one of four kinds, and what it makes of an object.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/object/managed_fields.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

enum class PatchKind { json, merge, strategic, apply };

[[nodiscard]] std::optional<PatchKind> patch_kind(const http::Request& request);

// The body as a patch of its kind; 400 for one that cannot be read.
[[nodiscard]] Answer<json::Value> read_patch(const Call& call, PatchKind kind);

// Applies a patch that is not an apply: 422 for a JSON patch that does not fit, 400 for a malformed one.
[[nodiscard]] Answer<json::Value> apply_patch(const json::Value& current, const json::Value& patch, PatchKind kind,
                                              json::View schema);

}  // namespace pintle::apiserver
