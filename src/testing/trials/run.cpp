// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "plausible.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration quiet_time = 30s;
constexpr Duration longest_silence = 7min;  // until an operator notices that a watch is silent, and lists again
constexpr Duration longest_pause = 20min;   // between two attempts, after an hour of failures
constexpr const char* crds = "customresourcedefinitions.apiextensions.k8s.io";

GroupVersionKind kind_of(const json::Value& object) { return Object(object).group_version_kind(); }
ObjectKey key_of(const json::Value& object) { return Object(object).key(); }

// A copy of a child without an owner.
json::Value stranger_like(const Object& child) {
  json::Value value = child.to_value();
  value.as_object().erase("status");
  json::object metadata{{"name", std::string(child.name()) + "-x"}};
  if (!child.namespace_().empty()) metadata["namespace"] = child.namespace_();
  if (child.labels().is_object()) metadata["labels"] = child.labels().to_value();
  value.as_object()["metadata"] = std::move(metadata);
  return value;
}

bool is_lease(const http::Request& request) { return request.target.find("/leases") != std::string::npos; }

SimulationOptions options_of(std::uint64_t seed, Scheduling scheduling, std::unique_ptr<Journal>& journal,
                             const std::function<void()>& let_time_pass) {
  return {
      .seed = seed,
      .on_missing_permission = [&journal](const std::string& what) { journal->violate(Oracle::roles_suffice, what); },
      .scheduling = std::move(scheduling),
      .on_request =
          [&journal, let_time_pass](int instance, const http::Request& request, const http::Response& response) {
            journal->record(instance, request, response);
            if (journal->is_in_a_loop()) let_time_pass();
          }};
}

}  // namespace

Run::Run(std::uint64_t seed, Scheduling scheduling, const SimulateOptions& options, const SubjectSetup& setup,
         const Survey* survey)
    : options_(options),
      survey_(survey),
      simulation_(options_of(seed, std::move(scheduling), journal_, [this] { simulation_.executor().sleep_for(1s); })),
      subject_(simulation_) {
  subject_.manager.name = options.name;
  subject_.manager.log_level = LogLevel::off;
  setup(subject_);
  journal_ = std::make_unique<Journal>(simulation_.executor(), subject_.manager.leader_election.has_value());
}

Run::~Run() {
  for (Slot& slot : slots_) slot.instance.reset();
}

RunResult Run::execute(const std::vector<const Event*>& events, bool with_faults) {
  RunResult result;
  if (!subject_.add_controllers) {
    result.violations.emplace(Oracle::runs,
                              "Subject::add_controllers is missing; set it to the function that adds them");
    return result;
  }
  if (subject_.instances > 1 && !subject_.manager.leader_election) {
    result.violations.emplace(Oracle::runs, "Subject::instances is more than one; set manager.leader_election too");
    return result;
  }
  prepare();
  if (start_all()) {
    for (const Event* event : events) {
      if (event->at < Duration::zero() && with_faults) begin(*event);
    }
    create_objects();
    live_through(events, with_faults);
    result.state = final_state(simulation_.server(), compared(), journal_->surroundings());
    result.specs = specs();
    if (survey_ == nullptr) {
      result.survey = surveyed();
      result.survey.specs = result.specs;
      result.survey.state = result.state;
    }
    if (with_faults || survey_ == nullptr) {
      check_idle();
      tear_down();
    }
  }
  for (Slot& slot : slots_) slot.instance->stop();
  result.violations = journal_->violations();
  result.faults = injected_;
  result.timeline = journal_->timeline();
  result.trace_hash = simulation_.executor().trace_hash();
  result.alternatives = simulation_.executor().alternatives();
  return result;
}

void Run::prepare() {
  for (const json::Value& object : subject_.surroundings) {
    if (const auto created = user().create(object); !created) {
      journal_->violate(Oracle::runs, "the surroundings cannot be created: " + created.error().to_string());
    } else if (const auto resource = user().resource(created->group_version_kind())) {
      journal_->protect({.resource = resource->to_string(), .key = created->key()});
      strangers_.emplace_back(resource->to_string(), *created);
    }
  }
  for (std::size_t i = 0; i < std::max<std::size_t>(1, subject_.instances); ++i) {
    slots_.push_back({.instance = std::make_unique<Instance>(simulation_, subject_.manager, subject_.add_controllers)});
  }
}

