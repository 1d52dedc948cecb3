// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_watcher.hpp>

#include <utility>

#include <pintle/object/names.hpp>
#include <pintle/object/schema/crd.hpp>

#include "cleanup_ledger.hpp"
#include "finalizer_rules.hpp"

namespace pintle::watcher {
namespace {

Outcome call(const ObjectFunction& function, const Object& object, Context& context) {
  return function ? function(object, context) : Outcome(done);
}

Outcome missing(const char* what) {
  return failed(make_error(ErrorCode::invalid, std::string(what) + " cannot be nil").terminal());
}

}  // namespace

OpinionatedWatcher::OpinionatedWatcher(const GroupVersionKind& schema, OpinionatedFunctions functions,
                                       OpinionatedWatcherOptions options)
    : schema_(schema),
      finalizer_(options.finalizer ? options.finalizer(schema) : std::string()),
      policy_(options.policy),
      functions_(std::move(functions)) {}

void OpinionatedWatcher::wrap(std::shared_ptr<ResourceWatcher> watcher, bool sync_to_add) {
  if (watcher == nullptr) return;
  const ObjectFunction add = [watcher](const Object& object, Context& context) {
    return watcher->added(object, context);
  };
  functions_ = {
      .added = add,
      .updated = [watcher](const Object& old, const Object& current,
                           Context& context) { return watcher->updated(old, current, context); },
      .deleted = [watcher](const Object& object, Context& context) { return watcher->deleted(object, context); },
      .synced = sync_to_add ? add : ObjectFunction()};
}

Result<void> OpinionatedWatcher::check() const {
  if (schema_.empty()) return fail(ErrorCode::invalid, "schema cannot be nil");
  if (auto good = check_finalizer_name(finalizer_, policy_); !good || is_custom_kind(schema_)) return good;
  if (const auto error = names::validate_finalizer_name(finalizer_)) {
    return fail(ErrorCode::invalid,
                "the finalizer \"" + finalizer_ + "\" of " + schema_.to_string() + " " + *error + ": set .finalizer");
  }
  return {};
}

Finalizers OpinionatedWatcher::finalizers(Context& context) const { return {context.client(), finalizer_}; }

Outcome OpinionatedWatcher::added(const Object& object, Context& context) {
  if (!object) return failed(nil_object_error());
  if (object.is_deleting()) return release(object, context);
  CleanupRecord record(context, object, finalizer_);
  // Another client may have added the finalizer.
  if (record.awaits_success() || !finalizers(context).is_complete(object)) return add(object, context);
  record.erase();
  return call(functions_.synced, object, context);
}

Outcome OpinionatedWatcher::updated(const Object& old, const Object& current, Context& context) {
  if (!old) return missing("old");
  if (!current) return missing("new");
  if (current.is_deleting()) return release(current, context);
  const Finalizers ours = finalizers(context);
  if (!ours.is_complete(current)) return add(current, context);
  CleanupRecord record(context, current, finalizer_);
  if (record.awaits_success()) return add(current, context);  // another client has added the finalizer
  // The object is delivered with the finalizer for the first time. This event contains the changes that were made while
  // `added` ran.
  if (record.progress() == CleanupProgress::handled) {
    const Object handled = record.object();
    if (!has_same_content(handled, current) && functions_.updated) {
      Outcome outcome = functions_.updated(handled, current, context);
      if (!outcome.is_done()) return outcome;
    }
    record.erase();
    return done;
  }
  if (current.generation() > 0 && current.generation() == old.generation()) return done;
  if (!ours.is_complete(old)) return done;  // the update only added our finalizer
  return functions_.updated ? functions_.updated(old, current, context) : Outcome(done);
}

Outcome OpinionatedWatcher::deleted(const Object& object, Context& context) {
  CleanupRecord record(context, object, finalizer_);
  // If the last state has our finalizer, release() has cleaned up, or the object exists and only left the selection of
  // the informer.
  const bool is_owed =
      record.needs_cleanup() && (record.progress() == CleanupProgress::owed || !finalizers(context).is_present(object));
  Outcome outcome = is_owed ? clean_up(object, context) : Outcome(done);
  if (outcome.is_done()) record.erase();
  return outcome;
}

Outcome OpinionatedWatcher::add(const Object& object, Context& context) {
  CleanupRecord record(context, object, finalizer_);
  if (record.progress() == CleanupProgress::cleaned) return done;  // the event is older than the deletion
  if (record.progress() == CleanupProgress::owed) return clean_up(object, context);
  Finalizers ours = finalizers(context);
  Object newest = object;
  if (policy_ == FinalizerPolicy::wip_then_real) {
    if (record.progress() == CleanupProgress::none) record.set(CleanupProgress::due, object);
    auto begun = ours.add_wip(object, context.stop_token());
    const bool is_gone = !begun && begun.error().code == ErrorCode::not_found;
    if (is_gone) return record.needs_cleanup() ? clean_up(object, context) : done;
    if (!begun) return failed(error_adding_finalizer(std::move(begun.error())));
    newest = std::move(begun->object);
    if (newest.is_deleting()) return release(newest, context);
  }
  if (!record.has_handled(newest)) {
    record.set(CleanupProgress::begun, newest);
    Outcome outcome = call(functions_.added, newest, context);
    if (!outcome.is_done()) return outcome;
    record.set(CleanupProgress::handled, newest);
  }
  auto completed = ours.add(newest, context.stop_token());
  const bool is_gone = !completed && completed.error().code == ErrorCode::not_found;
  if (!completed && !is_gone) return failed(error_adding_finalizer(std::move(completed.error())));
  // The object was deleted in the meantime, because the finalizer did not protect it yet.
  if (is_gone) return clean_up(newest, context);
  if (completed->object.is_deleting() && !ours.is_present(completed->object))
    return clean_up(completed->object, context);
  return done;
}

Outcome OpinionatedWatcher::release(const Object& object, Context& context) {
  Finalizers ours = finalizers(context);
  const CleanupRecord record(context, object, finalizer_);
  if (!ours.is_present(object)) return record.needs_cleanup() ? clean_up(object, context) : done;
  if (record.progress() != CleanupProgress::cleaned) {
    Outcome outcome = clean_up(object, context);
    if (!outcome.is_done()) return outcome;
  }
  auto removed = ours.remove(object, context.stop_token());
  return removed ? done : failed(std::move(removed.error()));
}

Outcome OpinionatedWatcher::clean_up(const Object& object, Context& context) {
  CleanupRecord record(context, object, finalizer_);
  record.set(CleanupProgress::owed, object);
  Outcome outcome = call(functions_.deleted, object, context);
  if (outcome.is_done()) record.set(CleanupProgress::cleaned, object);
  return outcome;
}

}  // namespace pintle::watcher
