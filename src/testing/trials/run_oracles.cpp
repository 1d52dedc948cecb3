// SPDX-License-Identifier: Apache-2.0
// The oracles of a run that look at the cluster. Those that look at requests are in journal.cpp.
#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "run.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration rest = 30s;  // in which a reconcile that has something to write does so

}  // namespace

// At a time at which a reconcile that failed has been repeated, if it can succeed. `since`: an earlier failure may have
// had another cause. `is_first_blocked`: the first object cannot reach its spec, whatever its reconciles return.
void Run::check_honesty(Instant since, bool is_first_blocked) {
  for (const Object& object : primaries()) {
    const bool is_blocked = is_first_blocked && object.key() == Object(objects_.front()).key();
    const auto failing = journal_->failing(object.group_version_kind(), object.key(), since);
    if ((!failing && !is_blocked) || object.is_deleting()) continue;
    for (const json::View condition : object["/status/conditions"].elements()) {
      if (condition.member("type") != "Ready" || condition.member("status") != "True") continue;
      const auto observed =
          condition.member("observedGeneration")
              .as_integer()
              .value_or(object["/status/observedGeneration"].as_integer().value_or(object.generation()));
      if (observed < object.generation()) continue;
      journal_->violate(Oracle::honest_status,
                        fmt::format("{} is Ready for generation {} while its reconciles fail{}", object.describe(),
                                    observed, failing ? ": " + failing->message : ""));
    }
  }
}

// Whether an object that was created with this uid exists and is not being deleted.
bool Run::is_there(const StoredObject& object) {
  return std::ranges::any_of(simulation_.server().objects(object.resource),
                             [&](const Object& one) { return one.uid() == object.object.uid() && !one.is_deleting(); });
}

// A deletion of a collection does not name the objects. The journal judges all other writes; the server and users may
// change the objects too.
void Run::check_strangers() {
  for (const StoredObject& stranger : strangers_) {
    if (is_there(stranger)) continue;
    journal_->violate(Oracle::nothing_foreign,
                      stranger.object.describe() + ", which the operator did not create, was deleted");
  }
}

void Run::check_result() {
  check_strangers();
  check_marks();
  fleet_->check_exceptions();
  check_honesty(faults_ended_, false);
  for (const Object& object : primaries()) {
    auto observed = object["/status/observedGeneration"].as_integer();
    if (!observed && has_observed_generation(object)) observed = 0;
    if (observed && *observed != object.generation()) {
      journal_->violate(Oracle::status_is_current, fmt::format("{} has generation {}, and its status observed {}",
                                                               object.describe(), object.generation(), *observed));
    }
  }
  check_invariants(false);
}

// When the objects are deleted, an invariant that needs an object does not apply.
void Run::check_invariants(bool are_deleted) {
  for (const Invariant& invariant : subject_.invariants) {
    if (are_deleted && invariant.needs_objects) continue;
    const auto holds = invariant.check(user());
    if (holds || (are_deleted && holds.error().code == ErrorCode::not_found)) continue;
    journal_->violate(Oracle::invariants, invariant.name + ": " + holds.error().to_string() +
                                              (are_deleted ? " (after its objects were deleted)" : ""));
  }
}

// The versions of all objects that the operator reconciles or has written.
std::map<StoredKey, std::string> Run::versions() {
  std::map<StoredKey, std::string> all;
  for (const std::string& resource : compared()) {
    for (const Object& object : simulation_.server().objects(resource)) {
      StoredKey key{.resource = resource, .key = object.key()};
      if (!journal_->is_exempt(key)) all.emplace(std::move(key), object.resource_version());
    }
  }
  return all;
}

// A new process may repeat a write, because it cannot determine whether it was made, but nothing changes by it. Another
// reconcile in the same process writes nothing.
void Run::check_idle() {
  if (journal_->violations().contains(Oracle::becomes_idle)) return;
  const auto before = versions();
  journal_->note("trial", "starts the operator again");
  fleet_->start_again();
  fleet_->pass_time(2min);
  const auto now = versions();
  for (const auto& [key, version] : now) {
    const auto found = before.find(key);
    if (found != before.end() && found->second == version) continue;
    journal_->violate(Oracle::stays_idle, key.to_string() + (found == before.end() ? " is created" : " is changed") +
                                              " after a start in which nothing had changed");
  }
  if (now.size() < before.size()) journal_->violate(Oracle::stays_idle, "an object is deleted after a start");

  const Journal::Counts first = journal_->counts();
  journal_->note("user", "sets an annotation of each object that means nothing");
  const json::Value poke{{"metadata", {{"annotations", {{"example.com/poke", "1"}}}}}};
  const std::string specs_before = specs();
  for (const json::Value& object : objects_) {
    (void)user().patch(Object(object).group_version_kind(), Object(object).key(), poke);
  }
  if (has_webhooks() && specs() != specs_before) {
    journal_->violate(
        Oracle::stays_idle,
        "an annotation changes a spec: a webhook that gets an object as it has returned it changes it again");
  }
  fleet_->pass_time(rest);
  if (journal_->counts().writes != first.writes) {
    journal_->violate(Oracle::stays_idle,
                      fmt::format("{} writes in reconciles that had nothing to do{}",
                                  journal_->counts().writes - first.writes, journal_->failures_since(first)));
  }
}

void Run::check_nothing_left() {
  check_strangers();
  std::vector<Object> deleted = primaries();
  for (const StoredObject& added : added_) {
    if (auto stored = user().get(added.object.group_version_kind(), added.object.key())) {
      deleted.push_back(std::move(*stored));
    }
  }
  for (const Object& object : deleted) {
    journal_->violate(Oracle::nothing_left,
                      object.describe() + " is still there, with the finalizers " + object.finalizers().print());
  }
  for (const StoredKey& key : journal_->created()) {
    const auto stored = simulation_.server().objects(key.resource);
    if (std::ranges::none_of(stored, [&](const Object& one) { return one.key() == key.key; })) continue;
    journal_->violate(Oracle::nothing_left, key.to_string() + " is left, which the operator created");
  }
}

// Whether the schema of the kind has status.observedGeneration.
bool Run::has_observed_generation(const Object& object) const {
  if (survey_ == nullptr) return false;
  const auto schema = survey_->schemas.find(object.group_version_kind());
  return schema != survey_->schemas.end() &&
         json::find(schema->second, "/properties/status/properties/observedGeneration") != nullptr;
}

}  // namespace pintle::testkit