bool Run::start_all() {
  for (Slot& slot : slots_) slot.instance->start();
  const bool is_ready = simulation_.wait_until([&] {
    return std::ranges::all_of(
        slots_, [](const Slot& slot) { return slot.instance->has_ended() || slot.instance->manager().is_ready(); });
  });
  for (Slot& slot : slots_) {
    if (slot.instance->has_ended()) {
      const auto& started = slot.instance->started();
      journal_->violate(Oracle::runs,
                        "the operator does not start: " + (started ? "it ended" : started.error().to_string()));
      return false;
    }
  }
  if (!is_ready) journal_->violate(Oracle::runs, "the operator is not ready after 10 minutes");
  user_version_ = simulation_.server().resource_version();
  return is_ready;
}

void Run::create_objects() {
  objects_ = survey_ != nullptr ? survey_->objects : subject_.objects;
  if (objects_.empty()) objects_ = plausible_objects(simulation_.server().objects(crds));
  if (survey_ != nullptr) {
    std::set<GroupVersionKind> seen;
    for (const Object& child : survey_->children) {
      if (!seen.insert(child.group_version_kind()).second) continue;
      const auto stranger = user().create(stranger_like(child));
      if (!stranger) continue;  // the kind may allow only one
      const auto resource = user().resource(child.group_version_kind());
      if (!resource) continue;
      journal_->protect({.resource = resource->to_string(), .key = stranger->key()});
      strangers_.emplace_back(resource->to_string(), *stranger);
    }
  }
  journal_->begin();
  for (const json::Value& object : objects_) {
    journal_->note("user", "creates " + Object(object).describe());
    const auto created = user().create(object);
    if (!created) journal_->violate(Oracle::runs, "an object cannot be created: " + created.error().to_string());
  }
  user_version_ = simulation_.server().resource_version();
}

void Run::live_through(const std::vector<const Event*>& events, bool with_faults) {
  const Instant began = simulation_.executor().now();
  std::vector<const Event*> outages;
  for (const Event* event : events) {
    if (event->is_outage) {
      outages.push_back(event);
      continue;
    }
    if (event->at < Duration::zero() || (!event->is_edit() && !with_faults)) continue;
    pass_time(began + event->at - simulation_.executor().now());
    begin(*event);
  }
  pass_time(began + options_.active - simulation_.executor().now());
  end_faults();
  if (!wait_until_idle()) {
    journal_->violate(Oracle::becomes_idle, fmt::format("the operator still writes {} after the last edit and fault",
                                                        format_duration(options_.idle_limit)));
    return;
  }
  for (const Event* outage : outages) live_through(*outage, with_faults);
  check_result();
}

void Run::begin(const Event& event) {
  if (!event.is_edit()) {
    journal_->note("fault", event.what);
    ++injected_[event.kind];
  }
  event.act(*this);
}

void Run::pass_time(Duration time) {
  const Instant end = after(simulation_.executor().now(), time);
  while (true) {
    supervise();
    while (!actions_.empty() && actions_.begin()->first <= simulation_.executor().now()) {
      auto action = actions_.extract(actions_.begin());
      action.mapped()();
    }
    const Instant now = simulation_.executor().now();
    if (now >= end) return;
    Instant next = std::min(end, after(now, 1s));
    if (!actions_.empty()) next = std::min(next, std::max(now, actions_.begin()->first));
    simulation_.executor().sleep_until(next);
  }
}

// Starts processes again that have crashed or ended, as the kubelet does.
void Run::supervise() {
  for (Slot& slot : slots_) {
    if (slot.is_down) continue;
    const bool has_crashed = slot.instance->transport().is_crashed();
    if (!has_crashed && !slot.instance->has_ended()) continue;
    if (has_crashed) {
      slot.instance->crash();
    } else {
      journal_->note("operator", "ends by itself");
      slot.instance->stop();
    }
    slot.is_down = true;
    later(slot.pause, [this, &slot] { bring_up(slot); });
  }
}

void Run::bring_up(Slot& slot) {
  if (!slot.is_down) return;
  slot.is_down = false;
  slot.instance->start();
  journal_->note("operator", "starts");
  apply_faults(slot);
}

void Run::apply_faults(Slot& slot) {
  if (slot.is_down) return;
  http::FaultPlan plan;
  for (const auto& [number, fault] : slot.faults) plan.push_back(fault);
  slot.instance->transport().set_faults(std::move(plan));
}

void Run::inject(std::size_t instance, const http::Fault& fault, Duration time) {
  Slot& slot = slots_.at(instance);
  const std::uint64_t number = next_fault_++;
  slot.faults.emplace(number, fault);
  apply_faults(slot);
  later(time, [this, &slot, number] {
    if (slot.faults.erase(number) != 0) apply_faults(slot);
  });
}

