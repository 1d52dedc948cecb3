// SPDX-License-Identifier: Apache-2.0
// The amounts that an object uses of the resources that a ResourceQuota limits, and whether a quota applies to the
// object.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>

#include "amounts.hpp"
#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// True if objects of a kind can use the resource of a quota with this name, such as "pods", "requests.cpu" or
// "count/widgets.demo.dev".
[[nodiscard]] bool can_use(const Resource& resource, std::string_view name);

// Returns the amounts that an object uses. A Pod that has ended, or whose grace period is over, only counts as
// "count/pods".
[[nodiscard]] Amounts usage_of(const Resource& resource, json::View object, WallTime now);

// True if the object is in all scopes of the quota.
[[nodiscard]] bool is_in_scopes(const Resource& resource, json::View quota, json::View object);

// If `hard` limits CPU or memory, each container of a Pod must state its own. Returns the missing ones: "must specify
// requests.cpu for: a,b", or "".
[[nodiscard]] std::string missing_amounts(json::View pod, const Amounts& hard);

}  // namespace pintle::apiserver
