// SPDX-License-Identifier: Apache-2.0
// ReconcileFlags: flags by which the resources of one reconcile influence each other and the code that runs them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>

namespace pintle::crud {

/// A flag that stays set once it is set. Copies share the flag. Thread-safe.
class ReconcileFlag {
 public:
  void set() const noexcept { is_set_->store(true); }
  [[nodiscard]] bool is_set() const noexcept { return is_set_->load(); }

 private:
  std::shared_ptr<std::atomic<bool>> is_set_ = std::make_shared<std::atomic<bool>>(false);
};

struct ReconcileFlags {
  /// Ends the reconcile successfully: no further step of a CrudResource and no further resource runs. If init_ctx sets
  /// the flag, no resource runs. An object that is being deleted keeps its finalizer and is reconciled again at the
  /// next resync.
  ReconcileFlag reconciliation_canceled{};
  /// Skips the remaining steps of the running CrudResource. The next resource gets a new flag.
  ReconcileFlag resource_canceled{};
  /// An object that is being deleted keeps its finalizer even if the reconcile succeeds, and is reconciled again at the
  /// next resync.
  ReconcileFlag finalizer_kept{};
  /// For use between resources; nothing else reads these flags.
  ReconcileFlag update_allowed{};
  ReconcileFlag update_necessary{};
  ReconcileFlag deletion_allowed{};
};

/// The flags of this reconcile. They exist in every reconcile, no matter which controller runs it.
[[nodiscard]] inline ReconcileFlags& reconcile_flags(Context& context) { return context.slot<ReconcileFlags>(); }

/// Requests another reconcile of the object after `delay` although this reconcile succeeds; of several delays the
/// shortest counts. If the object is being deleted, its deletion is then not complete, and it keeps its finalizer. Must
/// be called on the thread of the reconcile.
PINTLE_EXPORT void request_requeue_after(Context& context, Duration delay);
/// The delay that was requested in this reconcile, if any.
[[nodiscard]] PINTLE_EXPORT std::optional<Duration> requested_requeue_after(Context& context);

}  // namespace pintle::crud
