// SPDX-License-Identifier: Apache-2.0
// A whole operator under faults: a crash at every call, a conflict at every write, each fault of a server, and an hour
// without any.
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Applies a config map with the name of the note, and creates another one whose name the server generates.
Outcome two_children(const Note& n, Context& ctx) {
  const auto applied = ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
  if (!applied) return applied;
  const auto nameless = ctx.list(config_map, {.namespace_ = "default", .label_selector = "of=" + n.metadata.name});
  if (!nameless || !nameless->empty()) return nameless;
  json::Value child = encode(ConfigMap{.metadata = owned_by(n)});
  json::object& metadata = child.as_object()["metadata"].as_object();
  metadata.erase("name");
  metadata["generateName"] = n.metadata.name + "-";
  metadata["labels"] = json::object{{"of", n.metadata.name}};
  return ctx.create(child);
}

// Returns the config maps without the parts that differ between runs.
std::vector<std::string> final_state(testkit::Simulation& simulation) {
  std::vector<std::string> all;
  for (const Object& object : simulation.server().objects("configmaps")) {
    const bool is_nameless = object.labels().exists();
    const json::View owner = object.owner_references().element(0);
    all.push_back((is_nameless ? "nameless" : std::string(object.name())) + " of " +
                  std::string(owner.member("name").text()) + ": " + object["/data"].print());
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The actions of a user, each done once: two notes are created, and one of them is changed.
class Story {
 public:
  explicit Story(testkit::Simulation& simulation) : simulation_(simulation) {}

  void begin() {
    if (std::exchange(begun_, true)) return;
    EXPECT_TRUE(simulation_.user().create(note("a", "one")));
    EXPECT_TRUE(simulation_.user().create(note("b", "two")));
  }
  void change() {
    if (std::exchange(changed_, true)) return;
    EXPECT_TRUE(simulation_.user().patch(Note::type, {"default", "a"}, json::Value{{"spec", {{"text", "three"}}}}));
  }

 private:
  testkit::Simulation& simulation_;
  bool begun_ = false;
  bool changed_ = false;
};

// Runs one instance until it is idle or crashes. Returns the number of its calls.
std::uint64_t live(testkit::Simulation& simulation, Story& story, http::FaultPlan faults) {
  testkit::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::off},
      [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = two_children}); },
      std::move(faults));
  instance.start();
  const auto dead_or = [&](const std::function<bool()>& condition) {
    return [&instance, condition] { return instance.transport().is_crashed() || condition(); };
  };
  simulation.wait_until(dead_or([&] { return instance.manager().is_ready(); }));
  if (!instance.transport().is_crashed()) {
    story.begin();
    simulation.wait_until(dead_or([&] { return simulation.server().objects("configmaps").size() == 4; }), 2min);
  }
  if (!instance.transport().is_crashed()) {
    story.change();
    simulation.wait_until(dead_or([&] { return simulation.run_until_idle(1min); }), 30min);
  }
  const std::uint64_t calls = instance.transport().calls();
  if (instance.transport().is_crashed()) {
    instance.crash();
  } else {
    instance.stop();
  }
  return calls;
}

const std::vector<std::string> all_is_well{R"(a of a: {"text":"three"})", R"(b of b: {"text":"two"})",
                                           "nameless of a: null", "nameless of b: null"};

// One instance crashes at each call in turn. The next one completes unfinished work and does not repeat finished work
// (TX-12).
TEST(OperatorUnderFaults, CrashesAtAnyCallLeadToTheSameState) {
  std::uint64_t calls = 0;
  {
    testkit::Simulation simulation({.seed = 1});
    Story story(simulation);
    calls = live(simulation, story, {});
    ASSERT_EQ(final_state(simulation), all_is_well);
  }
  ASSERT_GT(calls, 12U);
  std::uint64_t deaths = 0;
  const auto all = testkit::seeds({.usual = 3, .sanitized = 1, .long_run = 30});
  for (const std::uint64_t seed : all) {
    for (const bool after_commit : {false, true}) {
      for (std::uint64_t call = 1; call <= calls; ++call) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", call " << call << (after_commit ? ", after" : ""));
        testkit::Simulation simulation({.seed = seed});
        Story story(simulation);
        (void)live(simulation, story,
                   {{.effect = http::Crash{.after_commit = after_commit, .then = [&] { ++deaths; }}, .first = call}});
        (void)live(simulation, story, {});
        ASSERT_EQ(final_state(simulation), all_is_well);
      }
    }
  }
  EXPECT_GT(deaths, all.size() * calls);
}

