// SPDX-License-Identifier: Apache-2.0
// Change: one step of an object, as handlers and predicates receive it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <pintle/object/object.hpp>

namespace pintle {

/// Why a handler is called.
enum class ChangeCause {
  initial,  ///< the object existed when the informer started
  change,   ///< a watch event
  missed,   ///< found by a list: the object changed or was deleted while no watch was open
  resync,   ///< nothing changed; old and current are the same
};

/// One step of one object. For an added object, `old` is empty. For a deleted object, `current` is empty and `old` is
/// the last known state, which may be older than the state that was deleted. A deletion and a new object with the same
/// name may appear as one change with different uids.
struct Change {
  Object old{};
  Object current{};
  ChangeCause cause = ChangeCause::change;
  /// The resourceVersions of the steps that were merged into this change, oldest first, without that of `current`. An
  /// empty string stands for unknown steps.
  std::vector<std::string> merged_versions{};

  [[nodiscard]] const Object& object() const noexcept { return current ? current : old; }
};

using ChangeHandler = std::function<void(const Change&)>;

}  // namespace pintle
