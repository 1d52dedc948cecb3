// SPDX-License-Identifier: Apache-2.0
// The two sentences of the debug API about an object.
#include "object_view.hpp"

namespace pintle {
namespace {

std::string with_reason(const Readiness& readiness) {
  std::string text;
  for (const std::string& part : {readiness.reason, readiness.message}) {
    if (!part.empty()) text += ": " + part;
  }
  return text;
}

std::string in_row(unsigned failures) {
  return failures < 2 ? "" : " (" + std::to_string(failures) + " failures in a row)";
}

std::string causes_of(const QueueEntry& entry) {
  return entry.causes.empty() ? "" : ", because of: " + to_string(entry.causes);
}

std::string next_in_queue(const ObjectFacts& facts, const Moment& moment) {
  const QueueEntry& entry = *facts.entry;
  switch (entry.state) {
    case QueueEntry::State::working: {
      std::string text = "It has been reconciled for " + format_duration(moment.now - entry.since);
      if (entry.overdue > Duration::zero()) {
        text += ", which exceeds its timeout by " + format_duration(entry.overdue);
      }
      return text + (entry.due ? "; another reconcile follows." : ".");
    }
    case QueueEntry::State::waiting:
      return "It waits for a worker; " + std::to_string(facts.working) + " of " + std::to_string(facts.workers) +
             " are busy" + causes_of(entry) + ".";
    case QueueEntry::State::delayed: break;
  }
  return "The next reconcile is due in " + format_duration(*entry.due - moment.now) + causes_of(entry) + ".";
}

std::string others_among(const Object& object, const std::string& own) {
  std::string others;
  for (const json::View finalizer : object.finalizers().elements()) {
    if (finalizer != std::string_view(own)) others += (others.empty() ? "" : ", ") + std::string(finalizer.text());
  }
  return others;
}

// Returns the failure of the last reconcile, or "". The history may have dropped the records of an object that still
// fails.
std::string failure_of(const ObjectFacts& facts) {
  const unsigned failures = facts.entry ? facts.entry->failures : 0;
  const ReconcileRecord* last = facts.reconciles.empty() ? nullptr : facts.reconciles.front().get();
  const bool has_error = last != nullptr && last->outcome == "error";
  if (has_error || !facts.last_error.empty()) {
    return "The last reconcile failed" + in_row(failures) + ": " + (has_error ? last->error : facts.last_error);
  }
  if (last != nullptr || failures == 0) return {};
  return "The last reconciles failed or were to be repeated" + in_row(failures) +
         "; their errors are no longer kept, so look in the log.";
}

}  // namespace

std::string next_of(const ObjectFacts& facts, const Moment& moment) {
  if (!facts.reconciles_here) {
    return "Nothing happens on this instance, because " +
           (facts.leader.empty() ? "it does not have the lease." : "the leader is " + facts.leader + ".");
  }
  if (facts.is_paused) return "Nothing happens until the annotation " + facts.annotation + " is removed.";
  if (facts.entry) return next_in_queue(facts, moment);
  if (!facts.object) return "Nothing happens, because the cache does not have the object.";
  return "Nothing happens until the object, its children or another watched object changes.";
}

std::string why_of(const ObjectFacts& facts) {
  if (!facts.object) return "The cache does not have the object.";
  if (facts.is_paused) return "It is paused by the annotation " + facts.annotation + ".";
  if (std::string failure = failure_of(facts); !failure.empty()) return failure;
  for (const ObjectFacts::Child& child : facts.children) {
    if (child.readiness.state != Readiness::State::not_ready) continue;
    return "Its child " + child.object.describe() + " is not ready" + with_reason(child.readiness);
  }
  if (facts.object.is_deleting()) {
    const std::string others = others_among(facts.object, facts.own_finalizer);
    if (!others.empty()) return "Its deletion waits for finalizers of others: " + others;
    if (!facts.object.finalizers().empty()) return "Its deletion waits for the finalizer of this controller.";
  }
  const Readiness own = readiness_of(facts.object);
  if (own.state == Readiness::State::not_ready) return "Its status contains that it is not ready" + with_reason(own);
  if (facts.reconciles_here) return {};
  return "This instance does not reconcile it, so it cannot determine whether its reconciles fail; the leader can" +
         (facts.leader.empty() ? "." : ": " + facts.leader + ".");
}

}  // namespace pintle
