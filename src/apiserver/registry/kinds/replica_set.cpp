// ReplicaSet. No controller acts on it here.
#include <algorithm>

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "../../values.hpp"
#include "../builtin.hpp"
#include "../cells.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// Of the pod template only what merging needs is described.
constexpr std::string_view members = R"(
  "spec": {"type": "object", "properties": {
    "replicas": {"type": "integer"},
    "minReadySeconds": {"type": "integer", "x-pintle-omit-zero": true},
    "selector": {"type": "object", "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true},
    "template": {"type": "object", "properties": {
      "metadata": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "labels": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}},
        "annotations": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}}}},
      "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "containers": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
          "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
          "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
            "name": {"type": "string"}, "image": {"type": "string"},
            "env": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
              "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
              "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
            "ports": {"type": "array", "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
              "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "containerPort",
              "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                "properties": {"protocol": {"type": "string", "default": "TCP"}}}},
            "volumeMounts": {"type": "array", "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["mountPath"],
              "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "mountPath",
              "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}},
        "volumes": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
          "x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name",
          "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}}}},
  "status": {"type": "object", "properties": {
    "replicas": {"type": "integer"},
    "fullyLabeledReplicas": {"type": "integer", "x-pintle-omit-zero": true},
    "readyReplicas": {"type": "integer", "x-pintle-omit-zero": true},
    "availableReplicas": {"type": "integer", "x-pintle-omit-zero": true},
    "terminatingReplicas": {"type": "integer"},
    "observedGeneration": {"type": "integer", "x-pintle-omit-zero": true},
    "conditions": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
      "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
      "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "type"}}})";

void default_container(Value& container) {
  if (!container.is_object()) return;
  json::object& object = container.get_object();
  const std::string_view image = text_at(container, "/image");
  const std::size_t slash = image.rfind('/');
  const std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const bool latest = last.find_first_of(":@") == std::string_view::npos || last.ends_with(":latest");
  object.emplace("resources", json::object());
  object.emplace("terminationMessagePath", "/dev/termination-log");
  object.emplace("terminationMessagePolicy", "File");
  object.emplace("imagePullPolicy", latest ? "Always" : "IfNotPresent");
  if (Value* ports = object.if_contains("ports"); ports != nullptr && ports->is_array()) {
    for (Value& port : ports->get_array()) {
      if (port.is_object()) port.get_object().emplace("protocol", "TCP");
    }
  }
}

class ReplicaSetStrategy final : public BuiltinStrategy {
 public:
  ReplicaSetStrategy() : BuiltinStrategy(members) {}

  Answer<void> accept(Value& object, std::vector<std::string>& unknown) const override {
    if (auto fitted = BuiltinStrategy::accept(object, unknown); !fitted) return fitted;
    object_in(object, "spec").emplace("replicas", 1);
    object_in(object, "status").emplace("replicas", 0);
    Value* pod = json::find(object, "/spec/template/spec");
    if (pod == nullptr || !pod->is_object()) return {};
    json::object& spec = pod->get_object();
    spec.emplace("restartPolicy", "Always");
    spec.emplace("terminationGracePeriodSeconds", 30);
    spec.emplace("dnsPolicy", "ClusterFirst");
    spec.emplace("securityContext", json::object());
    spec.emplace("schedulerName", "default-scheduler");
    for (const char* name : {"containers", "initContainers"}) {
      Value* list = spec.if_contains(name);
      if (list == nullptr || !list->is_array()) continue;
      std::for_each(list->get_array().begin(), list->get_array().end(), default_container);
    }
    return {};
  }

  void prepare_create(Value& object) const override { object_in(object, "status") = {{"replicas", 0}}; }

  void validate(const Value& next, const Value* old, std::vector<Cause>& causes) const override {
    const Value* replicas = json::find(next, "/spec/replicas");
    if (replicas != nullptr && replicas->as_int64() < 0) {
      causes.push_back(invalid_value("spec.replicas", *replicas, "must be greater than or equal to 0"));
    }
    validate_selector(next, causes);
    if (old == nullptr) return;
    const Value* was = json::find(*old, "/spec/selector");
    const Value* is = json::find(next, "/spec/selector");
    if (was != nullptr && is != nullptr && *was != *is) causes.push_back(immutable_field("spec.selector", *is));
  }

  Value zero() const override {
    return {{"spec",
             {{"replicas", nullptr},
              {"selector", nullptr},
              {"template", {{"metadata", json::object()}, {"spec", {{"containers", nullptr}}}}}}},
            {"status", {{"replicas", 0}}}};
  }

  json::array cells(json::View object, WallTime now) const override {
    std::string names;
    std::string images;
    for (const json::View container : object["/spec/template/spec/containers"].elements()) {
      names += fmt::format("{}{}", names.empty() ? "" : ",", container.member("name").text());
      images += fmt::format("{}{}", images.empty() ? "" : ",", container.member("image").text());
    }
    const auto selector = LabelSelector::from_json(object["/spec/selector"]);
    return {object["/metadata/name"].text(),
            integer_cell(object["/spec/replicas"]),
            integer_cell(object["/status/replicas"]),
            integer_cell(object["/status/readyReplicas"]),
            age_cell(object, now),
            names,
            images,
            selector ? selector->to_string() : std::string("<error>")};
  }

 private:
  static void validate_selector(const Value& next, std::vector<Cause>& causes) {
    const json::Document document(next);
    const json::View spec = document.root().member("spec");
    if (!spec.member("selector").exists()) {
      causes.push_back(required("spec.selector"));
      return;
    }
    const auto selector = LabelSelector::from_json(spec.member("selector"));
    const json::View labels = spec["/template/metadata/labels"];
    if (!selector) {
      causes.push_back(invalid_value("spec.selector", spec.member("selector").to_value(), selector.error().message));
    } else if (selector->empty()) {
      causes.push_back(invalid_value("spec.selector", spec.member("selector").to_value(),
                                     "empty selector is invalid for deployment"));
    } else if (!selector->matches(labels)) {
      causes.push_back(invalid_value("spec.template.metadata.labels", labels.to_value(),
                                     "`selector` does not match template `labels`"));
    }
    if (spec["/template/spec/containers"].empty()) causes.push_back(required("spec.template.spec.containers"));
  }
};

}  // namespace

ResourcePtr replica_set_resource() {
  const auto strategy = std::make_shared<ReplicaSetStrategy>();
  return std::make_shared<const Resource>(Resource{
      .group = "apps",
      .version = "v1",
      .plural = "replicasets",
      .singular = "replicaset",
      .kind = "ReplicaSet",
      .list_kind = "ReplicaSetList",
      .short_names = {"rs"},
      .categories = {"all"},
      .collection = "replicasets.apps",
      .stored_api_version = "apps/v1",
      .has_generation = true,
      .has_status = true,
      .scale = ScalePaths{.spec_replicas = "/spec/replicas", .status_replicas = "/status/replicas"},
      .columns = {{.name = "Name", .format = "name"},
                  {.name = "Desired", .type = "integer"},
                  {.name = "Current", .type = "integer"},
                  {.name = "Ready", .type = "integer"},
                  {.name = "Age"},
                  {.name = "Containers", .priority = 1},
                  {.name = "Images", .priority = 1},
                  {.name = "Selector", .priority = 1}},
      .schema = strategy->schema(),
      .strategy = strategy,
  });
}

}  // namespace pintle::apiserver
