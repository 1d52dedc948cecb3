// SPDX-License-Identifier: Apache-2.0
// The rules of HorizontalPodAutoscaler. It is stored as autoscaling/v2 and shown as v2 or v1; v1 has only the CPU
// metric.
#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr int default_target = 80;  // percent of the requested CPU
// The annotation in which v1 keeps the metrics without a field, as JSON.
constexpr std::string_view metrics_annotation = "autoscaling.alpha.kubernetes.io/metrics";

// The same for parts of the status.
constexpr std::string_view current_metrics_annotation = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr std::string_view conditions_annotation = "autoscaling.alpha.kubernetes.io/conditions";

object cpu_metric(Value percent) {
  return {{"type", "Resource"},
          {"resource",
           {{"name", "cpu"}, {"target", {{"type", "Utilization"}, {"averageUtilization", std::move(percent)}}}}}};
}

bool is_cpu_share(const Value& metric) {
  return text_at(metric, "/resource/name") == "cpu" &&
         json::find(metric, "/resource/target/averageUtilization") != nullptr;
}

void default_policies(Value& behavior, std::string_view name, json::array policies) {
  Value* found = member(behavior, name);
  if (found == nullptr || !found->is_object()) return;
  set_default(found->get_object(), "selectPolicy", "Max");
  if (!found->get_object().contains("policies")) found->get_object()["policies"] = std::move(policies);
}

object policy(std::string_view type, int value) { return {{"type", type}, {"value", value}, {"periodSeconds", 15}}; }

// ---- v1 ----

void annotate(Value& autoscaler, std::string_view name, const Value& value) {
  object_in(autoscaler.get_object()["metadata"], "annotations")[name] = json::print(value);
}

// Removes an annotation and returns the list in it; an empty list if there is none.
json::array take_annotation(Value& autoscaler, std::string_view name) {
  object* annotations = object_at(autoscaler, "/metadata/annotations");
  const Value* text = annotations == nullptr ? nullptr : annotations->if_contains(name);
  if (text == nullptr || !text->is_string()) return {};
  auto kept = json::parse(std::string_view(text->get_string()));
  annotations->erase(name);
  if (annotations->empty()) metadata_in(autoscaler).erase("annotations");
  return kept && kept->is_array() ? kept->get_array() : json::array();
}

void status_to_first_version(Value& autoscaler) {
  object& status = object_in(autoscaler, "status");
  json::array others;
  each_object(status["currentMetrics"], "", [&](Value& metric) {
    const Value* percent = json::find(metric, "/resource/current/averageUtilization");
    if (percent != nullptr && text_at(metric, "/resource/name") == "cpu" &&
        !status.contains("currentCPUUtilizationPercentage")) {
      status["currentCPUUtilizationPercentage"] = *percent;
    } else {
      others.push_back(metric);
    }
  });
  status.erase("currentMetrics");
  if (!others.empty()) annotate(autoscaler, current_metrics_annotation, others);
  if (const Value* conditions = status.if_contains("conditions"); conditions != nullptr && conditions->is_array()) {
    annotate(autoscaler, conditions_annotation, *conditions);
  }
  status.erase("conditions");
  status.emplace("currentReplicas", 0);
}

void status_to_second_version(Value& autoscaler) {
  json::array metrics;
  object& status = object_in(autoscaler, "status");
  if (const Value* percent = status.if_contains("currentCPUUtilizationPercentage")) {
    metrics.emplace_back(
        object{{"type", "Resource"},
               {"resource", object{{"name", "cpu"}, {"current", object{{"averageUtilization", *percent}}}}}});
  }
  status.erase("currentCPUUtilizationPercentage");
  const json::array others = take_annotation(autoscaler, current_metrics_annotation);
  metrics.insert(metrics.end(), others.begin(), others.end());
  status["currentMetrics"] = metrics.empty() ? Value() : Value(std::move(metrics));
  if (json::array conditions = take_annotation(autoscaler, conditions_annotation); !conditions.empty()) {
    status["conditions"] = std::move(conditions);
  }
}

void to_first_version(Value& autoscaler) {
  object& spec = object_in(autoscaler, "spec");
  json::array others;
  if (Value* metrics = spec.if_contains("metrics"); metrics != nullptr && metrics->is_array()) {
    for (Value& metric : metrics->get_array()) {
      if (is_cpu_share(metric) && !spec.contains("targetCPUUtilizationPercentage")) {
        spec["targetCPUUtilizationPercentage"] = *json::find(metric, "/resource/target/averageUtilization");
      } else {
        others.push_back(metric);
      }
    }
  }
  spec.erase("metrics");
  spec.erase("behavior");
  if (!others.empty()) annotate(autoscaler, metrics_annotation, others);
  status_to_first_version(autoscaler);
}

void to_second_version(Value& autoscaler) {
  object& spec = object_in(autoscaler, "spec");
  json::array metrics;
  if (const Value* percent = spec.if_contains("targetCPUUtilizationPercentage"))
    metrics.emplace_back(cpu_metric(*percent));
  spec.erase("targetCPUUtilizationPercentage");
  const json::array others = take_annotation(autoscaler, metrics_annotation);
  metrics.insert(metrics.end(), others.begin(), others.end());
  if (metrics.empty()) metrics.emplace_back(cpu_metric(default_target));
  spec["metrics"] = std::move(metrics);
  status_to_second_version(autoscaler);
}

