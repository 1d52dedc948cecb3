// SPDX-License-Identifier: Apache-2.0
#include "workload_rules.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

// The number in "25%"; nothing for another value.
std::optional<std::int64_t> percent_of(View value) {
  const std::string_view text = value.text();
  if (!value.is_string() || !percent_errors(text).empty()) return std::nullopt;
  return number_in(text.substr(0, text.size() - 1));
}

std::int64_t count_or_percent(View value) {
  if (const auto percent = percent_of(value)) return *percent;
  return value.is_string() ? number_in(value.text()) : integer_cell(value);
}

void validate_rolling_deployment(View rolling, Causes& causes) {
  const std::string field = "spec.strategy.rollingUpdate";
  const View unavailable = rolling.member("maxUnavailable");
  const View surge = rolling.member("maxSurge");
  validate_count_or_percent(unavailable, field + ".maxUnavailable", causes);
  validate_count_or_percent(surge, field + ".maxSurge", causes);
  if (count_or_percent(unavailable) == 0 && count_or_percent(surge) == 0) {
    causes.push_back(
        invalid_value(field + ".maxUnavailable", unavailable.to_value(), "may not be 0 when `maxSurge` is 0"));
  }
  validate_at_most_all(unavailable, field + ".maxUnavailable", causes);
}

void validate_rolling_daemon_set(View rolling, Causes& causes) {
  const std::string field = "spec.updateStrategy.rollingUpdate";
  const View unavailable = rolling.member("maxUnavailable");
  const View surge = rolling.member("maxSurge");
  validate_count_or_percent(unavailable, field + ".maxUnavailable", causes);
  validate_count_or_percent(surge, field + ".maxSurge", causes);
  validate_at_most_all(unavailable, field + ".maxUnavailable", causes);
  validate_at_most_all(surge, field + ".maxSurge", causes);
  const bool has_unavailable = count_or_percent(unavailable) != 0;
  const bool has_surge = count_or_percent(surge) != 0;
  if (has_unavailable && has_surge) {
    causes.push_back(
        invalid_value(field + ".maxSurge", surge.to_value(), "may not be set when maxUnavailable is non-zero"));
  } else if (!has_unavailable && !has_surge) {
    causes.push_back(required(field + ".maxUnavailable", "cannot be 0 when maxSurge is 0"));
  }
}

void validate_rolling_stateful_set(View rolling, Causes& causes) {
  const std::string field = "spec.updateStrategy.rollingUpdate";
  validate_counts(rolling, {"partition"}, field, causes);
  const View unavailable = rolling.member("maxUnavailable");
  if (!unavailable.exists()) return;
  const std::string at = field + ".maxUnavailable";
  validate_count_or_percent(unavailable, at, causes);
  if (count_or_percent(unavailable) == 0) causes.push_back(invalid_value(at, unavailable.to_value(), "cannot be 0"));
  validate_at_most_all(unavailable, at, causes);
}

}  // namespace

void validate_counts(View spec, std::initializer_list<const char*> names, const std::string& field, Causes& causes) {
  for (const char* name : names) {
    const std::int64_t count = integer_cell(spec.member(name));
    if (count >= 0) continue;
    causes.push_back(
        invalid_value(fmt::format("{}.{}", field, name), Value(count), "must be greater than or equal to 0"));
  }
}

void validate_count_or_percent(View value, const std::string& field, Causes& causes) {
  if (value.is_string()) {
    add_errors(field, value.text(), percent_errors(value.text()), causes);
  } else if (integer_cell(value) < 0) {
    causes.push_back(invalid_value(field, value.to_value(), "must be greater than or equal to 0"));
  }
}

void validate_at_most_all(View value, const std::string& field, Causes& causes) {
  constexpr std::int64_t all = 100;
  const auto percent = percent_of(value);
  if (!percent || *percent <= all) return;
  causes.push_back(invalid_value(field, value.to_value(), "must not be greater than 100%"));
}

void validate_deployment(View spec, Causes& causes) {
  const View strategy = spec.member("strategy");
  const View rolling = strategy.member("rollingUpdate");
  if (strategy.member("type") == "Recreate" && rolling.exists()) {
    causes.push_back(
        forbidden_field("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
  }
  if (strategy.member("type") == "RollingUpdate") validate_rolling_deployment(rolling, causes);
  validate_counts(spec, {"minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"}, "spec", causes);
  const View deadline = spec.member("progressDeadlineSeconds");
  if (deadline.exists() && integer_cell(deadline) <= integer_cell(spec.member("minReadySeconds"))) {
    causes.push_back(
        invalid_value("spec.progressDeadlineSeconds", deadline.to_value(), "must be greater than minReadySeconds"));
  }
}

void validate_stateful_set(View spec, Causes& causes) {
  const View strategy = spec.member("updateStrategy");
  const View rolling = strategy.member("rollingUpdate");
  if (strategy.member("type") == "OnDelete" && rolling.exists()) {
    causes.push_back(invalid_value("spec.updateStrategy.rollingUpdate", rolling.to_value(),
                                   "only allowed for updateStrategy 'RollingUpdate'"));
  }
  if (strategy.member("type") == "RollingUpdate") validate_rolling_stateful_set(rolling, causes);
  const View retention = spec.member("persistentVolumeClaimRetentionPolicy");
  for (const char* name : {"whenDeleted", "whenScaled"}) {
    const std::string_view policy = retention.member(name).text();
    if (!retention.exists() || policy == "Retain" || policy == "Delete") continue;
    causes.push_back(not_supported(fmt::format("spec.persistentVolumeClaimRetentionPolicy.{}", name), Value(policy),
                                   {"Retain", "Delete"}));
  }
  validate_counts(spec, {"replicas", "minReadySeconds"}, "spec", causes);
  validate_counts(spec.member("ordinals"), {"start"}, "spec.ordinals", causes);
}

void validate_daemon_set(View spec, Causes& causes) {
  validate_counts(spec, {"minReadySeconds"}, "spec", causes);
  const View strategy = spec.member("updateStrategy");
  if (strategy.member("type") == "RollingUpdate") validate_rolling_daemon_set(strategy.member("rollingUpdate"), causes);
  validate_counts(spec, {"revisionHistoryLimit"}, "spec", causes);
}

}  // namespace pintle::apiserver
