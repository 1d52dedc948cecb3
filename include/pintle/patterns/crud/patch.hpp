// SPDX-License-Identifier: Apache-2.0
// Patch: the changes that lead from the current to the desired state.
#pragma once

#include <optional>

namespace pintle::crud {

/// The parts that are set are passed to their apply functions, in the order of declaration, regardless of their values.
/// If no part is set, there is nothing to do.
template <class Change>
struct Patch {
  std::optional<Change> create_change{};
  std::optional<Change> delete_change{};
  std::optional<Change> update_change{};
};

}  // namespace pintle::crud
