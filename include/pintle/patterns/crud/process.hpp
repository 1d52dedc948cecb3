// SPDX-License-Identifier: Apache-2.0
// Runs a list of resources for one object.
#pragma once

#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

/// The order in which resources delete what they created.
enum class DeleteOrder {
  listed,    ///< in the order of the list, as for creation
  reversed,  ///< in the reverse order of the list
};

/// Calls ensure_created() of one resource after the other. Returns the first error; returns success without calling the
/// remaining resources once the flag reconciliation_canceled is set. Error: is_execution_failed, if there are no
/// resources.
PINTLE_EXPORT Result<void> process_update(const Object& object, Context& context,
                                          const std::vector<Resource>& resources);
/// The same with ensure_deleted().
PINTLE_EXPORT Result<void> process_delete(const Object& object, Context& context,
                                          const std::vector<Resource>& resources,
                                          DeleteOrder order = DeleteOrder::listed);

}  // namespace pintle::crud