// For each target, every other write of a reconcile is refused by a conflict (TX-11). The CRD is written at start and
// not by a reconcile, so its write is accepted.
TEST(OperatorUnderFaults, ConflictsOfEveryOtherWriteLeadToTheSameState) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    Story story(simulation);
    const auto is_of_a_reconcile = [](const http::Request& request) {
      return http::is_write(request) && request.target.starts_with("/api/v1/");
    };
    (void)live(simulation, story,
               {{.effect = http::conflict_response(), .only = is_of_a_reconcile, .per_target = true, .every = 2}});
    EXPECT_EQ(final_state(simulation), all_is_well);
  }
}

// Each kind of fault that a server can cause.
std::vector<std::pair<std::string, ServerFault>> faults_of_a_server() {
  const auto of_operator = [](std::vector<std::string> verbs, std::string resource = "") {
    return RequestMatcher{.verbs = std::move(verbs), .resource = std::move(resource), .client = "op/"};
  };
  const RequestMatcher all = of_operator({});
  const RequestMatcher reads = of_operator({"list", "get"});
  const RequestMatcher watches = of_operator({"watch"});
  const RequestMatcher writes = of_operator({"create", "patch"}, "configmaps");
  const auto error_response = [](int status, std::string reason, http::Headers headers = {},
                                 bool after_commit = false) {
    return http::ErrorResponse{
        .status = status, .reason = std::move(reason), .headers = std::move(headers), .after_commit = after_commit};
  };
  const http::Headers soon{{"Retry-After", "1"}};
  using TruncateBody = http::TruncateBody;
  return {
      {"429", {.effect = error_response(429, "TooManyRequests", soon), .only = all, .every = 3, .times = 8}},
      {"500", {.effect = error_response(500, "InternalError"), .only = writes, .every = 2, .times = 4}},
      {"503", {.effect = error_response(503, "ServiceUnavailable"), .only = reads, .first = 2, .every = 3, .times = 4}},
      {"504 after commit",
       {.effect = error_response(504, "Timeout", {}, true), .only = writes, .every = 2, .times = 3}},
      {"410 to a watch", {.effect = error_response(410, "Expired"), .only = watches, .every = 2, .times = 3}},
      {"410 to a list", {.effect = error_response(410, "Gone"), .only = reads, .every = 2, .times = 3}},
      {"410 in a watch", {.effect = ErrorEvent{.after_events = 1}, .only = watches, .times = 4}},
      {"500 in a watch", {.effect = ErrorEvent{.status = 500, .reason = "InternalError"}, .only = watches, .times = 4}},
      {"delay", {.effect = http::Delay{20s}, .only = all, .every = 3}},
      {"delayed response", {.effect = http::Delay{.duration = 5s, .after_commit = true}, .only = writes, .every = 2}},
      {"drop", {.effect = http::Drop{}, .only = all, .first = 8, .every = 5, .times = 5}},
      {"drop after commit", {.effect = http::Drop{.after_commit = true}, .only = writes, .every = 2, .times = 4}},
      {"cut by events", {.effect = TruncateBody{.after_events = 1}, .only = watches, .every = 2, .times = 6}},
      {"cut by bytes", {.effect = TruncateBody{.after_bytes = 100}, .only = watches, .every = 2, .times = 6}},
      {"cut list", {.effect = TruncateBody{.after_bytes = 100}, .only = reads, .times = 2}},
      {"end",
       {.effect = TruncateBody{.after = 500ms, .how = TruncateBody::How::end},
        .only = watches,
        .every = 2,
        .times = 6}},
      {"silence",
       {.effect = TruncateBody{.after_events = 1, .how = TruncateBody::How::silence}, .only = watches, .times = 3}},
      {"repeat", {.effect = http::RepeatEvent{}, .only = watches}},
      {"stall", {.effect = http::StallEvents{.nth = 2, .duration = 40s}, .only = watches}},
      {"split", {.effect = http::SplitBody{.bytes = 5}, .only = all}},
      {"stale by time", {.effect = StaleRead{.age = 30s}, .only = all}},
      {"stale by versions", {.effect = StaleRead{.versions = 3}, .only = reads, .times = 4}},
      {"no bookmarks", {.effect = WithholdBookmarks{}, .only = watches}},
  };
}

// Returns whether the operator finally has done all of the story, which faults may delay. An operator that cannot start
// is started again, as the kubelet restarts its container.
bool comes_to_a_good_end(testkit::Simulation& simulation, ListMode list_mode) {
  Story story(simulation);
  std::unique_ptr<testkit::Instance> instance;
  for (int start = 0; start < 10 && (instance == nullptr || !instance->started()); ++start) {
    instance = std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "op", .log_level = LogLevel::off, .list_mode = list_mode},
        [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = two_children}); });
    instance->start();
    instance->join();
  }
  simulation.executor().sleep_for(10s);
  story.begin();
  simulation.executor().sleep_for(10s);
  story.change();
  const bool is_well = simulation.wait_until([&] { return final_state(simulation) == all_is_well; }, 1h);
  return simulation.run_until_idle() && is_well && final_state(simulation) == all_is_well;
}

