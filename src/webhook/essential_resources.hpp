// SPDX-License-Identifier: Apache-2.0
// The resources that a webhook must not block while it cannot be reached.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>

namespace pintle {

// A resource without whose writes nodes, control planes or operators do not work.
struct EssentialResource {
  std::string_view group{};
  std::string_view name{};  // plural, with the subresource: "pods/binding"
  bool is_namespaced = true;
  // Without these writes no Pod starts, no instance leads, and no Service finds its Pods.
  bool starts_pods = false;

  // Whether the namespaceSelector of a webhook applies to its objects. It applies to a Namespace by its own labels, and
  // to no other cluster-scoped object.
  [[nodiscard]] bool is_selected_by_namespace() const noexcept {
    return is_namespaced || name.substr(0, name.find('/')) == "namespaces";
  }
};

// Returns the essential resources of which the rules of a webhook match at least one of the operations, such as
// "CREATE". The version of a rule does not matter, because the API server also converts objects to it.
[[nodiscard]] std::vector<EssentialResource> essential_resources(json::View rules,
                                                                 std::initializer_list<std::string_view> operations);

}  // namespace pintle
