// SPDX-License-Identifier: Apache-2.0
// RuntimeClass.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

Object class_of(const Storage& storage, const Value& pod) {
  const std::string_view name = text_at(pod, "/spec/runtimeClassName");
  return name.empty() ? Object() : storage.get("runtimeclasses.node.k8s.io", name);
}

bool same_amounts(const Value& given, View of_class) {
  const json::object* amounts = given.if_object();
  if (amounts == nullptr || amounts->size() != of_class.size()) return false;
  return std::all_of(amounts->begin(), amounts->end(), [&](const auto& amount) {
    const View other = of_class.member(amount.key());
    const auto left = amount.value().is_string() ? Quantity::parse(std::string_view(amount.value().get_string()))
                                                 : Quantity::parse(json::print(amount.value()));
    const auto right = Quantity::from_json(other);
    return other.exists() && left && right && *left == *right;
  });
}

StatusOr<void> add_node_selector(const Attributes& attributes, Value& pod, View selector) {
  for (const auto [key, value] : selector.members()) {
    json::object& own = object_in(pod.at("spec"), "nodeSelector");
    const Value* given = own.if_contains(key);
    if (given != nullptr && given->is_string() && given->get_string() != value.text()) {
      return refuse(plugin_denial(attributes, pod,
                                  fmt::format("conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; "
                                              "pod.spec.nodeSelector[{}] = {}",
                                              key, value.text(), key, std::string_view(given->get_string()))));
    }
    own[key] = value.text();
  }
  return {};
}

void add_tolerations(Value& pod, View tolerations) {
  for (const View toleration : tolerations.elements()) {
    Value& found = object_in(pod, "spec")["tolerations"];
    if (!found.is_array()) found.emplace_array();
    const Value added = toleration.to_value();
    const auto& list = found.get_array();
    const bool has = std::any_of(list.begin(), list.end(), [&](const Value& one) { return json::equal(one, added); });
    if (!has) found.get_array().push_back(added);
  }
}

}  // namespace

StatusOr<void> set_runtime_class(const Storage& storage, const Attributes& attributes, Value& pod) {
  const std::string_view name = text_at(pod, "/spec/runtimeClassName");
  if (name.empty()) return {};
  const Object found = class_of(storage, pod);
  if (!found) {
    return refuse(plugin_denial(attributes, pod, fmt::format("pod rejected: RuntimeClass \"{}\" not found", name)));
  }
  if (const View overhead = found["/overhead/podFixed"]; overhead.exists()) {
    const Value* given = json::find(pod, "/spec/overhead");
    if (given != nullptr && !same_amounts(*given, overhead)) {
      return refuse(
          plugin_denial(attributes, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"));
    }
    object_in(pod, "spec")["overhead"] = overhead.to_value();
  }
  if (auto added = add_node_selector(attributes, pod, found["/scheduling/nodeSelector"]); !added) return added;
  add_tolerations(pod, found["/scheduling/tolerations"]);
  return {};
}

StatusOr<void> check_overhead(const Storage& storage, const Attributes& attributes, const Value& pod) {
  const Value* given = json::find(pod, "/spec/overhead");
  const Object found = class_of(storage, pod);
  const View overhead = found ? found["/overhead/podFixed"] : View();
  if (overhead.exists() && (given == nullptr || !same_amounts(*given, overhead))) {
    return refuse(
        plugin_denial(attributes, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"));
  }
  if (overhead.exists() || given == nullptr) return {};
  return refuse(plugin_denial(attributes, pod,
                              "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"));
}

}  // namespace pintle::apiserver
