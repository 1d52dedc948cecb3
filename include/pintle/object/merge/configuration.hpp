// SPDX-License-Identifier: Apache-2.0
// merge_configuration(): the merge of server-side apply without owners, as admission policies use it.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// Returns `object` with all values of `config`. Objects, lists with keys and sets are merged as by a server-side
/// apply; nothing is removed, and metadata.managedFields is not updated. `schema` is that of apply_configuration().
/// Error: invalid, with the message of kube-apiserver, if `config` contains a member that the schema does not declare,
/// or an atomic list or map, which would replace parts that the author of the configuration did not mention.
[[nodiscard]] PINTLE_EXPORT Result<json::Value> merge_configuration(const json::Value& object,
                                                                    const json::Value& config, json::View schema);

}  // namespace pintle
