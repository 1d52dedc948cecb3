// Types of policy, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::policy::v1 {

struct PINTLE_EXPORT Eviction {
  static constexpr Type type{"policy/v1", "Eviction"};
  Metadata metadata{};
  OptionalBox<meta::v1::DeleteOptions> delete_options{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodDisruptionBudgetSpec {
  enum class UnhealthyPodEvictionPolicy { unset, always_allow, if_healthy_budget };
  friend PINTLE_EXPORT EnumTable enum_names(UnhealthyPodEvictionPolicy);
  friend consteval std::string_view enum_texts(UnhealthyPodEvictionPolicy) { return "AlwaysAllow|IfHealthyBudget"; }

  std::optional<IntOrString> max_unavailable{};
  std::optional<IntOrString> min_available{};
  OptionalBox<meta::v1::LabelSelector> selector{};
  Choice<UnhealthyPodEvictionPolicy> unhealthy_pod_eviction_policy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodDisruptionBudgetStatus {
  std::vector<StatusCondition> conditions{};
  std::optional<std::int32_t> current_healthy{};
  std::optional<std::int32_t> desired_healthy{};
  std::map<std::string, WallTime> disrupted_pods{};
  std::optional<std::int32_t> disruptions_allowed{};
  std::optional<std::int32_t> expected_pods{};
  std::optional<std::int64_t> observed_generation{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodDisruptionBudget {
  static constexpr Type type{"policy/v1", "PodDisruptionBudget"};
  Metadata metadata{};
  PodDisruptionBudgetSpec spec{};
  PodDisruptionBudgetStatus status{};
};

}  // namespace pintle::api::policy::v1
