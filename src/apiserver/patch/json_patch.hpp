// SPDX-License-Identifier: Apache-2.0
// JSON patches as kube-apiserver applies them. It departs from RFC 6902 in a few places.
#pragma once

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Applies the operations in order. If one fails, the object keeps what the operations before it have changed.
//
// `replace` adds a member that an object does not have, `test` takes a missing member for null, `copy` copies a missing
// member as null, a missing value is null, and a negative index counts from the end of the list.
//
// Error: invalid. The message is that of kube-apiserver. Error::reason is "test_failed" if a test failed.
[[nodiscard]] Result<void> apply_json_patch(json::Value& object, const json::array& operations);

}  // namespace pintle::apiserver
