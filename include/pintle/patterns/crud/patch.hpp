// Patch: what has to be done to get from the current to the desired state.
#pragma once

#include <optional>

namespace pintle::crud {

// Each part is handed to its apply function if it is set, whatever its value; one with none is nothing to do. They are
// applied in this order.
template <class Change>
struct Patch {
  std::optional<Change> create_change{};
  std::optional<Change> delete_change{};
  std::optional<Change> update_change{};
};

}  // namespace pintle::crud
