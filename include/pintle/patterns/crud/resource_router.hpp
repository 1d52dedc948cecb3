// ResourceRouter: which resource set is for an object.
#pragma once

#include <vector>

#include <pintle/patterns/crud/resource_set.hpp>

namespace pintle::crud {

struct ResourceRouterConfig {
  std::vector<ResourceSet> resource_sets{};  // at least one
};

// Several versions of an operator's work live side by side as sets; each object is for one of them at most. A plain
// value. Thread-safe, if what the sets are made of is.
class ResourceRouter {
 public:
  explicit ResourceRouter(ResourceRouterConfig config) : resource_sets_(std::move(config.resource_sets)) {}

  // The one that handles the object; it lives as long as this. Errors: is_no_resource_set; is_execution_failed when
  // there is more than one.
  [[nodiscard]] Result<const ResourceSet*> resource_set(const Object& object) const;

  // What is wrong with it and its sets; is_invalid_config.
  [[nodiscard]] std::vector<Error> errors() const;

 private:
  std::vector<ResourceSet> resource_sets_;
};

}  // namespace pintle::crud
