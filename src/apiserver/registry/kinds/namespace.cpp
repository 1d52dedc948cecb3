// Namespace. Its end is the work of controllers/namespaces.
#include <algorithm>

#include "../../values.hpp"
#include "../builtin.hpp"
#include "../cells.hpp"

namespace pintle::apiserver {
namespace {

class NamespaceStrategy final : public BuiltinStrategy {
 public:
  NamespaceStrategy()
      : BuiltinStrategy(R"(
          "spec": {"type": "object", "properties": {
            "finalizers": {"type": "array", "items": {"type": "string"}}}},
          "status": {"type": "object", "properties": {
            "phase": {"type": "string"},
            "conditions": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
              "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
              "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "type"}}})") {}

  Answer<void> accept(json::Value& object, std::vector<std::string>& unknown) const override {
    if (auto fitted = BuiltinStrategy::accept(object, unknown); !fitted) return fitted;
    object_in(object, "spec");
    object_in(object, "status");
    // A copy: the members it stands in move when one is added.
    if (const std::string name(text_at(object, "/metadata/name")); !name.empty()) {
      json::object& metadata = metadata_in(object);
      json::Value& labels = metadata["labels"];
      if (!labels.is_object()) labels.emplace_object();
      labels.get_object()["kubernetes.io/metadata.name"] = name;
    }
    return {};
  }

  void prepare_create(json::Value& object) const override {
    json::Value& finalizers = object_in(object, "spec")["finalizers"];
    if (!finalizers.is_array()) finalizers.emplace_array();
    json::array& list = finalizers.get_array();
    if (std::find(list.begin(), list.end(), json::Value("kubernetes")) == list.end()) list.emplace_back("kubernetes");
    object_in(object, "status") = {{"phase", "Active"}};
  }

  void prepare_update(json::Value& next, const json::Value& old) const override { copy_member(next, old, "spec"); }

  json::Value zero() const override { return {{"spec", json::object()}, {"status", json::object()}}; }

  json::array cells(json::View object, WallTime now) const override {
    return {object["/metadata/name"].text(), object["/status/phase"].text(), age_cell(object, now)};
  }
};

}  // namespace

ResourcePtr namespace_resource() {
  const auto strategy = std::make_shared<NamespaceStrategy>();
  return std::make_shared<const Resource>(Resource{
      .version = "v1",
      .plural = "namespaces",
      .singular = "namespace",
      .kind = "Namespace",
      .list_kind = "NamespaceList",
      .short_names = {"ns"},
      .namespaced = false,
      .collection = "namespaces",
      .stored_api_version = "v1",
      .has_status = true,
      .has_finalize = true,
      .takes_delete_collection = false,
      .fields = {{"status.phase", "/status/phase"}, {"name", "/metadata/name"}},
      .columns = {{.name = "Name", .format = "name"}, {.name = "Status"}, {.name = "Age"}},
      .schema = strategy->schema(),
      .strategy = strategy,
  });
}

}  // namespace pintle::apiserver
