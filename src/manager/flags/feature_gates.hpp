// SPDX-License-Identifier: Apache-2.0
// Feature gates: their defaults, and the flag that sets them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/manager/feature_gate.hpp>

#include "flag_value.hpp"

namespace pintle {

[[nodiscard]] std::string_view name_of(FeatureStage stage);
// Returns whether the gate is enabled if nothing sets it.
[[nodiscard]] bool is_enabled_by_default(const FeatureGate& gate);

// Error: invalid; the message names the gate and the remedy.
[[nodiscard]] Result<void> check(const std::vector<FeatureGate>& gates);
// Must be called after check().
void set_defaults(const std::vector<FeatureGate>& gates);

// The value of --feature-gates: "A=true,B=false". A warning is added for each stable gate that is set. The results
// refer to the arguments, which must outlive them.
[[nodiscard]] FlagValue value_of(const std::vector<FeatureGate>& gates, std::vector<std::string>& warnings);
// Returns the text for --help, with one line for each gate.
[[nodiscard]] std::string help_of(const std::vector<FeatureGate>& gates);

}  // namespace pintle
