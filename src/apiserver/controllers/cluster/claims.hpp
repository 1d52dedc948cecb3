// SPDX-License-Identifier: Apache-2.0
// Claims: which objects a workload controls: it adopts those that its selector matches and that nothing controls, and
// releases those that its selector no longer matches.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "cluster_objects.hpp"

namespace pintle::apiserver {

// Returns true if the selector of a workload matches the labels of an object. The selector of a ReplicationController
// is a map. An empty one matches nothing.
[[nodiscard]] bool selects(const Object& owner, const Object& object);

// The objects of a collection that `owner` controls after adoptions and releases. Only orphans for which `may_adopt`
// returns true are adopted, if it is set.
[[nodiscard]] std::vector<Object> claimed_by(ClusterObjects& objects, const Object& owner, std::string_view collection,
                                             const std::function<bool(const Object& orphan)>& may_adopt = {});

}  // namespace pintle::apiserver