void Run::inject(ServerFault fault, Duration time) {
  const std::uint64_t number = next_fault_++;
  server_faults_.emplace_back(number, std::move(fault));
  const auto apply = [this] {
    ServerFaults all;
    for (const auto& [known, rule] : server_faults_) all.rules.push_back(rule);
    simulation_.server().set_faults(std::move(all));
  };
  apply();
  needs_patience_ = true;
  later(time, [this, number, apply] {
    if (std::erase_if(server_faults_, [&](const auto& one) { return one.first == number; }) != 0) apply();
  });
}

void Run::crash(std::size_t instance, std::uint64_t writes, bool after_commit, Duration time, Duration pause) {
  Slot& slot = slots_.at(instance);
  slot.pause = pause;
  if (slot.is_down) return;
  inject(instance,
         {.effect = http::Crash{.after_commit = after_commit},
          .only = [](const http::Request& request) { return http::is_write(request) && !is_lease(request); },
          .first = writes,
          .times = 1},
         time);
  later(time, [this, &slot, started = &slot.instance->transport()] {
    // The operator has not written so much: it crashes now.
    if (slot.is_down || &slot.instance->transport() != started) return;
    slot.instance->crash();
    slot.is_down = true;
    later(slot.pause, [this, &slot] { bring_up(slot); });
  });
}

void Run::restart(std::size_t instance, Duration pause) {
  Slot& slot = slots_.at(instance);
  if (slot.is_down) return;
  slot.instance->stop();
  slot.is_down = true;
  later(pause, [this, &slot] { bring_up(slot); });
}

void Run::rewind(std::uint64_t versions) {
  const std::uint64_t now = simulation_.server().resource_version();
  const std::uint64_t to = now - std::min(versions, now);
  needs_patience_ = true;
  if (to <= user_version_) return;
  (void)simulation_.server().rewind(to);
}

void Run::fail_outside(bool fails) {
  constexpr std::size_t always = 1'000'000;
  for (CallRecorder* outside : subject_.outside) {
    outside->succeed();
    if (fails) outside->fail_next(make_error(ErrorCode::unavailable, "the trial lets this call fail"), always);
  }
}

void Run::later(Duration delay, std::function<void()> action) {
  actions_.emplace(after(simulation_.executor().now(), delay), std::move(action));
}

void Run::wait_until_gone(const GroupVersionKind& kind, const ObjectKey& key) {
  for (int attempt = 0; attempt < 120; ++attempt) {
    const auto found = user().get(kind, key);
    if (!found) return;
    pass_time(500ms);
  }
}

void Run::edit(const std::string& what, const std::function<Result<void>(Client& user)>& act) {
  journal_->note("user", what);
  const auto done = act(user());
  if (!done) journal_->note("user", "gets the error " + done.error().to_string());
  user_version_ = simulation_.server().resource_version();
}

void Run::end_faults() {
  actions_.clear();
  server_faults_.clear();
  simulation_.server().set_faults({});
  for (CallRecorder* outside : subject_.outside) outside->succeed();
  for (Slot& slot : slots_) {
    slot.faults.clear();
    if (!slot.is_down && slot.instance->transport().is_crashed()) {
      slot.instance->crash();
      slot.is_down = true;
    }
    slot.is_down ? bring_up(slot) : apply_faults(slot);
    slot.pause = 2s;
  }
  journal_->note("trial", "no more edits and faults");
  pass_time(std::exchange(needs_patience_, false) ? std::max(longest_silence, options_.patience) : options_.patience);
}

bool Run::wait_until_idle() {
  const Instant limit = after(simulation_.executor().now(), options_.idle_limit);
  while (simulation_.executor().now() < limit) {
    const std::uint64_t before = journal_->counts().writes;
    pass_time(quiet_time);
    // A renewal of the Lease keeps the server busy for a moment.
    for (int attempt = 0; attempt < 10 && !simulation_.server().is_idle(); ++attempt) pass_time(97ms);
    if (journal_->counts().writes == before && simulation_.server().is_idle()) return true;
  }
  return false;
}

std::uint64_t Run::outside_calls() const {
  std::uint64_t calls = 0;
  for (const CallRecorder* outside : subject_.outside) calls += outside->size();
  return calls;
}

