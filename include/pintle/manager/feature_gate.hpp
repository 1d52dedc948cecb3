// SPDX-License-Identifier: Apache-2.0
// FeatureGate: a part of an operator that users can switch on or off, with a stage of maturity.
#pragma once

#include <optional>
#include <string>

namespace pintle {

enum class FeatureStage {
  alpha,   ///< off by default
  beta,    ///< on by default
  stable,  ///< always on; users that still set it to true get a warning
};

/// Feature gates are set as in Kubernetes programs: by --feature-gates FastSync=true,NewLayout=false on the command
/// line, by PINTLE_FEATURE_GATES in the environment, or by `feature-gates` in the file of --config. AllAlpha and
/// AllBeta set all gates of a stage that are not set by name. --help lists the gates, and the metric
/// pintle_feature_enabled{name,stage} shows their state.
///
///   bool fast_sync = false;
///   pintle::Manager manager{{.args = {argc, argv}, .feature_gates = {{"FastSync", "Skips the checks", &fast_sync}}}};
struct FeatureGate {
  std::string name{};       ///< letters and digits; begins with an upper-case letter
  std::string help{};       ///< one sentence
  bool* enabled = nullptr;  ///< written once, by the constructor of the manager, also without Args
  FeatureStage stage = FeatureStage::alpha;
  std::optional<bool> default_enabled{};  ///< default: that of the stage; a stable gate cannot have `false`
};

}  // namespace pintle
