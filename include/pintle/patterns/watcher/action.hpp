// SPDX-License-Identifier: Apache-2.0
// The events of an object that handlers receive.
#pragma once

#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle::watcher {

/// The events of a ResourceWatcher. to_string() returns "CREATE", "UPDATE", "DELETE", and "" for none.
enum class ResourceAction { none, create, update, delete_ };

/// The events of a Reconciler.
enum class ReconcileAction {
  unknown,
  created,   ///< the object is new, or existed when the operator started
  updated,   ///< also when a deletion begins, as long as finalizers keep the object
  deleted,   ///< the object is gone
  resynced,  ///< the object has not changed; for example, its resync period has passed
};

[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ResourceAction action) noexcept;
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ReconcileAction action) noexcept;  ///< for example "created"

/// The action of the same name; `unknown` or `none` if there is no such action, as for resynced.
[[nodiscard]] PINTLE_EXPORT ReconcileAction reconcile_action_from(ResourceAction action) noexcept;
[[nodiscard]] PINTLE_EXPORT ResourceAction resource_action_from(ReconcileAction action) noexcept;

}  // namespace pintle::watcher
