// SPDX-License-Identifier: Apache-2.0
// Finalizers: delay the deletion of an object until its resources outside the cluster have been cleaned up.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

/// When the finalizer is added. A reconcile succeeds if it returns `done`.
enum class FinalizerPolicy {
  add_then_stop,      ///< before the first reconcile; adding it ends the reconcile, and the next one runs immediately
  add_then_continue,  ///< before the first reconcile, which then continues
  add_after_success,  ///< after the first success; until then, only a process that reconciled the object can clean up
  wip_then_real,      ///< "<name>-wip" before the first reconcile; the first success replaces it by "<name>"
};

/// Checks the name of a finalizer, so that a declaration can be refused early. Error: invalid, unless the name is a
/// qualified name with a domain, such as "example.com/cleanup", and is short enough for the "-wip" that the policy may
/// append.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_finalizer(std::string_view name, FinalizerPolicy policy);

/// The result of changing finalizers: the object after the write, or the newest version that was read if there was
/// nothing to write.
struct FinalizerChange {
  Object object{};
  bool written = false;
};

/// Adds and removes one finalizer. No other part of a controller writes metadata.finalizers. Each write is a JSON patch
/// that tests the state on which it is based; a merge patch would replace the whole list. The finalizers of other
/// controllers and their order are therefore preserved. If a test fails, the object is read again, for at most 5
/// attempts (then error: conflict). The object that the caller passes may be an older version, for example from the
/// cache. If the server has an object of the same name with another uid, the object no longer exists (error:
/// not_found). Thread-safe.
class PINTLE_EXPORT Finalizers {
 public:
  /// If `field_manager` is empty, the field manager of the client is used.
  Finalizers(Client& client, std::string name, std::string field_manager = {});

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& wip_name() const noexcept { return wip_name_; }
  /// Returns whether the object has the finalizer or the work-in-progress finalizer.
  [[nodiscard]] bool is_present(const Object& object) const;
  /// Returns whether the object has the finalizer and not the work-in-progress finalizer.
  [[nodiscard]] bool is_complete(const Object& object) const;

  /// Adds the finalizer, or replaces the work-in-progress finalizer by it. An object that is being deleted is not
  /// changed, because the server accepts no new finalizer then; check is_present() for the result.
  Result<FinalizerChange> add(const Object& object, const std::stop_token& stop);
  /// Adds the work-in-progress finalizer, unless the object has one of the two finalizers. An object that is being
  /// deleted is not changed.
  Result<FinalizerChange> add_wip(const Object& object, const std::stop_token& stop);
  /// Removes both the finalizer and the work-in-progress finalizer. Returns whether there was one. Returns false if the
  /// object does not exist.
  Result<bool> remove(const Object& object, const std::stop_token& stop);

 private:
  using Plan = std::function<json::Patch(const Object&)>;

  Result<FinalizerChange> write(Object object, const Plan& plan, const std::stop_token& stop);
  [[nodiscard]] json::Patch ensuring(const Object& object) const;
  [[nodiscard]] json::Patch adding(const Object& object, const std::string& name) const;
  [[nodiscard]] json::Patch removing(const Object& object) const;

  Client& client_;
  const std::string name_;
  const std::string wip_name_;
  const std::string field_manager_;
};

/// The kind of a write: it adds the finalizer or the work-in-progress finalizer, or it removes both.
enum class FinalizerStep { add, remove };

struct FinalizerOptions {
  std::string name{};
  FinalizerPolicy policy = FinalizerPolicy::add_then_continue;
  std::string field_manager{};
};

/// Functions that FinalizerReconciler calls around its writes. A plain value.
struct FinalizerHooks {
  /// Called after `finalize` has returned `done`, before the finalizer is removed. The object still exists, so this is
  /// the time to write its last status. If it returns an error, the finalizer stays.
  std::function<Result<void>()> before_removal{};
  /// Called after each write attempt with its result. If the write failed, the return value is the outcome of the
  /// reconcile. Default: the reconcile fails.
  std::function<Outcome(const Object&, FinalizerStep, const Result<void>& written)> on_write{};
};

/// Reconciles objects with a finalizer, which is added as the policy defines. For an object that is being deleted it
/// calls `finalize` instead of `reconcile`, in each reconcile until `finalize` returns `done`, and then removes the
/// finalizer. If an object that is being deleted does not have the finalizer, `finalize` is called only if this
/// FinalizerReconciler has reconciled the object without a finalizer (add_after_success) and has not added one since.
///
/// `finalize` must be idempotent: treat missing resources as already deleted. It may be called for an object that was
/// never reconciled. If the removal of the finalizer failed, it is called again although it has returned `done`.
/// Exceptions of both functions propagate to the caller; the finalizer is not removed then.
///
/// Thread-safe, but the caller must not reconcile one object twice at the same time.
class PINTLE_EXPORT FinalizerReconciler {
 public:
  using Step = std::function<Outcome(const Object&)>;
  using StepInContext = std::function<Outcome(const Object&, Context&)>;

  /// An invalid name makes each reconcile fail; validate_finalizer() returns the error earlier.
  FinalizerReconciler(Client& client, FinalizerOptions options);

  Outcome run(const Object& object, const Step& reconcile, const Step& finalize, const std::stop_token& stop,
              const FinalizerHooks& hooks = {});
  Outcome run(const Object& object, Context& context, const StepInContext& reconcile, const StepInContext& finalize,
              const FinalizerHooks& hooks = {});

  /// Must be called after the object was deleted. With add_after_success, the object may have been reconciled without a
  /// finalizer; then this calls `finalize` with the state that was last reconciled. Returns `done` if nothing is left
  /// to clean up.
  Outcome run_gone(const ObjectKey& key, const Step& finalize);
  /// Returns the keys of the objects that were reconciled without a finalizer and that run_gone() would clean up.
  [[nodiscard]] std::vector<ObjectKey> unguarded_keys() const;

  [[nodiscard]] const Finalizers& finalizers() const noexcept { return finalizers_; }

 private:
  struct Run {
    const Step& reconcile;
    const Step& finalize;
    const std::stop_token& stop;
    const FinalizerHooks& hooks;
  };

  Outcome add_first(const Object& object, const Run& run);
  Outcome add_afterwards(const Object& object, const Run& run);
  Outcome add_wip_first(const Object& object, const Run& run);
  Outcome release(const Object& object, const Run& run);
  static Outcome not_written(const Object& object, FinalizerStep step, Error error, const Run& run);
  static void written(const Object& object, FinalizerStep step, const Run& run);

  void unguard(const Object& object);
  void guarded(const ObjectKey& key);
  [[nodiscard]] std::optional<Object> unguarded(const ObjectKey& key) const;

  Finalizers finalizers_;
  const FinalizerPolicy policy_;
  const Result<void> valid_;
  mutable Mutex mutex_;
  // Objects that were reconciled, or are about to be, without a finalizer that delays their deletion.
  std::map<ObjectKey, Object> unguarded_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
