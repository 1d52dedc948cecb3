// SPDX-License-Identifier: Apache-2.0
// An operator that continues while its API server is restored from a backup or replaced by another one.
#include <set>

#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Applies a config map with the name of the note.
Outcome child_of(const Note& n, Context& ctx) {
  return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
}

class ServerRewind : public ::testing::Test {
 protected:
  void begin(std::uint64_t seed, bool restores_definitions = true) {
    simulation = std::make_unique<testkit::Simulation>(testkit::SimulationOptions{.seed = seed});
    start_operator(restores_definitions);
  }
  void start_operator(bool restores_definitions = true) {
    instance = std::make_unique<testkit::Instance>(
        *simulation, ManagerOptions{.name = "op", .log_level = LogLevel::off, .restore_crds = restores_definitions},
        [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = child_of}); });
    instance->start();
    ASSERT_TRUE(simulation->wait_until([&] { return instance->manager().is_ready(); }));
  }
  void end() {
    instance.reset();
    simulation.reset();
  }
  void make_notes(const std::string& prefix, int count, const std::string& text) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(simulation->user().create(note(prefix + std::to_string(i), text)));
    }
  }
  // Returns the CRD in a form that can be created again.
  [[nodiscard]] json::Value definition_of_notes() const {
    const Object stored = simulation->server().objects("customresourcedefinitions.apiextensions.k8s.io").at(0);
    json::Value definition = stored.to_value();
    definition.as_object().erase("status");
    definition.as_object()["metadata"] = json::object{{"name", stored.name()}};
    return definition;
  }
  // Returns whether each note controls a config map with its name and text, and no other config map exists.
  [[nodiscard]] bool is_well() const {
    std::set<std::string> wanted;
    for (const Object& one : simulation->server().objects("notes.test.pintle.dev")) {
      wanted.insert(std::string(one.name()) + " " + std::string(one.uid()) + " " +
                    std::string(one["/spec/text"].text()));
    }
    std::set<std::string> made;
    for (const Object& one : simulation->server().objects("configmaps")) {
      made.insert(std::string(one.name()) + " " + std::string(one.owner_references().element(0).member("uid").text()) +
                  " " + std::string(one["/data/text"].text()));
    }
    return wanted == made;
  }
  void expect_well_within_minutes_and_cool() {
    const std::uint64_t before = instance->transport().calls();
    EXPECT_TRUE(simulation->wait_until([&] { return is_well(); }, 10min));
    simulation->executor().sleep_for(1h);
    EXPECT_TRUE(is_well());
    EXPECT_LE(instance->transport().calls() - before, 400U);
    const std::uint64_t writes = simulation->server().writes();
    simulation->executor().sleep_for(1h);
    EXPECT_EQ(simulation->server().writes(), writes);
  }

  std::unique_ptr<testkit::Simulation> simulation;
  std::unique_ptr<testkit::Instance> instance;
};

TEST_F(ServerRewind, AnOlderStateIsRestored) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 4, .sanitized = 1, .long_run = 100})) {
    SCOPED_TRACE(seed);
    begin(seed);
    make_notes("kept", 5, "before");
    ASSERT_TRUE(simulation->run_until_idle());
    const std::uint64_t backup = simulation->server().resource_version();
    make_notes("undone", 20, "undone");
    ASSERT_TRUE(simulation->user().remove(Note::type, {"default", "kept0"}));
    ASSERT_TRUE(
        simulation->user().patch(Note::type, {"default", "kept1"}, json::Value{{"spec", {{"text", "undone"}}}}));
    simulation->executor().sleep_for(std::chrono::seconds(simulation->random().below(100)));
    ASSERT_TRUE(simulation->server().rewind(backup));
    simulation->executor().sleep_for(std::chrono::seconds(simulation->random().below(100)));
    make_notes("made", 3, "after");
    expect_well_within_minutes_and_cool();
    end();
  }
}

