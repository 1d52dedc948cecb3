// SPDX-License-Identifier: Apache-2.0
// The custom kinds of a comparison, as their CRDs define them: widgets, and gadgets, which have the same members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

namespace pintle::benchmarks {

struct WidgetEnv {
  std::string name{};
  std::string value{};
  static constexpr auto fields() {
    return pintle::fields(field("name", &WidgetEnv::name, "Name of the variable.").required(),
                          field("value", &WidgetEnv::value, "Its text."));
  }
};

struct WidgetSpec {
  std::int32_t replicas = 0;
  std::string image{};
  bool paused = false;
  std::string size{};
  std::map<std::string, std::string> selector{};
  std::vector<WidgetEnv> env{};
  std::map<std::string, std::string> data{};
  static constexpr auto fields() {
    return pintle::fields(
        field("replicas", &WidgetSpec::replicas, "How many.").minimum(0),
        field("image", &WidgetSpec::image, "Of what."), field("paused", &WidgetSpec::paused, "Whether it rests."),
        field("size", &WidgetSpec::size, "How large."),
        field("selector", &WidgetSpec::selector, "Labels of what it selects."),
        field("env", &WidgetSpec::env, "Variables."), field("data", &WidgetSpec::data, "Files by name."));
  }
};

struct WidgetStatus {
  std::int64_t observed_generation = 0;
  std::optional<std::string> phase{};
  std::optional<std::int32_t> ready_replicas{};
  std::vector<StatusCondition> conditions{};
  static constexpr auto fields() {
    return pintle::fields(field("observedGeneration", &WidgetStatus::observed_generation, "What this is about."),
                          field("phase", &WidgetStatus::phase, "Where it is."),
                          field("readyReplicas", &WidgetStatus::ready_replicas, "How many are ready."),
                          field("conditions", &WidgetStatus::conditions, "The current conditions."));
  }
};

struct Widget {
  static constexpr Type type{"bench.example.com/v1", "Widget"};
  Metadata metadata{};
  WidgetSpec spec{};
  WidgetStatus status{};
};

struct Gadget {
  static constexpr Type type{"bench.example.com/v1", "Gadget"};
  Metadata metadata{};
  WidgetSpec spec{};
  WidgetStatus status{};
};

}  // namespace pintle::benchmarks
