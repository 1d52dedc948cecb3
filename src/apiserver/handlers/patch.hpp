// SPDX-License-Identifier: Apache-2.0
// Patches: reads a body of one of four kinds and applies it to an object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/merge/managed_fields.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

enum class PatchKind { json, merge, strategic, apply };

[[nodiscard]] std::optional<PatchKind> patch_kind(const http::Request& request);
// 415: the resource does not take the kind of the patch.
[[nodiscard]] StatusOr<PatchKind> accepted_patch_kind(const Call& call);

// Parses the body as a patch. 400: it cannot be parsed, or it has the wrong form.
[[nodiscard]] StatusOr<json::Value> read_patch(const Call& call, PatchKind kind, FieldValidation validation);
// Returns the errors of field validation about unknown members of the operations of a JSON patch.
[[nodiscard]] std::vector<std::string> unknown_in_operations(const json::Value& patch);

// Applies a patch of a kind other than apply, which read_patch() has accepted. 422: a JSON patch that cannot be
// applied. 400 and 500: a malformed strategic merge patch.
[[nodiscard]] StatusOr<json::Value> apply_patch(const json::Value& current, const json::Value& patch, PatchKind kind,
                                                json::View schema);

// 422: a strategic merge patch contains a value of another type than that of the schema.
[[nodiscard]] StatusOr<void> check_strategic_types(const json::Value& patch, json::View schema);
// For an edit whose patch makes an object that cannot be decoded: a 422 about the patch.
[[nodiscard]] Unfit unfit_patch(const json::Value& patch, PatchKind kind);

// Returns the edit of a server-side apply. 400: the configuration is not for the path of the call. The edit fails with
// 409 if another manager owns a field, and with 500 if the configuration does not have the form of its schema.
[[nodiscard]] StatusOr<Edit> apply_edit(Service& service, const Call& call, json::Value config,
                                        const WriteOptions& options);
// Merges a configuration into an object (null: a new one). The manager "kubectl" takes over the fields of a client-side
// apply.
[[nodiscard]] StatusOr<json::Value> merge_configuration(Service& service, const Resource& resource,
                                                        const json::Value& current, const json::Value& part,
                                                        const FieldManager& manager, bool force);

}  // namespace pintle::apiserver
