// SPDX-License-Identifier: Apache-2.0
// simulate(): runs an operator in many simulated clusters, each with other edits, faults and interleavings, and judges
// every run.
//
//   TEST(Shelf, SurvivesEveryFault) {
//     const auto set_up = [](pintle::testkit::Subject& subject) { subject.add_controllers = add_controllers; };
//     EXPECT_TRUE(pintle::testkit::simulate({.name = "shelf", .seeds = 200}, set_up));
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/sim/exploration.hpp>
#include <pintle/testing/call_recorder.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {

/// The rules by which a trial is judged, without the help of the author of the operator. If a trial violates several,
/// the report names the first one in this order.
enum class Oracle {
  runs,  ///< the manager starts, no reconcile throws, and the process does not end by a deadlock or a signal
  /// Objects that the operator did not create are not changed or deleted, and labels, annotations and finalizers that
  /// another program has set on its objects stay.
  nothing_foreign,
  /// With leader election, only the holder of an unexpired Lease writes: its last renewal and the write are judged at
  /// the times at which the instance sends them.
  lease_held,
  /// A controller never has two reconciles of one key at the same time, and two instances never make the same outside
  /// call for one key at the same time. Controllers with Leadership::every_instance may reconcile a key in several
  /// instances at the same time.
  one_worker,
  no_blind_retry,  ///< after a conflict, the same content is not sent again with a newer resourceVersion
  /// No write of the operator contains a part that the server drops without an error: an unknown field, a change of the
  /// status in a write of the object itself, or another change in a write of the subresource status. A dropped change
  /// that a later request makes does not count.
  nothing_dropped,
  roles_suffice,  ///< the roles of --print-rbac allow every request
  bounded_work,   ///< while requests or outside calls fail for an hour, the work is bounded
  honest_status,  ///< the condition Ready is not True for a generation whose last reconcile has failed
  becomes_idle,   ///< after the last edit and the last fault, the operator stops writing
  same_state,     ///< the final objects are those of a run with the same edits and without faults
  invariants,     ///< Subject::invariants hold at the end
  /// If the specs have their first values again at the end, all objects have the state of a run without edits. Not
  /// judged in a trial with one of Subject::edits, unless it has Edit::changes_specs_only.
  returns,
  /// The final objects are those of an operator that gets the objects with their final specs at once. Judged in every
  /// eighth trial, if specs have changed, under the condition of `returns`, and only if Oracle::same_state applies.
  matches_spec,
  stays_idle,         ///< a restart and a further reconcile change nothing
  nothing_left,       ///< after the objects are deleted, none that the operator created is left or is stuck
  status_is_current,  ///< status.observedGeneration reaches metadata.generation
};
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(Oracle oracle) noexcept;
[[nodiscard]] PINTLE_EXPORT std::vector<Oracle> all_oracles();

/// The classes of faults.
enum class FaultClass {
  /// The process ends before or after a write, and starts again. Every fifth trial has no other fault: each of these
  /// trials ends the process before or after a different one of the writes that the objects cause. With
  /// Subject::random_edits, the first object is also deleted and created again.
  crash,
  restart,      ///< the process is stopped and starts again
  freeze,       ///< the process gets no processor for a while, also for longer than its Lease lasts, and then goes on
  stale_reads,  ///< lists and watches of the operator come from a replica that lags behind, also after a restart
  lost_events,  ///< watches end, stall, repeat events, or go silent; the history is compacted; a backup is restored
  protocol,     ///< error responses, lost requests and responses, delays, conflicts
  election,     ///< requests for the Lease fail for a while
  clock,        ///< the wall clock jumps
  outside,      ///< calls of Subject::outside fail, take long, lose their response, or arrive twice
  webhooks,     ///< calls of the operator's webhooks are slow, fail, get 500, lose their response, or get a wrong one
};
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(FaultClass fault) noexcept;
/// The class of a key of SimulationReport::faults. Nothing for "deleted-child" and "foreign-metadata", which are edits
/// of a user and of another program.
[[nodiscard]] PINTLE_EXPORT std::optional<FaultClass> class_of_fault(std::string_view kind) noexcept;

