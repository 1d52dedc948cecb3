// SPDX-License-Identifier: Apache-2.0
// PodScript: what happens to a Pod whose containers do not run.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::apiserver {

// A plain value. All times are since the start of the containers.
struct PodScript {
  std::optional<Duration> ready_after = Duration::zero();  // none: never
  std::optional<Duration> end_after{};                     // none: never
  int exit_code = 0;                                       // at the end
};

// Parses steps, separated by ";", in any order: "ready after 2s", "never ready", "succeed after 5s", "fail after 10s",
// "fail after 10s with 3". Without a step about readiness, the Pod is ready at once. Error: invalid; the message
// contains the step.
[[nodiscard]] Result<PodScript> parse_pod_script(std::string_view text);

}  // namespace pintle::apiserver