void Run::live_through(const Event& outage, bool with_faults) {
  if (!with_faults) {
    outage.edit(*this);
    (void)wait_until_idle();
    return;
  }
  // An idle operator may send requests too.
  const std::uint64_t requests = journal_->counts().requests;
  pass_time(5min);
  idle_requests_ = 12 * (journal_->counts().requests - requests);
  journal_->note("fault", outage.what + " for an hour");
  ++injected_[outage.kind];
  const std::uint64_t outside_before = outside_calls();
  outage.act(*this);
  outage.edit(*this);
  // The first minutes may have more retries than the rest.
  pass_time(5min);
  const Journal::Counts before = journal_->counts();
  for (int minute = 0; minute < 55 && !journal_->violations().contains(Oracle::bounded_work); ++minute) {
    pass_time(1min);
    if (journal_->counts().failed_writes != before.failed_writes || outside_calls() != outside_before) {
      check_work(before, outside_before);
    }
  }
  if (journal_->counts().failed_writes == before.failed_writes && outside_calls() == outside_before) {
    end_faults();  // the edit needed nothing that fails
  } else {
    check_honesty();
    end_faults();
  }
  pass_time(longest_pause);
  if (!wait_until_idle()) journal_->violate(Oracle::becomes_idle, "the operator still writes an hour after an outage");
}

void Run::check_work(const Journal::Counts& before, std::uint64_t outside_before) {
  const Journal::Counts& now = journal_->counts();
  const std::uint64_t objects = std::max<std::size_t>(1, objects_.size());
  const auto check = [&](std::uint64_t count, std::uint64_t limit, const char* what) {
    if (!applies(Oracle::bounded_work) || count <= limit * objects) return;
    journal_->violate(Oracle::bounded_work,
                      fmt::format("{} {} in less than an hour of an outage; the limit is {} for each of {} objects",
                                  count, what, limit, objects));
  };
  const std::uint64_t requests = now.requests - before.requests;
  check(requests - std::min(requests, idle_requests_), options_.max_requests_an_hour, "requests");
  check(now.events - before.events, options_.max_events_an_hour, "writes of Events");
  check(outside_calls() - outside_before, options_.max_outside_calls_an_hour, "outside calls");
}

// At the end of an outage, in which the reconciles of the first object fail.
void Run::check_honesty() {
  for (const Object& object : primaries()) {
    for (const json::View condition : object["/status/conditions"].elements()) {
      if (condition.member("type") != "Ready" || condition.member("status") != "True") continue;
      const auto observed =
          condition.member("observedGeneration")
              .as_integer()
              .value_or(object["/status/observedGeneration"].as_integer().value_or(object.generation()));
      if (observed < object.generation()) continue;
      // Only the first object is edited during the outage.
      if (object.key() != key_of(objects_.front())) continue;
      journal_->violate(Oracle::honest_status, object.describe() + " is Ready for generation " +
                                                   std::to_string(observed) + " while its reconciles fail");
    }
  }
}

// A worker catches the exception of a reconcile, and counts it.
void Run::check_exceptions(const Slot& slot) {
  const std::string metrics = slot.instance->manager().metrics().text();
  constexpr std::string_view name = "controller_runtime_reconcile_panics_total{";
  for (std::size_t at = metrics.find(name); at != std::string::npos; at = metrics.find(name, at + 1)) {
    const std::string line = metrics.substr(at, metrics.find('\n', at) - at);
    if (!line.ends_with(" 0")) journal_->violate(Oracle::runs, "a reconcile threw an exception: " + line);
  }
}

// A deletion of a collection does not name the objects.
void Run::check_strangers() {
  for (const auto& [resource, stranger] : strangers_) {
    const auto stored = simulation_.server().objects(resource);
    const auto is_same = [of = &stranger](const Object& one) {
      return one.uid() == of->uid() && one.resource_version() == of->resource_version();
    };
    if (std::ranges::any_of(stored, is_same)) continue;
    journal_->violate(Oracle::nothing_foreign,
                      stranger.describe() + ", which the operator did not create, has changed");
  }
}

void Run::check_result() {
  check_strangers();
  for (const Slot& slot : slots_) check_exceptions(slot);
  for (const Object& object : primaries()) {
    auto observed = object["/status/observedGeneration"].as_integer();
    if (!observed && has_observed_generation(object)) observed = 0;
    if (observed && *observed != object.generation()) {
      journal_->violate(Oracle::status_is_current, fmt::format("{} has generation {}, and its status observed {}",
                                                               object.describe(), object.generation(), *observed));
    }
  }
  for (const Invariant& invariant : subject_.invariants) {
    if (const auto holds = invariant.check(user()); !holds) {
      journal_->violate(Oracle::invariants, invariant.name + ": " + holds.error().to_string());
    }
  }
}

