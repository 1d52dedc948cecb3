// What happened to an object, as handlers are told.
#pragma once

#include <string_view>

namespace pintle::watcher {

// What a ResourceWatcher is called for. to_string: "CREATE", "UPDATE", "DELETE", and "" for none.
enum class ResourceAction { none, create, update, delete_ };

// What a Reconciler is called for.
enum class ReconcileAction {
  unknown,
  created,   // new, or there when the operator began
  updated,   // also by a deletion that begins, as long as finalizers keep the object
  deleted,   // gone
  resynced,  // nothing changed; it is looked at again in time
};

[[nodiscard]] std::string_view to_string(ResourceAction action) noexcept;
[[nodiscard]] std::string_view to_string(ReconcileAction action) noexcept;  // "created"

// The action of the same name; unknown and none where there is no such, as for resynced.
[[nodiscard]] ReconcileAction reconcile_action_from(ResourceAction action) noexcept;
[[nodiscard]] ResourceAction resource_action_from(ReconcileAction action) noexcept;

}  // namespace pintle::watcher
