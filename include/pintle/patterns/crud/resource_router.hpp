// SPDX-License-Identifier: Apache-2.0
// ResourceRouter: selects the resource set for an object.
#pragma once

#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/patterns/crud/resource_set.hpp>

namespace pintle::crud {

struct ResourceRouterOptions {
  std::vector<ResourceSet> resource_sets{};  ///< at least one
};

/// Several versions of an operator can exist side by side as resource sets; each object belongs to at most one set. A
/// value type. Thread-safe if the functions of the sets are.
class PINTLE_EXPORT ResourceRouter {
 public:
  explicit ResourceRouter(ResourceRouterOptions config) : resource_sets_(std::move(config.resource_sets)) {}

  /// The resource set that handles the object; the pointer is valid as long as this router. Errors: is_no_resource_set;
  /// is_execution_failed, if more than one set handles the object.
  [[nodiscard]] Result<const ResourceSet*> resource_set(const Object& object) const;

  /// Validation errors of the router and its sets (is_invalid_config).
  [[nodiscard]] std::vector<Error> validate() const;

 private:
  std::vector<ResourceSet> resource_sets_;
};

}  // namespace pintle::crud
