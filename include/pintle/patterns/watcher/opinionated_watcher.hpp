// OpinionatedWatcher: a watcher that knows what is new from what is there again, and misses no deletion.
#pragma once

#include <memory>
#include <string>

#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/watcher/finalizer.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>

namespace pintle::watcher {

// What an OpinionatedWatcher calls; one that is missing is success.
struct OpinionatedFunctions {
  ObjectFunction added{};    // an object that no instance of the operator has handled
  UpdateFunction updated{};  // its generation changed
  // The object is being deleted, or is gone; called until it settles. `added` may have failed for it, or not have been
  // called, so treat what is missing as removed.
  ObjectFunction deleted{};
  ObjectFunction synced{};  // handled by an instance before this one
};

struct OpinionatedWatcherOptions {
  FinalizerSupplier finalizer = default_finalizer_supplier;
  // add_after_success, where nothing keeps an object from going before `added` has succeeded; or wip_then_real, where
  // "<name>-wip" does, also while the process is down.
  FinalizerPolicy policy = FinalizerPolicy::add_after_success;
};

// Puts a finalizer on an object once `added` has settled, and takes it off once `deleted` has, so that the object does
// not go before, also while the operator is down. By the finalizer it tells a new object from one that is there again.
// An update that leaves metadata.generation as it is, or only brings our finalizer, is not told; what changed in the
// spec while `added` ran is. An update of an object without the finalizer is `added`, also when an `added` before was
// given up; where `added` has settled for that generation, only the finalizer is put on.
//
// With add_after_success an object may go while `added` runs, or between its retries. Then `deleted` is called for it,
// within an InformerController until it settles once: as the retry policy says, and every five minutes when that has
// given up. An error that is terminal() ends it. This is kept in memory: if the process ends before `deleted` has
// settled, an object that is gone by then is forgotten. With wip_then_real it is not.
// Thread-safe, but for wrap().
class OpinionatedWatcher final : public ResourceWatcher {
 public:
  explicit OpinionatedWatcher(const GroupVersionKind& schema, OpinionatedFunctions functions = {},
                              OpinionatedWatcherOptions options = {});

  // Calls this watcher in place of the functions; `synced` is its added when sync_to_add is set, else success. Nothing
  // when it is null. Before it is added to a controller.
  void wrap(std::shared_ptr<ResourceWatcher> watcher, bool sync_to_add);

  [[nodiscard]] const std::string& finalizer() const noexcept { return finalizer_; }
  // Error: invalid, for a name that no finalizer can have, and one of more than 63 characters.
  [[nodiscard]] Result<void> check() const override;

  Outcome added(const Object& object, Context& context) override;
  Outcome updated(const Object& old, const Object& current, Context& context) override;
  // Calls `deleted` if `added` was called for the object and nothing was cleaned up; else nothing: what had to be done
  // was done before the finalizer was taken off.
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
