// SPDX-License-Identifier: Apache-2.0
#include "taints.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace pintle::apiserver {
namespace {

using json::View;

bool covers_taint(View toleration, View taint) {
  const std::string_view effect = toleration.member("effect").text();
  if (!effect.empty() && taint.member("effect") != effect) return false;
  const bool is_any_value = toleration.member("operator") == "Exists";
  const std::string_view key = toleration.member("key").text();
  if (key.empty()) return is_any_value;
  if (taint.member("key") != key) return false;
  return is_any_value || toleration.member("value").text() == taint.member("value").text();
}

}  // namespace

bool tolerates(View tolerations, const Object& node, std::string_view effect) {
  for (const View taint : node["/spec/taints"].elements()) {
    if (taint.member("effect") != effect) continue;
    bool is_covered = false;
    for (const View toleration : tolerations.elements()) is_covered = is_covered || covers_taint(toleration, taint);
    if (!is_covered) return false;
  }
  return true;
}

std::optional<Duration> time_on(const Object& node, View tolerations) {
  constexpr std::int64_t most = 100LL * 365 * 24 * 3600;  // avoids an overflow
  std::optional<Duration> out;
  const auto limit = [&](std::int64_t seconds) {
    const Duration time = std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, most));
    out = out ? std::min(*out, time) : time;
  };
  for (const View taint : node["/spec/taints"].elements()) {
    if (taint.member("effect") != "NoExecute") continue;
    bool is_covered = false;
    for (const View toleration : tolerations.elements()) {
      if (!covers_taint(toleration, taint)) continue;
      is_covered = true;
      if (const auto seconds = toleration.member("tolerationSeconds").as_integer()) limit(*seconds);
    }
    if (!is_covered) limit(0);
  }
  return out;
}

}  // namespace pintle::apiserver
