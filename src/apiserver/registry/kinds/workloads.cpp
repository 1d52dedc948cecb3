// SPDX-License-Identifier: Apache-2.0
// The rules of Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet and PodTemplate.
#include <charconv>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "pods/pod_template.hpp"
#include "workload_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr int revisions_kept = 10;

void default_template(Value& workload) {
  if (Value* made = json::find(workload, "/spec/template")) default_pod_spec(*made);
}

void check_unchanged(const Value& next, const Value* old, std::string_view pointer, std::string_view field,
                     std::vector<StatusCause>& causes) {
  if (old == nullptr) return;
  const Value* was = json::find(*old, pointer);
  const Value* is = json::find(next, pointer);
  if (was != nullptr && is != nullptr && !json::equal(*was, *is))
    causes.push_back(immutable_field(std::string(field), *is));
}

bool keeps_spec(const Value& next, const Value* old) {
  return old != nullptr && identical(member(next, "spec"), member(*old, "spec"));
}

// Common rules of the workloads. `name_` is the name of the kind in a refusal.
class Workload : public BuiltinStrategy {
 public:
  Workload(BuiltinKind kind, std::string_view name) : BuiltinStrategy(std::move(kind)), name_(name) {}

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (keeps_spec(next, old)) return;
    const json::Document document(*member(next, "spec"));
    validate_intent(document.root(), causes);
    if (name_ != "statefulset") check_unchanged(next, old, "/spec/selector", "spec.selector", causes);
  }

 protected:
  void set_defaults(Value& workload) const override {
    object_in(workload, "spec");
    default_template(workload);
    default_intent(workload.get_object()["spec"].get_object());
  }
  virtual void default_intent(object& spec) const = 0;
  // Validates the spec. The order is that of the causes.
  virtual void validate_intent(View spec, std::vector<StatusCause>& causes) const = 0;

  void validate_pods(View spec, std::vector<StatusCause>& causes) const { validate_template(spec, name_, causes); }

  static std::string ready_of(View workload) {
    return fmt::format("{}/{}", integer_cell(workload["/status/readyReplicas"]),
                       integer_cell(workload["/spec/replicas"]));
  }

 private:
  const std::string_view name_;
};

class Deployment final : public Workload {
 public:
  explicit Deployment(BuiltinKind kind) : Workload(std::move(kind), "deployment") {}

 protected:
  void validate_intent(View spec, std::vector<StatusCause>& causes) const override {
    validate_counts(spec, {"replicas"}, "spec", causes);
    validate_pods(spec, causes);
    validate_deployment(spec, causes);
  }

  void default_intent(object& spec) const override {
    spec.emplace("replicas", 1);
    spec.emplace("revisionHistoryLimit", revisions_kept);
    spec.emplace("progressDeadlineSeconds", 600);
    Value& strategy = spec["strategy"];
    if (!strategy.is_object()) strategy.emplace_object();
    set_default(strategy.get_object(), "type", "RollingUpdate");
    if (text_at(strategy, "/type") != "RollingUpdate") return;
    object& rolling = object_in(strategy, "rollingUpdate");
    rolling.emplace("maxUnavailable", "25%");
    rolling.emplace("maxSurge", "25%");
  }

  Value cell(std::string_view column, View workload, WallTime /*now*/) const override {
    if (column == "Ready") return Value(ready_of(workload));
    if (column == "Up-to-date") return integer_cell(workload["/status/updatedReplicas"]);
    if (column == "Available") return integer_cell(workload["/status/availableReplicas"]);
    return template_cell(column, workload.member("spec"));
  }
};

class ReplicaSet : public Workload {
 public:
  explicit ReplicaSet(BuiltinKind kind) : Workload(std::move(kind), "deployment") {}

 protected:
  void validate_intent(View spec, std::vector<StatusCause>& causes) const override {
    validate_counts(spec, {"replicas", "minReadySeconds"}, "spec", causes);
    validate_pods(spec, causes);
  }

  void default_intent(object& spec) const override { spec.emplace("replicas", 1); }