TEST(OperatorUnderFaults, EachFaultOfTheServerLeadsToTheSameState) {
  for (const auto& [name, rule] : faults_of_a_server()) {
    for (const std::uint64_t seed : testkit::seeds({.usual = 5, .sanitized = 1})) {
      SCOPED_TRACE(::testing::Message() << name << ", seed " << seed);
      testkit::Simulation simulation({.seed = seed, .server = {.faults = {.rules = {rule}}}});
      // A fault of lists may have no effect on an operator that streams them.
      const ListMode list_mode = seed % 2 == 0 ? ListMode::streaming : ListMode::paged;
      EXPECT_TRUE(comes_to_a_good_end(simulation, list_mode)) << ::testing::PrintToString(final_state(simulation));
      if (list_mode == ListMode::paged) {
        EXPECT_GT(simulation.server().injected_faults(), 0U);
      }
    }
  }
}

TEST(OperatorUnderFaults, AllFaultsAtRandomLeadToTheSameState) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 30, .sanitized = 5})) {
    SCOPED_TRACE("PINTLE_SEED=" + std::to_string(seed));
    ServerFaults faults;
    for (auto& [name, rule] : faults_of_a_server()) {
      rule.probability = 0.2;
      rule.times = 3;
      faults.rules.push_back(std::move(rule));
    }
    testkit::Simulation simulation({.seed = seed, .server = {.faults = std::move(faults)}});
    const ListMode list_mode = seed % 2 == 0 ? ListMode::paged : ListMode::streaming;
    EXPECT_TRUE(comes_to_a_good_end(simulation, list_mode)) << ::testing::PrintToString(final_state(simulation));
    EXPECT_GT(simulation.server().injected_faults(), 5U);
    if (HasFailure()) return;
  }
}

// The versions decrease while the operator runs. Like a cluster that was restored, the server reports to each watch
// that its version has expired.
TEST(OperatorUnderFaults, ARestoredBackupLeadsToTheSameState) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 20, .sanitized = 3})) {
    SCOPED_TRACE("PINTLE_SEED=" + std::to_string(seed));
    testkit::Simulation simulation({.seed = seed});
    testkit::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [](Manager& manager) {
      manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = two_children});
    });
    instance.start();
    simulation.wait_until([&] { return instance.manager().is_ready(); });
    Story story(simulation);
    story.begin();
    const std::uint64_t backup = simulation.server().resource_version();
    ASSERT_TRUE(simulation.run_until_idle());
    story.change();
    simulation.executor().sleep_for(std::chrono::milliseconds(simulation.random().below(300)));
    simulation.server().set_faults({.rules = {{.effect = ErrorEvent{}, .only = http::is_watch, .times = 2}}});
    ASSERT_TRUE(simulation.server().rewind(backup + simulation.random().below(3)));
    Story again(simulation);
    again.change();
    EXPECT_TRUE(simulation.wait_until([&] { return final_state(simulation) == all_is_well; }))
        << ::testing::PrintToString(final_state(simulation));
    if (HasFailure()) return;
  }
}

// An hour without changes only costs the watches that end and are opened again (TX-18).
TEST(OperatorUnderFaults, AnIdleOperatorSendsNothingButItsWatches) {
  testkit::Simulation simulation({.seed = 1});
  std::vector<std::string> sent;
  bool listening = false;
  testkit::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::off},
      [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = two_children}); },
      {{.effect = http::Delay{}, .only = [&](const http::Request& request) {
          if (listening) sent.push_back((http::is_watch(request) ? "watch " : "") + request.method);
          return false;
        }}});
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(simulation.user().create(note("a")));
  ASSERT_TRUE(simulation.run_until_idle());
  const std::uint64_t writes = simulation.server().writes();
  listening = true;
  simulation.executor().sleep_for(1h);
  listening = false;
  EXPECT_EQ(simulation.server().writes(), writes);
  EXPECT_TRUE(std::all_of(sent.begin(), sent.end(), [](const std::string& one) { return one == "watch GET"; }));
  EXPECT_GE(sent.size(), 12U) << "two watches of five to ten minutes each";
  EXPECT_LE(sent.size(), 24U);
}

}  // namespace
}  // namespace pintle
