// SPDX-License-Identifier: Apache-2.0
// ResourceSet: the resources of one version of an operator.
#pragma once

#include <functional>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/patterns/crud/process.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

struct ResourceSetOptions {
  Required<std::function<bool(const Object&)>> handles;  ///< whether an object belongs to this set
  /// Called before the first resource of a reconcile: stores values that the resources share in slots of the context.
  std::function<Result<void>(const Object&, Context&)> init_ctx{};
  std::vector<Resource> resources{};  ///< called in this order; at least one
  DeleteOrder delete_order = DeleteOrder::listed;
};

/// A value type. Thread-safe if its functions are.
class PINTLE_EXPORT ResourceSet {
 public:
  explicit ResourceSet(ResourceSetOptions config) : config_(std::move(config)) {}

  [[nodiscard]] bool handles(const Object& object) const { return config_.handles.value()(object); }
  Result<void> init_ctx(const Object& object, Context& context) const;
  [[nodiscard]] const std::vector<Resource>& resources() const noexcept { return config_.resources; }
  [[nodiscard]] DeleteOrder delete_order() const noexcept { return config_.delete_order; }

  /// Validation errors of the set and its resources (is_invalid_config).
  [[nodiscard]] std::vector<Error> validate() const;

 private:
  ResourceSetOptions config_;
};

/// Returns a function that returns `resources` for every object.
[[nodiscard]] PINTLE_EXPORT std::function<Result<std::vector<Resource>>(const Object&, Context&)>
default_resource_set_resource_func(std::vector<Resource> resources);

}  // namespace pintle::crud