  Value cell(std::string_view column, View workload, WallTime /*now*/) const override {
    if (column == "Desired") return integer_cell(workload["/spec/replicas"]);
    if (column == "Current") return integer_cell(workload["/status/replicas"]);
    if (column == "Ready") return integer_cell(workload["/status/readyReplicas"]);
    return template_cell(column, workload.member("spec"));
  }
};

// The selector is a plain map, which may change. Its default is the labels of the template.
class ReplicationController final : public ReplicaSet {
 public:
  using ReplicaSet::ReplicaSet;

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    // Workload::validate would reject a change of the selector. NOLINTNEXTLINE(bugprone-parent-virtual-call)
    BuiltinStrategy::validate(next, old, causes);
    if (keeps_spec(next, old)) return;
    const json::Document document(*member(next, "spec"));
    const View spec = document.root();
    const View labels = spec["/template/metadata/labels"];
    validate_counts(spec, {"minReadySeconds"}, "spec", causes);
    if (spec.member("selector").empty()) causes.push_back(required("spec.selector"));
    validate_counts(spec, {"replicas"}, "spec", causes);
    for (const auto [key, value] : spec.member("selector").members()) {
      if (labels.member(key) == value.text()) continue;
      causes.push_back(invalid_value("spec.template.metadata.labels", labels.to_value(),
                                     "`selector` does not match template `labels`"));
      break;
    }
    if (!spec.member("template").exists()) return causes.push_back(required("spec.template"));
    validate_pod_template(spec.member("template"), "spec.template", causes);
    validate_lasting_template(spec.member("template"), "ReplicationController", causes);
  }

 protected:
  void default_intent(object& spec) const override {
    ReplicaSet::default_intent(spec);
    const Value* labels = spec.contains("template") ? json::find(spec["template"], "/metadata/labels") : nullptr;
    if (labels != nullptr && !spec.contains("selector")) {
      Value copy = *labels;
      spec["selector"] = std::move(copy);
    }
  }
};

class StatefulSet final : public Workload {
 public:
  explicit StatefulSet(BuiltinKind kind) : Workload(std::move(kind), "statefulset") {}

  names::ValidationError validate_name(std::string_view name) const override { return label_error(name); }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    Workload::validate(next, old, causes);
    if (old == nullptr || keeps_spec(next, old) || json::equal(fixed_part(next), fixed_part(*old))) return;
    causes.push_back(forbidden_field(
        "spec",
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
        "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"));
  }

 protected:
  void validate_intent(View spec, std::vector<StatusCause>& causes) const override {
    validate_stateful_set(spec, causes);
    validate_pods(spec, causes);
  }

  void default_intent(object& spec) const override {
    spec.emplace("replicas", 1);
    set_default(spec, "podManagementPolicy", "OrderedReady");
    spec.emplace("revisionHistoryLimit", revisions_kept);
    Value& strategy = spec["updateStrategy"];
    if (!strategy.is_object()) strategy.emplace_object();
    set_default(strategy.get_object(), "type", "RollingUpdate");
    if (text_at(strategy, "/type") == "RollingUpdate") object_in(strategy, "rollingUpdate").emplace("partition", 0);
    Value& retention = spec["persistentVolumeClaimRetentionPolicy"];
    if (!retention.is_object()) retention.emplace_object();
    set_default(retention.get_object(), "whenDeleted", "Retain");
    set_default(retention.get_object(), "whenScaled", "Retain");
    Value* claims = spec.if_contains("volumeClaimTemplates");
    if (claims != nullptr) each_object(*claims, "", default_claim);
  }

  Value cell(std::string_view column, View workload, WallTime /*now*/) const override {
    if (column == "Ready") return Value(ready_of(workload));
    return template_cell(column, workload.member("spec"));
  }

 private:
  // Returns the spec without the members that an update may change.
  static Value fixed_part(const Value& workload) {
    Value spec = *member(workload, "spec");
    for (const char* name : {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
                             "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}) {
      spec.as_object().erase(name);
    }
    return spec;
  }

  static void default_claim(Value& claim) {
    set_default(claim.get_object(), "kind", "PersistentVolumeClaim");
    set_default(claim.get_object(), "apiVersion", "v1");
    set_default(object_in(claim, "spec"), "volumeMode", "Filesystem");
    set_default(object_in(claim, "status"), "phase", "Pending");
  }
};

