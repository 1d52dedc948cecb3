// SPDX-License-Identifier: Apache-2.0
#include "feature_gates.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/base/nearest_name.hpp>

namespace pintle {
namespace {

using Settings = std::map<std::string, bool>;

constexpr std::array<std::pair<const char*, FeatureStage>, 2> groups{
    {{"AllAlpha", FeatureStage::alpha}, {"AllBeta", FeatureStage::beta}}};

bool is_gate_name(std::string_view name) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return !name.empty() && is_upper(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

std::vector<std::string> names_of(const std::vector<FeatureGate>& gates) {
  std::vector<std::string> names;
  for (const FeatureGate& gate : gates) names.push_back(gate.name);
  for (const auto& [name, stage] : groups) names.emplace_back(name);
  return names;
}

Result<void> read_setting(const std::string& text, const std::vector<std::string>& known, Settings& settings) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    std::string near = did_you_mean(name, known);
    if (near.empty()) near = fmt::format("; the gates are {}", fmt::join(known, ", "));
    return fail(invalid(fmt::format("unknown feature gate \"{}\"{}", name, near)));
  }
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (value != "true" && value != "false") {
    return fail(
        invalid(fmt::format("\"{}\" does not set feature gate {}; write {}=true or {}=false", text, name, name, name)));
  }
  settings[name] = value == "true";
  return {};
}

Result<Settings> read_settings(const std::string& text, const std::vector<std::string>& known) {
  Settings settings;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    begin = end + 1;
    if (one.empty()) continue;
    if (auto read = read_setting(one, known, settings); !read) return fail(std::move(read.error()));
  }
  return settings;
}

// Returns the setting of a gate by its name, or else by its stage.
std::optional<bool> setting_of(const FeatureGate& gate, const Settings& settings) {
  if (const auto found = settings.find(gate.name); found != settings.end()) return found->second;
  for (const auto& [name, stage] : groups) {
    const auto found = settings.find(name);
    if (stage == gate.stage && found != settings.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(FeatureStage stage) {
  switch (stage) {
    case FeatureStage::alpha: return "alpha";
    case FeatureStage::beta: return "beta";
    case FeatureStage::stable: break;
  }
  return "stable";
}

bool is_enabled_by_default(const FeatureGate& gate) {
  return gate.stage == FeatureStage::stable || gate.default_enabled.value_or(gate.stage == FeatureStage::beta);
}

Result<void> check(const std::vector<FeatureGate>& gates) {
  std::set<std::string> names;
  for (const auto& [name, stage] : groups) names.insert(name);
  for (const FeatureGate& gate : gates) {
    if (!is_gate_name(gate.name)) {
      return fail(invalid(fmt::format(
          "feature gate name \"{}\" is invalid; use letters and digits, beginning with an upper-case letter",
          gate.name)));
    }
    if (!names.insert(gate.name).second) {
      return fail(invalid(fmt::format("there are two feature gates {}; rename one of them", gate.name)));
    }
    if (gate.enabled == nullptr) {
      return fail(
          invalid(fmt::format("feature gate {} has a null .enabled; set it to the address of a bool", gate.name)));
    }
    if (gate.stage == FeatureStage::stable && !gate.default_enabled.value_or(true)) {
      return fail(invalid(
          fmt::format("feature gate {} is stable, so it is always on; remove its .default_enabled", gate.name)));
    }
  }
  return {};
}

void set_defaults(const std::vector<FeatureGate>& gates) {
  for (const FeatureGate& gate : gates) *gate.enabled = is_enabled_by_default(gate);
}

FlagValue value_of(const std::vector<FeatureGate>& gates, std::vector<std::string>& warnings) {
  const auto read = [&gates, &warnings](const std::string& given) -> Result<void> {
    const auto settings = read_settings(given, names_of(gates));
    if (!settings) return fail(settings.error());
    for (const FeatureGate& gate : gates) {
      const auto setting = setting_of(gate, *settings);
      if (!setting) continue;
      if (gate.stage == FeatureStage::stable && !*setting) {
        return fail(invalid("feature gate " + gate.name + " is stable and cannot be set to false; remove the setting"));
      }
      if (gate.stage == FeatureStage::stable) {
        warnings.push_back("feature gate " + gate.name + " is stable and always on; remove its setting");
      }
      *gate.enabled = *setting;
    }
    return {};
  };
  return {.read = read, .type = "NAME=BOOL,..."};
}

std::string help_of(const std::vector<FeatureGate>& gates) {
  std::string text = "Feature gates to set; AllAlpha and AllBeta set those of a stage that are not named:";
  for (const FeatureGate& gate : gates) {
    text += fmt::format("\n  {} ({}, default {}): {}", gate.name, name_of(gate.stage), is_enabled_by_default(gate),
                        gate.help);
  }
  return text;
}

}  // namespace pintle
