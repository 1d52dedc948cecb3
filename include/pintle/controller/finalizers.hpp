// Finalizers: an object does not go before what belongs to it outside the cluster has been cleaned up.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

// When the finalizer goes on.
enum class FinalizerPolicy {
  add_then_stop,      // before the first reconcile, in a pass of its own: the next is due at once
  add_then_continue,  // before the first reconcile, in the same pass
  add_after_success,  // after the first reconcile that settled; a process that dies before that cleans up nothing
  wip_then_real,      // "<name>-wip" before the first reconcile, the real one in its place after one that settled
};

// What is wrong with a finalizer of ours by this name, for a declaration that is to be refused early: invalid, unless
// it is a qualified name with a domain, "example.com/cleanup", and fits with the "-wip" that the policy may add to it.
[[nodiscard]] Result<void> check_finalizer(std::string_view name, FinalizerPolicy policy);

// An object after a change of its finalizers, or the newest that was read when there was nothing to change.
struct FinalizerChange {
  Object object{};
  bool written = false;
};

// The only writer of metadata.finalizers, one for each finalizer of ours. Every write is a JSON patch that fits the
// object as it was read and no other, where a merge patch would replace the whole list. So finalizers of others and
// their order stay; when the object has changed it is read again, up to 5 times (then: conflict). What was read may be
// old, as the local copy is. An object of another uid is another object: not_found. Thread-safe.
class Finalizers {
 public:
  // `field_manager` empty: that of the client.
  Finalizers(Client& client, std::string name, std::string field_manager = {});

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& wip_name() const noexcept { return wip_name_; }
  // Whether the object has ours, the real one or the one for work in progress.
  [[nodiscard]] bool is_on(const Object& object) const;
  // Whether it has the real one alone.
  [[nodiscard]] bool is_complete(const Object& object) const;

  // Puts ours on, in the place of the one for work in progress if that is there. An object that is being deleted stays
  // as it is, because the server accepts no new finalizer then: see is_on of the answer.
  Result<FinalizerChange> ensure(const Object& object, const std::stop_token& stop);
  // Puts the one for work in progress on, unless one of ours is there; otherwise as ensure.
  Result<FinalizerChange> ensure_wip(const Object& object, const std::stop_token& stop);
  // Takes ours off, every one of them. Answers whether there was one; none, and no such object, are success.
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

// What is written about ours: it is put on, in either form, or taken off.
enum class FinalizerStep { add, remove };

struct FinalizerOptions {
  std::string name{};
  FinalizerPolicy policy = FinalizerPolicy::add_then_continue;
  std::string field_manager{};
};

// What a pass calls besides. A plain value.
struct FinalizerHooks {
  // Between a finalize that settled and the removal, while the object is still there: the last status has to be written
  // before. Its error keeps the finalizer on.
  std::function<Result<void>()> before_removal{};
  // Told of each write that was tried, and how it went; what it answers is what a pass comes to whose write failed.
  // Default: that pass fails.
  std::function<Outcome(const Object&, FinalizerStep, const Result<void>& written)> written{};
};

// A pass over an object with a finalizer, in the order of its policy. `reconcile` is not called for an object that is
// being deleted; `finalize` is, pass after pass, until it settles, and then ours is taken off. An object that is
// deleted without ever having had ours is nothing to do. `finalize` may be called again after it settled, when the
// removal did not get through, and for an object that no reconcile has seen, so it must take what is not there as done.
// What either throws passes through; nothing is taken off then. Thread-safe, with one pass at a time for each object.
class FinalizedReconcile {
 public:
  using Step = std::function<Outcome(const Object&)>;
  using StepInContext = std::function<Outcome(const Object&, Context&)>;

  // A wrong name is kept, and fails every pass: check_finalizer tells it earlier.
  FinalizedReconcile(Client& client, FinalizerOptions options);

  Outcome run(const Object& object, const Step& reconcile, const Step& finalize, const std::stop_token& stop,
              const FinalizerHooks& hooks = {});
  Outcome run(const Object& object, Context& context, const StepInContext& reconcile, const StepInContext& finalize,
              const FinalizerHooks& hooks = {});

  // Owed once the object is gone: add_after_success may have reconciled it without a finalizer, and then its cleanup is
  // now, with the object as it was. Settled when nothing was left.
  Outcome run_gone(const ObjectKey& key, const Step& finalize);

  [[nodiscard]] const Finalizers& finalizers() const noexcept { return finalizers_; }

 private:
  struct Pass {
    const Step& reconcile;
    const Step& finalize;
    const std::stop_token& stop;
    const FinalizerHooks& hooks;
  };

  Outcome add_first(const Object& object, const Pass& pass);
  Outcome add_afterwards(const Object& object, const Pass& pass);
  Outcome add_wip_first(const Object& object, const Pass& pass);
  Outcome release(const Object& object, const Pass& pass);
  static Outcome not_written(const Object& object, FinalizerStep step, Error error, const Pass& pass);
  static void written(const Object& object, FinalizerStep step, const Pass& pass);

  void unguard(const Object& object);
  void guarded(const ObjectKey& key);
  [[nodiscard]] std::optional<Object> unguarded(const ObjectKey& key) const;

  Finalizers finalizers_;
  const FinalizerPolicy policy_;
  const Result<void> valid_;
  mutable Mutex mutex_;
  // Reconciled, or about to be, while nothing kept them from going.
  std::map<ObjectKey, Object> unguarded_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
