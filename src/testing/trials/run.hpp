// SPDX-License-Identifier: Apache-2.0
// Run: one life of an operator in a simulated cluster, with edits and faults.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/testing/simulate.hpp>
#include <pintle/testing/simulation.hpp>

#include "final_state.hpp"
#include "fleet.hpp"
#include "journal.hpp"

namespace pintle::testkit {

class Run;
struct Survey;

// The number of processes in the trial of a seed.
[[nodiscard]] std::size_t instances_of(std::uint64_t seed, const Survey& survey);

// An edit or a fault.
struct Event {
  Duration at{};  // since the objects were created; negative: before that
  std::string what{};
  std::string kind{};  // of a fault: "crash", "conflict"; "" for an edit
  std::function<void(Run&)> act{};
  // An outage: this fault is active for an hour while the operator is idle, and its work is measured. `edit`, which
  // needs what fails, is made at the beginning, and `last_edit`, if there is one, at the end, also in a run without
  // faults.
  bool is_outage = false;
  bool hides_status = false;  // the operator cannot read or write its own objects
  bool blocks_edit = false;   // `edit` cannot succeed during the outage
  std::function<void(Run&)> edit{};
  std::function<void(Run&)> last_edit{};
  bool may_change_more = false;  // than the specs of the objects of the trial

  [[nodiscard]] bool is_edit() const noexcept { return kind.empty(); }
};

// The facts that a run without edits and faults shows.
struct Survey {
  std::vector<json::Value> objects{};                 // that the operator reconciles
  std::map<GroupVersionKind, json::Value> schemas{};  // of custom kinds
  std::vector<Object> children{};                     // that the operator created
  std::set<UsedResource> used{};                      // by the operator
  std::set<std::string> own_resources{};              // of `objects`
  std::string specs{};                                // of the objects, after defaults
  FinalState state{};
  std::string client{};     // the User-Agent of the operator
  std::size_t outside = 0;  // number of outside systems
  std::size_t instances = 1;
  bool has_election = false;
  bool may_have_more = false;  // Subject::instances does not set their number
  bool has_webhooks = false;
  std::set<std::string> without_lease{};  // controllers that reconcile in every instance
};

struct RunResult {
  std::map<Oracle, std::string> violations{};
  FinalState state{};
  std::string specs{};                 // of the objects; "" if one is missing
  std::vector<json::Value> objects{};  // with these specs
  std::uint64_t writes = 0;            // since the objects were created, as Fleet counts them for crashes
  Survey survey{};
  std::map<std::string, std::uint64_t> faults{};  // injected, by kind
  std::string timeline{};
  std::uint64_t trace_hash = 0;
  std::vector<std::uint32_t> alternatives{};  // with Scheduling::Strategy::choices
};

// The parts that the runs of one process share, because they take long to make.
struct RunParts {
  std::shared_ptr<const BuiltinKinds> kinds = std::make_shared<const BuiltinKinds>();
  std::shared_ptr<FiberStacks> stacks{};  // null: simulated threads are threads of the machine
};

// An object of the server as it was at some time.
struct StoredObject {
  std::string resource{};
  Object object{};
};

class Run {
 public:
  // `survey` is null for the run that makes it. `options`, `setup`, `survey` and the events must outlive the run.
  Run(std::uint64_t seed, Scheduling scheduling, const SimulateOptions& options, const SubjectSetup& setup,
      const Survey* survey, const RunParts& parts);
  ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Without `with_faults` the faults are left out, and the run ends with the final state, unless it makes the survey.
  [[nodiscard]] RunResult execute(const std::vector<const Event*>& events, bool with_faults);

  // ---- for events ----

  [[nodiscard]] Simulation& simulation() noexcept { return simulation_; }
  [[nodiscard]] Subject& subject() noexcept { return subject_; }
  [[nodiscard]] Client& user() noexcept { return simulation_.user(); }
  [[nodiscard]] Fleet& fleet() noexcept { return *fleet_; }
  // Applies a fault to the requests of all processes, in the server. A watch may then be silent.
  void inject(const ServerFault& fault, Duration time);
  // Restores the state before the last `versions` changes, unless a user has made one of them.
  void rewind(std::uint64_t versions);
  // Lets all calls of outside systems fail, or ends that.
  void fail_outside(bool fails);
  // Waits until there is no such object.
  void wait_until_gone(const GroupVersionKind& kind, const ObjectKey& key);
  // Another program sets metadata on an object, and removes its finalizer after a time.
  void mark(const GroupVersionKind& kind, const ObjectKey& key, Duration hold);
  // The user makes one edit after the other: if it is called while one is repeated, the new edit follows that, so `act`
  // must not refer to local variables.
  void edit(const std::string& what, const std::function<Result<void>(Client& user)>& act);

