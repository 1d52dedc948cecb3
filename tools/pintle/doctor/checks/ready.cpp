// SPDX-License-Identifier: Apache-2.0
// The check ready: objects whose condition Ready is False or Unknown.
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "doctor/checks/checks.hpp"
#include "doctor/conditions.hpp"
#include "doctor/custom_kinds.hpp"

namespace pintle::doctor {
namespace {

struct ReadyCounts {
  std::size_t with_condition = 0;
  std::size_t unready = 0;
  std::map<std::string, std::pair<std::size_t, Object>> by_reason{};  // the number of objects, and the first one
};

ReadyCounts count_ready(const Listing& listing) {
  ReadyCounts counts;
  for (const Object& object : listing.objects) {
    const json::View ready = condition_of(object, "Ready");
    if (!ready) continue;
    ++counts.with_condition;
    if (is_true(ready)) continue;
    ++counts.unready;
    auto& [number, example] = counts.by_reason[std::string(ready.member("reason").text())];
    if (++number == 1) example = object;
  }
  return counts;
}

void report_ready_counts(const CustomKind& kind, const ReadyCounts& counts, const CheckInput& input, Lines& lines) {
  const auto* most = &*counts.by_reason.begin();
  for (const auto& one : counts.by_reason) {
    if (one.second.first > most->second.first) most = &one;
  }
  const Object& example = most->second.second;
  const json::View ready = condition_of(example, "Ready");
  const std::string in = example.namespace_().empty() ? "" : fmt::format(" -n {}", example.namespace_());
  const std::string plan = input.program ? fmt::format("; {} --plan {}/{}", input.program->command, kind.kind.kind,
                                                       example.key().to_string())
                                         : "";
  // If no object is ready, the controller itself is the likely cause.
  lines.add(counts.unready == counts.with_condition ? LineState::fail : LineState::warn, kind.kind.to_string(),
            fmt::format("{} of {} objects are not ready; most frequent reason: {} ({}), for example {}: {}",
                        counts.unready, counts.with_condition, most->first, most->second.first,
                        example.key().to_string(), ready.member("message").text()),
            fmt::format("kubectl describe {}{} {}{}", kind.crd, in, example.name(), plan));
}

}  // namespace

void check_ready(const CheckInput& input, Lines& lines) {
  std::size_t count = 0;
  (void)for_each_kind(input, lines, [&](const CustomKind& kind, const Listing& listing) {
    const ReadyCounts counts = count_ready(listing);
    count += counts.with_condition;
    if (counts.unready > 0) report_ready_counts(kind, counts, input, lines);
  });
  if (lines.empty()) lines.ok_of_all("objects with a condition Ready", count, "are ready");
}

}  // namespace pintle::doctor
