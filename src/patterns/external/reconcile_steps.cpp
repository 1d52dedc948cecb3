// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/external/reconcile_steps.hpp>

#include <optional>

#include <pintle/controller/live_reader.hpp>

namespace pintle::external {
namespace {

// The object of a reconcile comes from the cache, whose events can be late, for example those of a deletion that
// another instance has completed. A resource that is created for an object that is gone is never removed. Returns the
// outcome of a reconcile that must not create the resource, and nothing otherwise.
std::optional<Outcome> outcome_without_create(const Context& context) {
  const Object& object = context.object();
  auto latest = context.live().find(object.group_version_kind(), object.key());
  if (!latest) return failed(std::move(latest.error()).with_operation("read the object before create()"));
  if (!*latest || (*latest)->uid() != object.uid()) return done;  // the event of the deletion follows
  if ((*latest)->is_deleting()) return requeue;
  return std::nullopt;
}

}  // namespace

Outcome ReconcileSteps::prepare() {
  if (auto configured = configure(); !configured) return failed(std::move(configured.error()));
  return read();
}

Outcome ReconcileSteps::change() {
  const auto needed = diff();
  if (!needed) return failed(needed.error());
  Outcome outcome = done;
  if (needed->need_create) {
    if (auto ended = outcome_without_create(context())) return std::move(*ended);
    outcome = create();
  }
  if (needed->need_update && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), update());
  if (!outcome.is_done()) return outcome;
  return ready(on_success(*needed));
}

}  // namespace pintle::external
