// Strategic merge patch: the merge patch of kubectl, which merges lists by the keys that a schema names.
#pragma once

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// Applies `patch` to `target`. `schema` is the OpenAPI schema of the object, without references; what it marks with
// x-kubernetes-patch-strategy and x-kubernetes-patch-merge-key is merged item by item, other lists are replaced, and
// where it says nothing the patch is a merge patch. Metadata needs no schema. The directives $patch (replace, delete,
// merge), $retainKeys, $setElementOrder/<list> and $deleteFromPrimitiveList/<list> are honoured and never stored.
// Error: invalid, naming the place; the target is then half changed.
[[nodiscard]] Result<void> apply_strategic_patch(json::Value& target, const json::Value& patch, json::View schema = {});

// The strategic merge patch that turns `from` into `to` where `schema` is known to the server; an empty object when
// they are equal. Lists that are merged come with the order of their items; one whose items cannot be told apart is
// replaced. Error: invalid, where a patch has no words for a change: a null or a name with a $ at its front in `to`,
// and an item that is twice in a merged list of primitives.
[[nodiscard]] Result<json::Value> strategic_diff(const json::Value& from, const json::Value& to,
                                                 json::View schema = {});

}  // namespace pintle
