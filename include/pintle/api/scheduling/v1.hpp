// Types of scheduling, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle::api::scheduling::v1 {

struct PINTLE_EXPORT PriorityClass {
  static constexpr Type type{"scheduling.k8s.io/v1", "PriorityClass"};

  enum class PreemptionPolicy { unset, never, preempt_lower_priority };
  friend PINTLE_EXPORT EnumTable enum_names(PreemptionPolicy);
  friend consteval std::string_view enum_texts(PreemptionPolicy) { return "Never|PreemptLowerPriority"; }

  Metadata metadata{};
  std::optional<std::string> description_{};
  std::optional<bool> global_default{};
  Choice<PreemptionPolicy> preemption_policy{};
  std::optional<std::int32_t> value{};

  static FieldTable fields();
};

}  // namespace pintle::api::scheduling::v1
