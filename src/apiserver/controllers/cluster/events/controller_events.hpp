// SPDX-License-Identifier: Apache-2.0
// The Events that the controllers of a cluster write.
#pragma once

#include <string_view>

#include "../cluster_objects.hpp"

namespace pintle::apiserver {

// Writes an Event of the controller of `subject`, or counts one more if the same Event exists.
void write_event(ClusterObjects& objects, const Object& subject, std::string_view reason, std::string_view message,
                 std::string_view type = "Normal");

}  // namespace pintle::apiserver
