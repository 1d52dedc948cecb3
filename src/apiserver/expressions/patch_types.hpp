// SPDX-License-Identifier: Apache-2.0
// The types with which the expressions of a MutatingAdmissionPolicy construct their result.
#pragma once

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Declares `Object{…}`, `Object.spec{…}`, `JSONPatch{op: …, path: …, from: …, value: …}` and `jsonpatch.escapeKey()`.
[[nodiscard]] cel::Library patch_library();
[[nodiscard]] cel::Type object_type();
[[nodiscard]] cel::Type json_patch_type();

// Returns an `Object` as JSON. Error: invalid, if an object in it has the type of another place, as in
// `Object{spec: Object.status{}}`.
[[nodiscard]] Result<json::Value> object_to_json(const cel::Value& object);
// Returns a list of JSONPatch as the operations of a JSON patch. Error: invalid, as above.
[[nodiscard]] Result<json::array> patch_to_json(const cel::Value& patch);

}  // namespace pintle::apiserver