class DaemonSet final : public Workload {
 public:
  explicit DaemonSet(BuiltinKind kind) : Workload(std::move(kind), "daemonset") {}

  void prepare_create(Value& workload) const override {
    Workload::prepare_create(workload);
    set_template_generation(workload, 1);
  }

  void prepare_update(Value& next, const Value& old) const override {
    const std::string_view was = text_at(old, template_generation_pointer);
    std::int64_t count = 0;
    std::from_chars(was.data(), was.data() + was.size(), count);
    const Value* made = json::find(next, "/spec/template");
    const Value* before = json::find(old, "/spec/template");
    const bool changed = made == nullptr || before == nullptr ? made != before : !json::equal(*made, *before);
    set_template_generation(next, changed ? count + 1 : count);
  }

 protected:
  void validate_intent(View spec, std::vector<StatusCause>& causes) const override {
    validate_pods(spec, causes);
    validate_daemon_set(spec, causes);
  }

  void default_intent(object& spec) const override {
    spec.emplace("revisionHistoryLimit", revisions_kept);
    Value& strategy = spec["updateStrategy"];
    if (!strategy.is_object()) strategy.emplace_object();
    set_default(strategy.get_object(), "type", "RollingUpdate");
    if (text_at(strategy, "/type") != "RollingUpdate") return;
    object& rolling = object_in(strategy, "rollingUpdate");
    rolling.emplace("maxUnavailable", 1);
    rolling.emplace("maxSurge", 0);
  }

  Value cell(std::string_view column, View workload, WallTime /*now*/) const override {
    const View status = workload.member("status");
    if (column == "Desired") return integer_cell(status.member("desiredNumberScheduled"));
    if (column == "Current") return integer_cell(status.member("currentNumberScheduled"));
    if (column == "Ready") return integer_cell(status.member("numberReady"));
    if (column == "Up-to-date") return integer_cell(status.member("updatedNumberScheduled"));
    if (column == "Available") return integer_cell(status.member("numberAvailable"));
    if (column == "Node Selector") return Value(selector_cell(workload["/spec/template/spec/nodeSelector"]));
    return template_cell(column, workload.member("spec"));
  }

 private:
  // Counts the changes of the template in an annotation, which remains from an older version of the kind.
  static constexpr std::string_view template_generation = "deprecated.daemonset.template.generation";
  static constexpr std::string_view template_generation_pointer =
      "/metadata/annotations/deprecated.daemonset.template.generation";

  static void set_template_generation(Value& workload, std::int64_t count) {
    Value& annotations = metadata_in(workload)["annotations"];
    if (!annotations.is_object()) annotations.emplace_object();
    annotations.get_object()[template_generation] = std::to_string(count);
  }
};

class PodTemplate final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    validate_pod_template(document.root().member("template"), "template", causes);
  }

 protected:
  void set_defaults(Value& object) const override {
    if (Value* made = member(object, "template")) default_pod_spec(*made);
  }

  Value cell(std::string_view column, View object, WallTime /*now*/) const override {
    if (column == "Pod Labels") return Value(selector_cell(object["/template/metadata/labels"]));
    return template_cell(column, object);
  }
};

}  // namespace

StrategyPtr deployment_strategy(BuiltinKind kind) { return std::make_shared<Deployment>(std::move(kind)); }
StrategyPtr stateful_set_strategy(BuiltinKind kind) { return std::make_shared<StatefulSet>(std::move(kind)); }
StrategyPtr daemon_set_strategy(BuiltinKind kind) { return std::make_shared<DaemonSet>(std::move(kind)); }
StrategyPtr pod_template_strategy(BuiltinKind kind) { return std::make_shared<PodTemplate>(std::move(kind)); }
StrategyPtr replicas_strategy(BuiltinKind kind) {
  if (kind.facts.kind == "ReplicaSet") return std::make_shared<ReplicaSet>(std::move(kind));
  return std::make_shared<ReplicationController>(std::move(kind));
}

}  // namespace pintle::apiserver