/// A change that a user makes.
struct Edit {
  Duration at{};       ///< since the objects of the subject were created
  std::string what{};  ///< for the timeline: "scale web to 3"
  /// Errors that the server returns are part of the trial: they are shown in the timeline. If a webhook that fails has
  /// refused the edit, the user calls the function again after a second, for at most five minutes.
  std::function<Result<void>(Client& user)> act{};
  /// Set it to true if `act` changes only the specs of the objects of the trial; Oracle::returns and
  /// Oracle::matches_spec are then judged.
  bool changes_specs_only = false;
};

/// A condition that must hold when the operator is idle: after the last edit and fault, and again after the objects
/// were deleted.
struct Invariant {
  std::string name{};
  /// After the deletion of the objects, the error not_found means that the condition does not apply.
  std::function<Result<void>(Client& user)> check{};
  bool needs_objects = false;  ///< is not checked after their deletion
};

/// The operator of one trial and its cluster. simulate() calls the setup function for each trial, which sets the
/// members. Objects that the functions use, such as fakes of outside systems, must be made in the setup function and be
/// owned by the functions (std::shared_ptr), because each trial needs its own.
struct Subject {
  explicit Subject(Simulation& of) : simulation(of) {}

  /// The simulation of the trial; use its executor, and add further clusters to it. Only the home cluster has faults
  /// and is compared.
  Simulation& simulation;
  ManagerOptions manager{};
  /// Does the work of main() between the construction and the start of the manager.
  std::function<void(Manager&)> add_controllers{};
  /// Replaces `manager` and `add_controllers`: main() of the operator, as for Instance. `adjust` changes the options
  /// that it gives to its manager; without it, further clusters of the manager are empty simulated clusters.
  std::function<int()> program{};
  std::function<void(ManagerOptions&)> adjust{};
  /// The number of processes. 0: one without ManagerOptions::leader_election; with it two, and three in a quarter of
  /// the trials. More than one process requires leader election.
  std::size_t instances = 0;
  /// Created before the operator starts, in this order; a CustomResourceDefinition is served before the next object is
  /// created. The operator must not change them. Users and the server may.
  std::vector<json::Value> surroundings{};
  /// The objects that the operator reconciles, created when it is ready. Default: two random objects of each kind whose
  /// CRD the operator installs. Without objects and edits, the trial fails.
  std::vector<json::Value> objects{};
  std::vector<Edit> edits{};
  /// Also changes fields of the spec of `objects` to other values that its schema allows, and back; deletes objects and
  /// creates them again; deletes children; and lets another program set metadata of objects and children.
  bool random_edits = true;
  std::vector<Invariant> invariants{};
  /// JSON pointers to values that a system outside the cluster assigns, such as "/status/ticket", in any object. Runs
  /// may differ in them: only whether they exist is compared.
  std::vector<std::string> assigned{};
  /// The calls of the operator to systems outside the cluster, which the trial makes fail. They must live as long as
  /// the subject, for example owned by `add_controllers`.
  std::vector<CallRecorder*> outside{};
};
using SubjectSetup = std::function<void(Subject& subject)>;