// After the restore another client makes a version that an own write had made before. It does not count as an own
// write.
TEST_F(ServerRewind, AForeignWriteOfAFormerOwnVersionCausesAReconcile) {
  for (const bool ignores_own : {false, true}) {
    SCOPED_TRACE(ignores_own);
    std::vector<std::string> seen;
    simulation = std::make_unique<testkit::Simulation>(testkit::SimulationOptions{.seed = 1});
    instance = std::make_unique<testkit::Instance>(
        *simulation, ManagerOptions{.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
          manager.add(Controller<Note>{.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
                                         seen.push_back(n.spec.text);
                                         if (n.spec.text != "mark") return requeue_after(24h);
                                         const auto before = ctx.get<Note>(n.metadata.key());
                                         if (!before) return failed(before.error());
                                         Note marked = *before;
                                         marked.spec.text = "marked";
                                         if (auto written = ctx.client().update(*before, marked); !written)
                                           return failed(written.error());
                                         return requeue_after(24h);
                                       },
                                       .ignore_own_writes = ignores_own});
        });
    instance->start();
    ASSERT_TRUE(simulation->wait_until([&] { return instance->manager().is_ready(); }));
    const auto set_text = [&](const char* text) {
      ASSERT_TRUE(simulation->user().patch(Note::type, {"default", "a"}, json::Value{{"spec", {{"text", text}}}}));
      simulation->executor().sleep_for(10s);
    };
    ASSERT_TRUE(simulation->user().create(note("a", "first")));
    simulation->executor().sleep_for(10s);
    const std::uint64_t backup = simulation->server().resource_version();
    set_text("mark");
    ASSERT_EQ(simulation->server().resource_version(), backup + 2) << "one write of the user, and one of the operator";
    ASSERT_TRUE(simulation->server().rewind(backup));
    simulation->executor().sleep_for(10min);
    ASSERT_EQ(seen.back(), "first");
    set_text("second");
    EXPECT_EQ(seen.back(), "second");
    set_text("third");
    ASSERT_EQ(simulation->server().resource_version(), backup + 2) << "the version that the operator had written";
    EXPECT_EQ(seen.back(), "third");
    end();
  }
}

// More writes follow than were undone, so the version of the cache is also a version of this server.
TEST_F(ServerRewind, AnOlderStateIsRestoredAndLaterVersionsExceedTheCache) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 4, .sanitized = 1, .long_run = 100})) {
    SCOPED_TRACE(seed);
    begin(seed);
    make_notes("kept", 5, "before");
    ASSERT_TRUE(simulation->run_until_idle());
    const std::uint64_t backup = simulation->server().resource_version();
    make_notes("undone", static_cast<int>(simulation->random().below(10)), "undone");
    ASSERT_TRUE(simulation->run_until_idle());
    ASSERT_TRUE(simulation->server().rewind(backup));
    make_notes("made", 60, "after");
    expect_well_within_minutes_and_cool();
    end();
  }
}

// The watches are late, so the caches have only the responses to the writes that are undone.
TEST_F(ServerRewind, WritesThatNoWatchHasDeliveredAreRepeated) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 3, .sanitized = 1, .long_run = 30})) {
    SCOPED_TRACE(seed);
    begin(seed);
    make_notes("note", 1, "before");
    ASSERT_TRUE(simulation->run_until_idle());
    instance.reset();
    simulation->executor().sleep_for(2min);
    simulation->server().set_faults({.rules = {{.effect = StaleRead{.age = 1min}}}});
    start_operator();
    const std::uint64_t backup = simulation->server().resource_version() + 1;
    make_notes("made", 1, "made");
    ASSERT_TRUE(simulation->wait_until([&] { return is_well(); }, 5min));
    simulation->executor().sleep_for(10s);
    ASSERT_TRUE(simulation->server().rewind(backup));
    simulation->server().set_faults({});
    ASSERT_FALSE(is_well());
    expect_well_within_minutes_and_cool();
    end();
  }
}

TEST_F(ServerRewind, AnEmptyServerReplacesTheFormerOne) {
  for (const bool has_same_versions : {false, true}) {
    SCOPED_TRACE(has_same_versions);
    begin(1);
    make_notes("note", 5, "before");
    ASSERT_TRUE(simulation->run_until_idle());
    const json::Value definition = definition_of_notes();
    simulation->restart_server(has_same_versions ? simulation->server().resource_version() - 20 : 0);
    simulation->executor().sleep_for(1s);
    // The operator may have installed the CRD again already.
    const auto created = simulation->user().create(definition);
    ASSERT_TRUE(created || created.error().code == ErrorCode::already_exists) << created.error().to_string();
    simulation->executor().sleep_for(2s);
    make_notes("note", 60, "after");
    expect_well_within_minutes_and_cool();
    end();
  }
}

// While the kind of the notes is not served, the cache still contains them. The garbage collector deletes each child
// that is made for one of them.
TEST_F(ServerRewind, OwnersOfAMissingKindGetNoChildren) {
  begin(1, false);
  make_notes("note", 5, "before");
  ASSERT_TRUE(simulation->run_until_idle());
  const json::Value definition = definition_of_notes();
  simulation->restart_server();
  const std::uint64_t before = instance->transport().calls();
  const std::uint64_t writes = simulation->server().writes();
  simulation->executor().sleep_for(1h);
  EXPECT_LE(instance->transport().calls() - before, 1'000U);
  EXPECT_LE(simulation->server().writes() - writes, 50U);
  ASSERT_TRUE(simulation->user().create(definition));
  simulation->executor().sleep_for(2s);
  make_notes("note", 6, "after");
  expect_well_within_minutes_and_cool();
  end();
}

}  // namespace
}  // namespace pintle
