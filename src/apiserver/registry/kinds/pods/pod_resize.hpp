// SPDX-License-Identifier: Apache-2.0
// The subresources resize and ephemeralcontainers of Pods.
#pragma once

#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Take back all changes of a Pod except those of the subresource.
void keep_all_but_resources(json::Value& next, const json::Value& old);
void keep_all_but_ephemeral_containers(json::Value& next, const json::Value& old);

// True if the containers of two Pods have the same resources.
[[nodiscard]] bool same_resources(const json::Value& a, const json::Value& b);

// Adds the errors of a resize: only amounts of CPU and memory may change, and none may be removed.
void validate_resize(const json::Value& next, const json::Value& old, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