// The versions of all objects that the operator reconciles or has written.
std::map<StoredKey, std::string> Run::versions() {
  std::map<StoredKey, std::string> all;
  for (const std::string& resource : compared()) {
    for (const Object& object : simulation_.server().objects(resource)) {
      all.emplace(StoredKey{.resource = resource, .key = object.key()}, object.resource_version());
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
  for (Slot& slot : slots_) {
    slot.instance->stop();
    slot.instance->start();
  }
  pass_time(2min);
  const auto now = versions();
  for (const auto& [key, version] : now) {
    const auto found = before.find(key);
    if (found != before.end() && found->second == version) continue;
    journal_->violate(Oracle::stays_idle, key.to_string() + (found == before.end() ? " is created" : " is changed") +
                                              " after a start in which nothing had changed");
  }
  if (now.size() < before.size()) journal_->violate(Oracle::stays_idle, "an object is deleted after a start");

  const std::uint64_t writes = journal_->counts().writes;
  journal_->note("user", "sets an annotation of each object that means nothing");
  const json::Value poke{{"metadata", {{"annotations", {{"example.com/poke", "1"}}}}}};
  for (const json::Value& object : objects_) {
    (void)user().patch(kind_of(object), key_of(object), poke);
  }
  pass_time(quiet_time);
  if (journal_->counts().writes != writes) {
    journal_->violate(Oracle::stays_idle, fmt::format("{} writes in reconciles that had nothing to do",
                                                      journal_->counts().writes - writes));
  }
}

void Run::tear_down() {
  for (const json::Value& object : objects_) {
    journal_->note("user", "deletes " + Object(object).describe());
    (void)user().remove(kind_of(object), key_of(object));
  }
  if (!wait_until_idle()) {
    journal_->violate(Oracle::becomes_idle, "the operator still writes an hour after its objects were deleted");
    return;
  }
  check_strangers();
  for (const Object& object : primaries()) {
    journal_->violate(Oracle::nothing_left,
                      object.describe() + " is still there, with the finalizers " + object.finalizers().print());
  }
  for (const StoredKey& key : journal_->created()) {
    const auto stored = simulation_.server().objects(key.resource);
    if (std::ranges::none_of(stored, [&](const Object& one) { return one.key() == key.key; })) continue;
    journal_->violate(Oracle::nothing_left, key.to_string() + " is left, which the operator created");
  }
}

std::vector<Object> Run::primaries() {
  std::vector<Object> found;
  for (const json::Value& object : objects_) {
    if (auto stored = user().get(kind_of(object), key_of(object))) found.push_back(std::move(*stored));
  }
  return found;
}

std::string Run::specs() {
  std::string text;
  const std::vector<Object> found = primaries();
  if (found.size() < objects_.size()) return text;
  for (const Object& object : found) text += object["/spec"].print() + "\n";
  return text;
}

std::set<std::string> Run::compared() {
  std::set<std::string> resources = journal_->written();
  for (const json::Value& object : objects_) {
    if (const auto resource = simulation_.user().resource(kind_of(object))) resources.insert(resource->to_string());
  }
  return resources;
}

// Whether the schema of the kind has status.observedGeneration.
bool Run::has_observed_generation(const Object& object) const {
  if (survey_ == nullptr) return false;
  const auto schema = survey_->schemas.find(object.group_version_kind());
  return schema != survey_->schemas.end() &&
         json::find(schema->second, "/properties/status/properties/observedGeneration") != nullptr;
}

Survey Run::surveyed() {
  Survey survey{.objects = objects_,
                .client = subject_.manager.name,
                .outside = subject_.outside.size(),
                .instances = slots_.size(),
                .has_election = subject_.manager.leader_election.has_value()};
  for (const Object& crd : simulation_.server().objects(crds)) {
    for (const json::View version : crd["/spec/versions"].elements()) {
      const GroupVersionKind kind(
          std::string(crd["/spec/group"].text()) + "/" + std::string(version.member("name").text()),
          crd["/spec/names/kind"].text());
      survey.schemas.emplace(kind, version["/schema/openAPIV3Schema"].to_value());
    }
  }
  for (const StoredKey& key : journal_->created()) {
    for (const Object& object : simulation_.server().objects(key.resource)) {
      if (object.key() != key.key) continue;
      survey.children.push_back(object);
      survey.resources.insert(key.resource);
    }
  }
  return survey;
}

}  // namespace pintle::testkit