 private:
  struct UserEdit {
    std::string what{};
    std::function<Result<void>(Client& user)> act{};
  };

  [[nodiscard]] Result<void> adopt_program();
  void exempt_webhook_secret();
  [[nodiscard]] std::unique_ptr<Instance> make_instance();
  void prepare();
  [[nodiscard]] Result<Object> create_surrounding(const json::Value& object);
  [[nodiscard]] std::vector<Object> definitions_of_operator();
  void create_objects();
  void make(const UserEdit& edit);
  [[nodiscard]] Result<void> repeat_if_webhook_fails(const std::function<Result<void>()>& request);
  [[nodiscard]] bool has_webhooks();
  void add_strangers();
  [[nodiscard]] bool is_there(const StoredObject& object);
  [[nodiscard]] Result<void> patch_mark(const GroupVersionKind& kind, const ObjectKey& key, bool is_set);
  [[nodiscard]] Object stored(const StoredKey& key);
  void check_marks();
  void forget_missing_marks();
  void forget_deleted_strangers();
  void begin(const Event& event);
  void live_through(const std::vector<const Event*>& events, bool with_faults);
  void live_through(const Event& outage, bool with_faults);
  void end_faults();
  bool wait_until_idle(std::string_view since);  // false: Oracle::becomes_idle is violated
  void tear_down();

  // ---- the oracles ----

  void check_work(const Journal::Counts& before, std::uint64_t outside_before);
  void check_rest(std::uint64_t requests, std::uint64_t reconciles);
  void check_honesty(Instant since, bool is_first_blocked);
  void check_result();
  void check_invariants(bool are_deleted);
  void check_strangers();
  void check_idle();
  void check_nothing_left();
  [[nodiscard]] bool has_observed_generation(const Object& object) const;
  [[nodiscard]] std::map<StoredKey, std::string> versions();
  [[nodiscard]] bool applies(Oracle oracle) const { return !options_.without.contains(oracle); }

  // ---- what it sees ----

  [[nodiscard]] std::vector<Object> primaries();
  [[nodiscard]] std::vector<StoredObject> reconciled_objects();
  [[nodiscard]] std::vector<StoredObject> added_by_users();
  [[nodiscard]] std::string specs();
  [[nodiscard]] std::vector<json::Value> objects_as_they_are();
  [[nodiscard]] std::uint64_t outside_calls() const;
  void observe_outside(std::size_t number);
  [[nodiscard]] bool lives(int instance) const;
  [[nodiscard]] Survey surveyed();
  [[nodiscard]] std::set<std::string> compared();

  const SimulateOptions& options_;
  const Survey* survey_;
  std::unique_ptr<Journal> journal_;
  Simulation simulation_;
  Subject subject_;
  std::unique_ptr<Fleet> fleet_;
  std::map<std::string, Cluster> addresses_;  // of further clusters of a program
  std::vector<json::Value> objects_;
  std::vector<GroupVersionKind> reconciled_;  // by the operator, and those of the objects
  std::vector<StoredObject> strangers_;       // objects of others that no user has deleted, as they were created
  std::vector<StoredObject> before_;          // objects of the reconciled kinds before those of the trial
  std::vector<StoredObject> added_;           // objects of these kinds that edits have created; set at the end
  std::deque<UserEdit> edits_;                // the first one is being made
  std::uint64_t user_version_ = 0;            // of the last edit
  std::uint64_t idle_requests_ = 0;           // in an hour in which nothing happens
  std::uint64_t idle_reconciles_ = 0;         // in the same hour
  Instant faults_ended_{};                    // the last time
  std::uint64_t sent_before_ = 0;             // Journal::Counts::sent when the objects were created
  bool has_read_options_ = false;
  bool has_chosen_instances_ = false;  // Subject::instances does not set their number
  bool needs_patience_ = false;        // a watch may be silent, which the operator notices after minutes
  std::map<std::string, std::uint64_t> injected_;
};

}  // namespace pintle::testkit
