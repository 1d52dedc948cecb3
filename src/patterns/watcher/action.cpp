// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

std::string_view to_string(ResourceAction action) noexcept {
  switch (action) {
    case ResourceAction::none: return "";
    case ResourceAction::create: return "CREATE";
    case ResourceAction::update: return "UPDATE";
    case ResourceAction::delete_: return "DELETE";
  }
  return "";
}

std::string_view to_string(ReconcileAction action) noexcept {
  switch (action) {
    case ReconcileAction::unknown: return "unknown";
    case ReconcileAction::created: return "created";
    case ReconcileAction::updated: return "updated";
    case ReconcileAction::deleted: return "deleted";
    case ReconcileAction::resynced: return "resynced";
  }
  return "unknown";
}

ReconcileAction reconcile_action_from(ResourceAction action) noexcept {
  switch (action) {
    case ResourceAction::none: return ReconcileAction::unknown;
    case ResourceAction::create: return ReconcileAction::created;
    case ResourceAction::update: return ReconcileAction::updated;
    case ResourceAction::delete_: return ReconcileAction::deleted;
  }
  return ReconcileAction::unknown;
}

ResourceAction resource_action_from(ReconcileAction action) noexcept {
  switch (action) {
    case ReconcileAction::unknown:
    case ReconcileAction::resynced: return ResourceAction::none;
    case ReconcileAction::created: return ResourceAction::create;
    case ReconcileAction::updated: return ResourceAction::update;
    case ReconcileAction::deleted: return ResourceAction::delete_;
  }
  return ResourceAction::none;
}

}  // namespace pintle::watcher
