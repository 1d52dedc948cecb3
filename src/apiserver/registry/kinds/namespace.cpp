// SPDX-License-Identifier: Apache-2.0
// The rules of Namespace. controllers/namespaces handles its deletion.
#include <algorithm>

#include <pintle/object/names.hpp>

#include "../rules.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

class NamespaceStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override { return label_error(name); }

  void prepare_create(json::Value& object) const override {
    json::Value& finalizers = object_in(object, "spec")["finalizers"];
    if (!finalizers.is_array()) finalizers.emplace_array();
    json::array& list = finalizers.get_array();
    if (std::find(list.begin(), list.end(), json::Value("kubernetes")) == list.end()) list.emplace_back("kubernetes");
    object_in(object, "status") = {{"phase", "Active"}};
  }

  void prepare_update(json::Value& next, const json::Value& old) const override { copy_member(next, old, "spec"); }

 protected:
  void set_defaults(json::Value& object) const override {
    // A copy, because adding a label can move the members that contain the name.
    const std::string name(text_at(object, "/metadata/name"));
    if (name.empty()) return;
    json::Value& labels = metadata_in(object)["labels"];
    if (!labels.is_object()) labels.emplace_object();
    labels.get_object()["kubernetes.io/metadata.name"] = name;
  }

  json::Value cell(std::string_view /*Status*/, json::View object, WallTime /*now*/) const override {
    return json::Value(object["/status/phase"].text());
  }
};

}  // namespace

StrategyPtr namespace_strategy(BuiltinKind kind) { return std::make_shared<NamespaceStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
