// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/resource_router.hpp>

#include <algorithm>

#include "failures.hpp"

namespace pintle::crud {

Result<const ResourceSet*> ResourceRouter::resource_set(const Object& object) const {
  const ResourceSet* found = nullptr;
  std::size_t handling = 0;
  for (const ResourceSet& set : resource_sets_) {
    if (!set.handles(object)) continue;
    found = &set;
    ++handling;
  }
  if (handling == 1) return found;
  const std::string subject = std::string(object.kind()) + " " + object.key().to_string();
  if (handling == 0) return fail(no_resource_set("no resource set handles " + subject));
  return fail(execution_failed(std::to_string(handling) + " resource sets handle " + subject +
                               ": let .handles return true for only one of them"));
}

std::vector<Error> ResourceRouter::validate() const {
  std::vector<Error> errors;
  if (resource_sets_.empty()) errors.push_back(invalid_config(".resource_sets of a resource router is empty"));
  for (const ResourceSet& set : resource_sets_) {
    for (Error& error : set.validate()) errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace pintle::crud
