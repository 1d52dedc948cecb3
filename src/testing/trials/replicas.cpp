// SPDX-License-Identifier: Apache-2.0
#include "replicas.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pintle::testkit {

std::optional<std::string> Replicas::begin(int instance, const std::string& controller, const std::string& key,
                                           Instant now) {
  auto& running = reconciles_[{controller, key}];
  running.emplace(instance, now);
  if (allowed_.contains(controller) || !is_judged({.instance = instance, .from = now, .until = now})) return {};
  for (const auto& [other, from] : running) {
    if (other == instance || !is_judged({.instance = other, .from = from, .until = now})) continue;
    return fmt::format("operator {} begins to reconcile {} of controller {}, which operator {} still reconciles",
                       instance, key, controller, other);
  }
  return {};
}

void Replicas::end(int instance, const std::string& controller, const std::string& key) {
  const auto running = reconciles_.find({controller, key});
  if (running == reconciles_.end()) return;
  running->second.erase(instance);
  if (running->second.empty()) reconciles_.erase(running);
}

std::optional<std::string> Replicas::call(int instance, const std::string& call, Instant from, Instant until) {
  const Span now{.instance = instance, .from = from, .until = until};
  if (!is_judged(now)) return {};
  auto& last = calls_[call];
  last[instance] = now;
  for (const auto& [other, before] : last) {
    if (other == instance) continue;
    const Instant begin = std::max(from, before.from);
    const Instant end = std::min(until, before.until);
    // Calls at one moment are at the same time, unless the Lease is handed over at this moment.
    if (begin < end || (begin == end && handed_over_ != end)) {
      return fmt::format("operator {} and operator {} make the outside call {} at the same time", other, instance,
                         call);
    }
  }
  return {};
}

bool Replicas::is_judged(const Span& span) const {
  return lives_(span.instance) && std::ranges::none_of(frozen_, [&](const Span& frozen) {
           return frozen.instance == span.instance && frozen.from <= span.until && span.from <= frozen.until;
         });
}

}  // namespace pintle::testkit
