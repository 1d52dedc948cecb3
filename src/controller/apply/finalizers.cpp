// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/finalizers.hpp>

#include <utility>
#include <vector>

#include <pintle/http/transport.hpp>
#include <pintle/object/names.hpp>

#include "write_conflict.hpp"

namespace pintle {
namespace {

constexpr std::string_view wip_suffix = "-wip";

std::vector<std::size_t> places_of(const Object& object, std::string_view a, std::string_view b) {
  std::vector<std::size_t> places;
  std::size_t at = 0;
  for (const json::View finalizer : object.finalizers().elements()) {
    if (finalizer == a || finalizer == b) places.push_back(at);
    ++at;
  }
  return places;
}

std::string pointer_to(std::size_t place) { return "/metadata/finalizers/" + std::to_string(place); }

// Returns the tests of a patch that must fail if the object has changed, for example if its deletion has begun.
json::Patch patch_of_version(const Object& object) {
  json::Patch patch;
  patch.test("/metadata/uid", json::Value(object.uid()))
      .test("/metadata/resourceVersion", json::Value(object.resource_version()));
  return patch;
}

bool is_gone(const Error& error) { return error.code == ErrorCode::not_found; }

}  // namespace

Result<void> validate_finalizer(std::string_view name, FinalizerPolicy policy) {
  const bool has_domain = name.find('/') != std::string_view::npos;
  auto error = names::validate_qualified_name(name);
  if (!error && !has_domain) error = "must have a domain, such as \"example.com/cleanup\"";
  if (!error && policy == FinalizerPolicy::wip_then_real) {
    error = names::validate_qualified_name(std::string(name) + std::string(wip_suffix));
    if (error) *error += ", together with the suffix \"-wip\" of the work-in-progress finalizer";
  }
  if (!error) return {};
  return fail(ErrorCode::invalid, "the finalizer \"" + std::string(name) + "\" " + *error);
}

// ---- Finalizers ----

Finalizers::Finalizers(Client& client, std::string name, std::string field_manager)
    : client_(client),
      name_(std::move(name)),
      wip_name_(name_ + std::string(wip_suffix)),
      field_manager_(std::move(field_manager)) {}

bool Finalizers::is_present(const Object& object) const { return !places_of(object, name_, wip_name_).empty(); }

bool Finalizers::is_complete(const Object& object) const {
  return !places_of(object, name_, name_).empty() && places_of(object, wip_name_, wip_name_).empty();
}

json::Patch Finalizers::adding(const Object& object, const std::string& name) const {
  if (object.is_deleting()) return {};
  json::Patch patch = patch_of_version(object);
  if (object.finalizers().is_array()) {
    patch.add("/metadata/finalizers/-", json::Value(name));
  } else {
    patch.add("/metadata/finalizers", json::array{json::Value(name)});
  }
  return patch;
}

json::Patch Finalizers::ensuring(const Object& object) const {
  if (object.is_deleting() || is_complete(object)) return {};
  const auto wip = places_of(object, wip_name_, wip_name_);
  if (wip.empty()) return adding(object, name_);
  json::Patch patch = patch_of_version(object);
  if (places_of(object, name_, name_).empty()) {
    patch.replace(pointer_to(wip.front()), json::Value(name_));
  } else {
    patch.remove(pointer_to(wip.front()));
  }
  return patch;
}

// The patch tests the names and places of the finalizers that it removes, not the version. Other changes of the object
// do not matter.
json::Patch Finalizers::removing(const Object& object) const {
  const auto places = places_of(object, name_, wip_name_);
  json::Patch patch;
  if (places.empty()) return patch;
  patch.test("/metadata/uid", json::Value(object.uid()));
  for (const std::size_t place : places) patch.test(pointer_to(place), object.finalizers().element(place).to_value());
  for (auto place = places.rbegin(); place != places.rend(); ++place) patch.remove(pointer_to(*place));
  return patch;
}

Result<FinalizerChange> Finalizers::add(const Object& object, const std::stop_token& stop) {
  return write(
             object, [this](const Object& latest) { return ensuring(latest); }, stop)
      .with_operation("add finalizer " + name_);
}

Result<FinalizerChange> Finalizers::add_wip(const Object& object, const std::stop_token& stop) {
  const auto plan = [this](const Object& latest) {
    return is_present(latest) ? json::Patch{} : adding(latest, wip_name_);
  };
  return write(object, plan, stop).with_operation("add finalizer " + wip_name_);
}

Result<bool> Finalizers::remove(const Object& object, const std::stop_token& stop) {
  auto removed = write(
      object, [this](const Object& latest) { return removing(latest); }, stop);
  if (removed) return removed->written;
  if (is_gone(removed.error())) return false;
  return fail(std::move(removed.error()).with_operation("remove finalizer " + name_));
}

Result<FinalizerChange> Finalizers::write(Object object, const Plan& plan, const std::stop_token& stop) {
  const GroupVersionKind kind = object.group_version_kind();
  const ObjectKey key = object.key();
  for (int attempt = 1;; ++attempt) {
    const json::Patch patch = plan(object);
    if (patch.empty()) return FinalizerChange{.object = std::move(object), .written = false};
    auto written = client_.patch(kind, key, patch, {.field_manager = field_manager_}, stop);
    if (written) return FinalizerChange{.object = std::move(*written), .written = true};
    if (!is_write_conflict(written.error())) return fail(std::move(written.error()));
    if (attempt == max_write_attempts) {
      Error error = std::move(written.error());
      error.code = ErrorCode::conflict;
      return fail(std::move(error));
    }
    auto latest = client_.get(kind, key, stop);
    if (!latest) return fail(std::move(latest.error()));
    if (latest->uid() != object.uid()) {
      return fail(ErrorCode::not_found, "the object no longer exists; another object has its name");
    }
    object = std::move(*latest);
  }
}

// ---- FinalizerReconciler ----

FinalizerReconciler::FinalizerReconciler(Client& client, FinalizerOptions options)
    : finalizers_(client, options.name, std::move(options.field_manager)),
      policy_(options.policy),
      valid_(validate_finalizer(options.name, options.policy)),
      mutex_(client.transport().executor()) {}

Outcome FinalizerReconciler::run(const Object& object, Context& context, const StepInContext& reconcile,
                                 const StepInContext& finalize, const FinalizerHooks& hooks) {
  return run(
      object, [&](const Object& latest) { return reconcile(latest, context); },
      [&](const Object& latest) { return finalize(latest, context); }, context.stop_token(), hooks);
}

Outcome FinalizerReconciler::run(const Object& object, const Step& reconcile, const Step& finalize,
                                 const std::stop_token& stop, const FinalizerHooks& hooks) {
  if (!valid_) return failed(valid_.error().terminal());
  const Run run{.reconcile = reconcile, .finalize = finalize, .stop = stop, .hooks = hooks};
  // An object with the same name and another uid is a new object. The deleted one is cleaned up first.
  if (const auto before = unguarded(object.key()); before && before->uid() != object.uid()) {
    if (Outcome cleaned = run_gone(object.key(), finalize); !cleaned.is_done()) return cleaned;
  }
  if (object.is_deleting()) return release(object, run);
  switch (policy_) {
    case FinalizerPolicy::add_then_stop:
    case FinalizerPolicy::add_then_continue: return add_first(object, run);
    case FinalizerPolicy::add_after_success: return add_afterwards(object, run);
    case FinalizerPolicy::wip_then_real: return add_wip_first(object, run);
  }
  return done;
}

Outcome FinalizerReconciler::run_gone(const ObjectKey& key, const Step& finalize) {
  const auto object = unguarded(key);
  if (!object) return done;
  Outcome cleaned = finalize(*object);
  if (cleaned.is_done()) guarded(key);
  return cleaned;
}

std::vector<ObjectKey> FinalizerReconciler::unguarded_keys() const {
  const MutexLock lock(mutex_);
  std::vector<ObjectKey> keys;
  for (const auto& [key, object] : unguarded_) keys.push_back(key);
  return keys;
}

Outcome FinalizerReconciler::add_first(const Object& object, const Run& run) {
  auto added = finalizers_.add(object, run.stop);
  if (!added && is_gone(added.error())) return done;
  if (!added) return not_written(object, FinalizerStep::add, std::move(added.error()), run);
  if (added->written) written(added->object, FinalizerStep::add, run);
  if (added->object.is_deleting()) return release(added->object, run);
  // Not `done`: a predicate may reject the event of this write. The queue merges the event and this requeue into one
  // reconcile.
  if (added->written && policy_ == FinalizerPolicy::add_then_stop) return requeue_after(Duration::zero());
  return run.reconcile(added->object);
}

Outcome FinalizerReconciler::add_afterwards(const Object& object, const Run& run) {
  if (finalizers_.is_complete(object)) return run.reconcile(object);
  if (!finalizers_.is_present(object)) unguard(object);
  Outcome outcome = run.reconcile(object);
  if (!outcome.is_done()) return outcome;
  auto added = finalizers_.add(object, run.stop);
  // The object was deleted in the meantime. No later event will cause its cleanup.
  if (!added && is_gone(added.error())) return run_gone(object.key(), run.finalize);
  if (!added) return not_written(object, FinalizerStep::add, std::move(added.error()), run);
  if (added->written) written(added->object, FinalizerStep::add, run);
  if (added->object.is_deleting()) return release(added->object, run);
  guarded(object.key());
  return outcome;
}

Outcome FinalizerReconciler::add_wip_first(const Object& object, const Run& run) {
  auto begun = finalizers_.add_wip(object, run.stop);
  if (!begun && is_gone(begun.error())) return done;
  if (!begun) return not_written(object, FinalizerStep::add, std::move(begun.error()), run);
  if (begun->written) written(begun->object, FinalizerStep::add, run);
  if (begun->object.is_deleting()) return release(begun->object, run);
  Outcome outcome = run.reconcile(begun->object);
  if (!outcome.is_done()) return outcome;
  // If the deletion has begun, the object keeps the work-in-progress finalizer, and the event of the deletion causes
  // the cleanup.
  auto completed = finalizers_.add(begun->object, run.stop);
  if (!completed && is_gone(completed.error())) return outcome;
  if (!completed) return not_written(begun->object, FinalizerStep::add, std::move(completed.error()), run);
  if (completed->written) written(completed->object, FinalizerStep::add, run);
  return outcome;
}

Outcome FinalizerReconciler::release(const Object& object, const Run& run) {
  if (!finalizers_.is_present(object) && !unguarded(object.key())) return done;
  Outcome cleaned = run.finalize(object);
  if (!cleaned.is_done()) return cleaned;
  if (run.hooks.before_removal) {
    if (auto done = run.hooks.before_removal(); !done) return failed(std::move(done.error()));
  }
  auto removed = finalizers_.remove(object, run.stop);
  if (!removed) return not_written(object, FinalizerStep::remove, std::move(removed.error()), run);
  if (*removed) written(object, FinalizerStep::remove, run);
  guarded(object.key());
  return cleaned;
}

Outcome FinalizerReconciler::not_written(const Object& object, FinalizerStep step, Error error, const Run& run) {
  if (!run.hooks.on_write) return failed(std::move(error));
  return run.hooks.on_write(object, step, fail(std::move(error)));
}

void FinalizerReconciler::written(const Object& object, FinalizerStep step, const Run& run) {
  if (run.hooks.on_write) (void)run.hooks.on_write(object, step, {});
}

void FinalizerReconciler::unguard(const Object& object) {
  const MutexLock lock(mutex_);
  unguarded_.insert_or_assign(object.key(), object);
}

void FinalizerReconciler::guarded(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  unguarded_.erase(key);
}

std::optional<Object> FinalizerReconciler::unguarded(const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = unguarded_.find(key);
  return found == unguarded_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace pintle