struct SimulateOptions {
  std::string name = "operator";  ///< of this simulation, unique in the program: a replay names it
  std::uint64_t seeds = 100;      ///< each seed is one trial
  std::uint64_t first_seed = 1;
  std::size_t processes = 0;  ///< that run trials at the same time, at most 256; 0: one for each processor
  std::size_t max_edits = 3;  ///< random ones, of one trial
  std::size_t max_faults = 3;
  Duration active = std::chrono::minutes(2);  ///< virtual time of the edits and faults
  Duration max_time_to_idle = std::chrono::hours(1);
  Duration max_trial_time = std::chrono::minutes(2);  ///< real time of one trial; 0: unlimited
  /// The time after which the operator has reacted to every change; for an operator that polls, the longest delay
  /// between its reconciles.
  Duration patience = std::chrono::minutes(3);
  /// Classes that do not apply to the operator are left out. If none of them applies, that is a failure.
  std::set<FaultClass> faults{
      FaultClass::crash,    FaultClass::restart,  FaultClass::freeze, FaultClass::stale_reads, FaultClass::lost_events,
      FaultClass::protocol, FaultClass::election, FaultClass::clock,  FaultClass::outside,     FaultClass::webhooks};
  /// The oracles that do not apply to the operator, each with the reason, which the report shows.
  std::map<Oracle, std::string> without{};
  /// Limits of Oracle::bounded_work in an hour, for each object that the operator reconciles. Requests that it also
  /// sends when it is idle, and those for its Lease, do not count. `max_requests_an_hour` also limits the reconciles
  /// that the operator begins. While the operator has nothing to write, the limits of requests and reconciles are ten
  /// times as high.
  std::uint64_t max_requests_an_hour = 600;
  std::uint64_t max_events_an_hour = 60;
  std::uint64_t max_outside_calls_an_hour = 240;
  bool shrink = true;  ///< repeats the first failing trial with fewer events, until each is necessary
  /// Instead of random trials: runs all schedules of this bound, with the edits of the subject and without faults,
  /// those with fewer deviations first. The parts of the bound are ignored. `active` should be short.
  std::optional<ExplorationBound> exhaustive{};
  std::function<void()> on_trial{};  ///< called after each trial, for a progress line
  /// The threads of a simulation are fibers, which takes much less time; see FiberStacks. Set it to false for an
  /// operator with a `thread_local` variable that must keep its value while the operator waits.
  bool fibers = true;
  /// Called several times a second. If it returns true, the trials end with a report of those so far.
  std::function<bool()> is_interrupted{};
};

struct SimulationFailure {
  std::uint64_t seed = 0;
  Oracle oracle{};
  std::string message{};
  std::vector<std::string> events{};  ///< the edits and faults that remain after shrinking, in the order of their time
  std::size_t events_before = 0;      ///< their number before shrinking
  /// Only with SimulateOptions::exhaustive: the decisions in which the schedule differs from the default one, with the
  /// number of the alternative. No schedule of the bound with fewer of them fails.
  std::optional<std::map<std::uint64_t, std::uint32_t>> deviations{};
  std::string timeline{};  ///< who did what to which object at which version
  std::string replay{};    ///< the command that repeats the trial
};

struct PINTLE_EXPORT SimulationReport {
  std::string name{};
  std::uint64_t trials = 0;     ///< that ran; after a failure, only those of lower seeds begin
  std::uint64_t schedules = 0;  ///< runs of the operator, including those without faults that trials compare with
  std::map<std::string, std::uint64_t> faults{};  ///< injected, by kind
  std::uint64_t trace_hash = 0;                   ///< equal for equal programs and seeds
  Duration real_time{};
  std::map<Oracle, std::string> without{};
  /// The bound, if all its schedules were run; nothing for random trials and after a failure.
  std::optional<ExplorationBound> explored{};
  std::optional<SimulationFailure> failure{};
  bool is_interrupted =
      false;  ///< by SimulateOptions::is_interrupted: not all trials ran, or the failure is not shrunk

  explicit operator bool() const noexcept { return !failure; }
  [[nodiscard]] std::string text() const;
  /// Converts to the AssertionResult of GoogleTest: EXPECT_TRUE(simulate(…)).
  template <class A>
    requires requires(A assertion, const std::string& text) { assertion << text; }
  operator A() const {  // NOLINT(google-explicit-constructor)
    return A(!failure) << text();
  }
};

/// How often trials injected faults of each class, as a Markdown table with a line for each report. 0: the class does
/// not apply to the operator, or is switched off.
[[nodiscard]] PINTLE_EXPORT std::string fault_coverage(const std::vector<SimulationReport>& reports);

/// Runs `options.seeds` trials in several processes, which are forked from this one; call it before the program starts
/// threads. If one fails, repeats it with fewer edits and faults until each is necessary. If the environment variable
/// PINTLE_SIMULATE names this simulation, runs only the trial that it describes; if the program or the options have
/// changed so that the trial has other events, the replay fails. PINTLE_SEEDS replaces the number of seeds; a value
/// that is not a number is a failure. The same program and options give the same trials.
[[nodiscard]] PINTLE_EXPORT SimulationReport simulate(const SimulateOptions& options, const SubjectSetup& setup);

}  // namespace pintle::testkit
