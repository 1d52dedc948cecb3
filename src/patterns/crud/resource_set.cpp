// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/resource_set.hpp>

#include "failures.hpp"

namespace pintle::crud {

Result<void> ResourceSet::init_ctx(const Object& object, Context& context) const {
  if (!config_.init_ctx) return {};
  return config_.init_ctx(object, context).with_operation("init_ctx");
}

std::vector<Error> ResourceSet::validate() const {
  std::vector<Error> errors;
  if (!config_.handles.value()) errors.push_back(invalid_config(".handles of a resource set is an empty function"));
  if (resources().empty()) errors.push_back(invalid_config(".resources of a resource set is empty"));
  for (const Resource& resource : resources()) {
    errors.insert(errors.end(), resource.validate().begin(), resource.validate().end());
  }
  return errors;
}

std::function<Result<std::vector<Resource>>(const Object&, Context&)> default_resource_set_resource_func(
    std::vector<Resource> resources) {
  return [resources = std::move(resources)](const Object&, Context&) { return resources; };
}

}  // namespace pintle::crud
