// SPDX-License-Identifier: Apache-2.0
// Taints: which Pods a Node accepts and keeps.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/object.hpp>

namespace pintle::apiserver {

// True if the tolerations of a Pod cover all taints of a Node that have this effect, such as "NoSchedule".
[[nodiscard]] bool tolerates(json::View tolerations, const Object& node, std::string_view effect);
// True if a scheduler may assign the Pod to the Node.
[[nodiscard]] inline bool may_start(json::View tolerations, const Object& node) {
  return tolerates(tolerations, node, "NoSchedule") && tolerates(tolerations, node, "NoExecute");
}
// How long a Pod with these tolerations stays on the Node from when it has its taints. Returns nothing if it stays for
// ever.
[[nodiscard]] std::optional<Duration> time_on(const Object& node, json::View tolerations);

}  // namespace pintle::apiserver
