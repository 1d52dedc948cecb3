// A whole operator under faults: killed at every call, refused once at every write, left alone.
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// For every note one config map of its name, and one whose name the server chooses.
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

// The config maps without what differs from run to run.
std::vector<std::string> final_state(testing::Simulation& simulation) {
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

// What people do, once: two notes, a change of one.
class Story {
 public:
  explicit Story(testing::Simulation& simulation) : simulation_(simulation) {}

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
  testing::Simulation& simulation_;
  bool begun_ = false;
  bool changed_ = false;
};

// One life of the operator, until nothing happens any more or it dies. Answers the calls it made.
std::uint64_t live(testing::Simulation& simulation, Story& story, http::FaultPlan faults) {
  testing::Instance instance(
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
    simulation.wait_until(dead_or([&] { return simulation.settle(1min); }), 30min);
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

// TX-12, for the life after it too: what is left half done is completed, and what was done is not done twice.
TEST(OperatorUnderFaults, KilledAtAnyCallAndStartedAgainItComesToTheSameState) {
  std::uint64_t calls = 0;
  {
    testing::Simulation simulation({.seed = 1});
    Story story(simulation);
    calls = live(simulation, story, {});
    ASSERT_EQ(final_state(simulation), all_is_well);
  }
  ASSERT_GT(calls, 12U);
  int deaths = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const bool after_commit : {false, true}) {
      for (std::uint64_t call = 1; call <= calls; ++call) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", call " << call << (after_commit ? ", after" : ""));
        testing::Simulation simulation({.seed = seed});
        Story story(simulation);
        (void)live(simulation, story,
                   {{.effect = http::Crash{.after_commit = after_commit, .then = [&] { ++deaths; }}, .first = call}});
        (void)live(simulation, story, {});
        ASSERT_EQ(final_state(simulation), all_is_well);
      }
    }
  }
  EXPECT_GT(deaths, 3 * static_cast<int>(calls));
}

// TX-11. The definition of the kind is written before there is anybody to try again: that start fails as a whole.
TEST(OperatorUnderFaults, EveryWriteRefusedOnceByAConflictItComesToTheSameState) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    testing::Simulation simulation({.seed = seed});
    Story story(simulation);
    const auto is_of_a_pass = [](const http::Request& request) {
      return http::is_write(request) && request.target.starts_with("/api/v1/");
    };
    (void)live(simulation, story,
               {{.effect = http::answer_conflict(), .only = is_of_a_pass, .per_target = true, .every = 2}});
    EXPECT_EQ(final_state(simulation), all_is_well);
  }
}

// TX-18: an hour in which nothing changes costs the watches that end and are opened again.
TEST(OperatorUnderFaults, AnIdleOperatorSendsNothingButItsWatches) {
  testing::Simulation simulation({.seed = 1});
  std::vector<std::string> sent;
  bool listening = false;
  testing::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::off},
      [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = two_children}); },
      {{.effect = http::Delay{}, .only = [&](const http::Request& request) {
          if (listening) sent.push_back((http::is_watch(request) ? "watch " : "") + request.method);
          return false;
        }}});
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(simulation.user().create(note("a")));
  ASSERT_TRUE(simulation.settle());
  const std::uint64_t writes = simulation.server().writes();
  listening = true;
  simulation.runtime().sleep_for(1h);
  listening = false;
  EXPECT_EQ(simulation.server().writes(), writes);
  EXPECT_TRUE(std::all_of(sent.begin(), sent.end(), [](const std::string& one) { return one == "watch GET"; }));
  EXPECT_GE(sent.size(), 12U) << "two watches of five to ten minutes each";
  EXPECT_LE(sent.size(), 24U);
}

}  // namespace
}  // namespace pintle
