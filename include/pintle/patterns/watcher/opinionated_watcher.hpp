// SPDX-License-Identifier: Apache-2.0
// OpinionatedWatcher: a watcher that distinguishes new objects from objects of an earlier process. If an object has its
// finalizer, it also receives a deletion that began while no process ran.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/watcher/finalizer.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>

namespace pintle::watcher {

/// The functions of an OpinionatedWatcher. A function that is not set succeeds.
struct OpinionatedFunctions {
  ObjectFunction added{};    ///< no instance of the operator has handled the object
  UpdateFunction updated{};  ///< the generation of the object has changed
  /// The object is being deleted, or is gone. Called until it returns `done`. `added` may have failed for the object or
  /// may not have been called, so treat missing resources as removed.
  ObjectFunction deleted{};
  ObjectFunction synced{};  ///< an earlier instance of the operator has handled the object
};

struct OpinionatedWatcherOptions {
  /// Each Opinionated handler of an object needs its own finalizer, see InformerController::add_watcher().
  FinalizerSupplier finalizer = default_finalizer_supplier;
  /// With add_after_success, an object can disappear before `added` has succeeded. With wip_then_real, the finalizer
  /// "<name>-wip" prevents that, even while the process does not run. check() returns an error for any other policy.
  FinalizerPolicy policy = FinalizerPolicy::add_after_success;
};

/// Adds a finalizer to an object when `added` has returned `done`, and removes it when `deleted` has returned `done`.
/// In between, the object cannot disappear, even while the operator does not run. The finalizer also distinguishes a
/// new object from one that an earlier process has handled.
///
/// An update that leaves metadata.generation as it is, or that only adds this finalizer, is not delivered. A change of
/// the spec while `added` ran is delivered. An update of an object without the finalizer calls `added`, even if the
/// last retry of an earlier `added` failed; if `added` has returned `done` for that generation, only the finalizer is
/// added. An update also calls `added` if the last call of `added` failed and another client has added the finalizer.
///
/// With add_after_success an object can disappear while `added` runs, or between its retries. `deleted` is then called
/// for it. An InformerController repeats this call until it returns `done` once: according to the retry policy, and
/// every five minutes after the last retry of the policy. An Error::terminal() ends the repetition. These calls are
/// recorded only in memory: if the process ends before `deleted` has returned `done`, `deleted` is not called again for
/// an object that is gone by then. With wip_then_real it is called again.
///
/// Thread-safe, except wrap().
class PINTLE_EXPORT OpinionatedWatcher final : public ResourceWatcher {
 public:
  explicit OpinionatedWatcher(const GroupVersionKind& schema, OpinionatedFunctions functions = {},
                              OpinionatedWatcherOptions options = {});

  /// Replaces the functions by those of `watcher`. If `sync_to_add` is set, `synced` calls added() of `watcher`;
  /// otherwise it does nothing and succeeds. No effect if `watcher` is null. Call it before this watcher is added to a
  /// controller.
  void wrap(std::shared_ptr<ResourceWatcher> watcher, bool sync_to_add);

  [[nodiscard]] const std::string& finalizer() const noexcept { return finalizer_; }
  /// Error: `invalid`, for an empty `schema`, for an unsupported policy, for a name that no finalizer can have, and for
  /// a name of more than 63 characters.
  [[nodiscard]] Result<void> check() const override;

  Outcome added(const Object& object, Context& context) override;
  Outcome updated(const Object& old, const Object& current, Context& context) override;
  /// Calls the function `deleted` if `added` was called for the object and its clean-up has not succeeded yet.
  /// Otherwise does nothing, because the clean-up was done before the finalizer was removed.
  Outcome deleted(const Object& object, Context& context) override;

 private:
  [[nodiscard]] Finalizers finalizers(Context& context) const;
  Outcome add(const Object& object, Context& context);
  Outcome release(const Object& object, Context& context);
  Outcome clean_up(const Object& object, Context& context);

  const GroupVersionKind schema_;
  const std::string finalizer_;
  const FinalizerPolicy policy_;
  OpinionatedFunctions functions_;
};

}  // namespace pintle::watcher
