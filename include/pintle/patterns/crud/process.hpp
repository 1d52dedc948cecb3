// The way through a list of resources, for one object.
#pragma once

#include <vector>

#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

// In which order resources take back what they did.
enum class DeleteOrder {
  listed,    // the first one first, as they are created
  reversed,  // the last one first
};

// Has each resource ensure what belongs to the object, one after the other, until one fails, which is the error, or the
// flag reconciliation_canceled is set, which is success. Error: is_execution_failed, when there are no resources.
Result<void> process_update(const Object& object, Context& context, const std::vector<Resource>& resources);
// The same with what has to be gone.
Result<void> process_delete(const Object& object, Context& context, const std::vector<Resource>& resources,
                            DeleteOrder order = DeleteOrder::listed);

}  // namespace pintle::crud