// ---- what is shown ----

// The value that a metric has, in the form of its target; "<unknown>" if the status does not contain it.
std::string current_of(View current, View target) {
  if (!current.exists()) return "<unknown>";
  if (target.member("averageUtilization").exists()) {
    const View percent = current.member("averageUtilization");
    return percent.exists() ? fmt::format("{}%", integer_cell(percent)) : "<unknown>";
  }
  const View value = current.member(target.member("averageValue").exists() ? "averageValue" : "value");
  return value.exists() ? std::string(value.text()) : "<unknown>";
}

// "cpu: 30%/80%". `status`: the metric in the status; missing if there is none.
std::string target_of(View metric, View status) {
  const std::string_view type = metric.member("type").text();
  std::string source(type);
  if (!source.empty()) source.front() = static_cast<char>(source.front() | 0x20);  // the member of this type
  const View of = metric.member(source);
  const std::string_view name = of.member("name").text().empty() ? of["/metric/name"].text() : of.member("name").text();
  const View target = of.member("target");
  const View percent = target.member("averageUtilization");
  const View average = target.member("averageValue");
  const std::string wanted = percent.exists()   ? fmt::format("{}%", integer_cell(percent))
                             : average.exists() ? std::string(average.text())
                                                : std::string(target.member("value").text());
  const std::string current = current_of(status.member(source).member("current"), target);
  if (type == "Resource" || type == "ContainerResource") return fmt::format("{}: {}/{}", name, current, wanted);
  return fmt::format("{}/{}", current, wanted);
}

class Autoscaler final : public BuiltinStrategy {
 public:
  explicit Autoscaler(BuiltinKind kind) : BuiltinStrategy(kind), first_(kind.facts.version == "v1") {}

  bool has_own_cells() const override { return true; }

  void from_storage(Value& autoscaler) const override {
    if (first_) to_first_version(autoscaler);
  }
  void to_storage(Value& autoscaler) const override {
    if (first_) to_second_version(autoscaler);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const Value* most = json::find(next, "/spec/maxReplicas");
    const Value* least = json::find(next, "/spec/minReplicas");
    if (most == nullptr || !most->is_int64() || most->get_int64() < 1) {
      causes.push_back(invalid_value("spec.maxReplicas", most == nullptr ? Value() : *most, "must be greater than 0"));
    } else if (least != nullptr && least->is_int64() && least->get_int64() > most->get_int64()) {
      causes.push_back(invalid_value("spec.maxReplicas", *most, "must be greater than or equal to `minReplicas`"));
    }
    if (text_at(next, "/spec/scaleTargetRef/kind").empty()) causes.push_back(required("spec.scaleTargetRef.kind"));
    if (text_at(next, "/spec/scaleTargetRef/name").empty()) causes.push_back(required("spec.scaleTargetRef.name"));
  }

 protected:
  void set_defaults(Value& autoscaler) const override {
    object& spec = object_in(autoscaler, "spec");
    spec.emplace("minReplicas", 1);
    if (first_) return;
    if (!spec.contains("metrics")) spec["metrics"] = json::array{cpu_metric(default_target)};
    if (Value* behavior = spec.if_contains("behavior")) {
      if (object* up = object_at(*behavior, "/scaleUp")) up->emplace("stabilizationWindowSeconds", 0);
      default_policies(*behavior, "scaleUp", {policy("Pods", 4), policy("Percent", 100)});
      default_policies(*behavior, "scaleDown", {policy("Percent", 100)});
    }
  }

  Value cell(std::string_view column, View autoscaler, WallTime /*now*/) const override {
    const View spec = autoscaler.member("spec");
    if (column == "Reference") {
      const View target = spec.member("scaleTargetRef");
      return Value(fmt::format("{}/{}", target.member("kind").text(), target.member("name").text()));
    }
    if (column == "Targets") return Value(targets(spec.member("metrics"), autoscaler["/status/currentMetrics"]));
    if (column == "MinPods") {
      const View least = spec.member("minReplicas");
      return Value(least.exists() ? std::to_string(integer_cell(least)) : "<unset>");
    }
    if (column == "MaxPods") return integer_cell(spec.member("maxReplicas"));
    return integer_cell(autoscaler["/status/currentReplicas"]);
  }

 private:
  static std::string targets(View metrics, View current) {
    constexpr std::size_t most = 2;
    std::string out;
    for (std::size_t i = 0; i < metrics.size() && i < most; ++i) {
      out += fmt::format("{}{}", out.empty() ? "" : ", ", target_of(metrics.element(i), current.element(i)));
    }
    if (metrics.size() > most) out += fmt::format(" + {} more...", metrics.size() - most);
    return out.empty() ? "<none>" : out;
  }

  const bool first_;
};

}  // namespace

StrategyPtr autoscaler_strategy(BuiltinKind kind) { return std::make_shared<Autoscaler>(std::move(kind)); }

}  // namespace pintle::apiserver
