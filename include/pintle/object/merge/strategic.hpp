// SPDX-License-Identifier: Apache-2.0
// Strategic merge patch: the merge patch of kubectl. It merges lists by the keys that a schema names.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// Applies `patch` to `target`. `schema` is the OpenAPI schema of the object, without references. Lists that it marks
/// with x-kubernetes-patch-strategy and x-kubernetes-patch-merge-key are merged item by item; other lists are replaced.
/// Parts without a schema are patched by the rules of a merge patch. Metadata needs no schema. The directives `$patch`
/// (replace, delete), `$retainKeys`, `$setElementOrder/<list>` and `$deleteFromPrimitiveList/<list>` are applied and
/// never stored. A part with `$patch` is left out if `target` has nothing to which it applies. Error: invalid. The
/// message contains the path, and the message of the only cause is that of kube-apiserver. After an error, `target` may
/// be changed in part.
[[nodiscard]] PINTLE_EXPORT Result<void> apply_strategic_patch(json::Value& target, const json::Value& patch,
                                                               json::View schema = {});

/// Returns the strategic merge patch that turns `from` into `to` on a server that uses `schema`; an empty object if
/// they are equal. For a merged list, the patch contains the order of the items. If a list is merged by a key, and two
/// items have the same key or an item lacks it, the patch replaces the whole list.
///
/// Error: invalid, if `from` or `to` is not an object, or if a patch cannot express the change:
/// - a new or changed member of `to` is null, or its name begins with $;
/// - a changed list that is merged without a key has two equal items in `from` or in `to`.
[[nodiscard]] PINTLE_EXPORT Result<json::Value> create_strategic_patch(const json::Value& from, const json::Value& to,
                                                                       json::View schema = {});

}  // namespace pintle
