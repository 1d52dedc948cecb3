// Resource: how a kind is reached on a server; found by discovery.
#pragma once

#include <string>
#include <vector>

#include <pintle/object/kind.hpp>

namespace pintle {

// A plain value.
struct Resource {
  GroupVersionKind kind{};
  std::string plural{};
  bool namespaced = true;
  bool has_status = false;  // serves the status sub-resource
  std::vector<std::string> verbs{};

  // "/apis/apps/v1/namespaces/a/deployments/b"; without a name the collection, without a namespace that of all
  // namespaces.
  [[nodiscard]] std::string path(const ObjectKey& key) const;
  [[nodiscard]] std::string to_string() const;  // "deployments.apps", "configmaps"
};

}  // namespace pintle
