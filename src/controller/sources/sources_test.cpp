// SPDX-License-Identifier: Apache-2.0
// The sources that cause reconciles, and the rules that prevent reconciles.
#include <pintle/controller/source.hpp>

#include <set>
#include <stdexcept>

#include <gmock/gmock.h>

#include <pintle/testing/seeds.hpp>

#include "controller/apply/references.hpp"
#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SourcesTest : public OperatorTest {
 protected:
  // A reconcile that records its object and its causes.
  std::function<Outcome(const Note&, Context&)> writing_down() {
    return [this](const Note& n, Context& ctx) -> Outcome {
      reconciles.push_back(n.metadata.name);
      for (const ReconcileCause& cause : ctx.causes()) causes.push_back(cause.to_string());
      return done;
    };
  }
  // Runs the controller with the notes a and b, and clears the records of their first reconciles.
  void run_with_two_notes(Controller<Note> controller) {
    run(std::move(controller));
    create(note("a"));
    create(note("b"));
    ASSERT_TRUE(simulation.run_until_idle());
    forget();
  }
  void forget() {
    reconciles.clear();
    causes.clear();
  }
  void create_config_map(const std::string& name, const json::object& labels = {}, const json::array& owners = {}) {
    const auto created = simulation.user().create(json::Value(json::object{
        {"apiVersion", "v1"},
        {"kind", "ConfigMap"},
        {"metadata",
         json::object{{"name", name}, {"namespace", "default"}, {"labels", labels}, {"ownerReferences", owners}}}}));
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void change_config_map(const std::string& name, const std::string& value) {
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", name}, json::Value{{"data", {{"k", value}}}}));
  }
  json::object owner(const std::string& name, bool controls) {
    const auto found = simulation.user().get(Note::type, {"default", name});
    return {{"apiVersion", "test.pintle.dev/v1"},
            {"kind", "Note"},
            {"name", name},
            {"uid", found->uid()},
            {"controller", controls}};
  }

  std::vector<std::string> reconciles;
  std::vector<std::string> causes;
};

TEST_F(SourcesTest, APredicateDropsChanges) {
  run_with_two_notes({.predicate = generation_changed(), .reconcile = writing_down()});
  ASSERT_TRUE(
      simulation.user().patch(Note::type, {"default", "a"}, json::Value{{"metadata", {{"labels", {{"x", "y"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, IsEmpty());
  set_text("b", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
}

TEST_F(SourcesTest, AnAnnotationCausesAReconcileWhateverThePredicate) {
  run({.predicate = generation_changed(), .reconcile = writing_down()});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciles.size(), 1U);
  for (const char* when : {"now", "again", "again"}) {
    ASSERT_TRUE(simulation.user().patch(
        Note::type, {"default", "a"},
        json::Value{{"metadata", {{"annotations", json::object{{"pintle.dev/reconcile-at", when}}}}}}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  EXPECT_EQ(reconciles.size(), 3U) << "once for each value";
}

// An own write for one version is recognised, and no change of another client is mistaken for it (trap 74).
TEST_F(SourcesTest, AnOwnWriteCausesNoReconcileAndAForeignOneDoes) {
  run_with_two_notes({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
                        reconciles.push_back(n.metadata.name);
                        if (n.spec.text != "mark") return done;
                        Note marked = n;
                        marked.spec.text = "marked";
                        return ctx.client().update(n, marked);
                      },
                      .ignore_own_writes = true});
  set_text("a", "mark");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("a"));
  EXPECT_EQ(simulation.user().get(Note::type, {"default", "a"})->root()["/spec/text"], "marked");
  forget();
  set_text("a", "by somebody else");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("a"));
}

// A status that counts attempts is an event after each attempt, which would cause the next one at once.
TEST_F(SourcesTest, AnOwnWriteDoesNotPullADelayedReconcileForward) {
  const auto writing = [&](const Outcome& outcome) {
    return [&, outcome](const Note& n, Context& ctx) -> Outcome {
      reconciles.push_back(n.metadata.name);
      Note counted = n;
      counted.metadata.annotations["reconciles"] = std::to_string(reconciles.size());
      if (const auto written = ctx.client().update(n, counted); !written) return failed(written.error());
      return outcome;
    };
  };
  for (const Outcome& outcome :
       {Outcome(done), Outcome(requeue_after(10min)), Outcome(failed(make_error(ErrorCode::unavailable, "no")))}) {
    testkit::Simulation fresh({});
    reconciles.clear();
    testkit::Instance one(fresh, {.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
      manager.add(Controller<Note>{.reconcile = writing(outcome),
                                   .backoff = {.base = 10min},
                                   .resync_period = 10min,
                                   .ignore_own_writes = true});
    });
    one.start();
    ASSERT_TRUE(fresh.wait_until([&] { return bool(fresh.user().create(note("a"))); }));
    fresh.executor().sleep_for(9min);
    EXPECT_EQ(reconciles.size(), 1U);
    fresh.executor().sleep_for(2min);
    EXPECT_EQ(reconciles.size(), 2U);
  }
}

// An own write does not raise the priority either: a later change runs first, because a user or another program made
// it.
TEST_F(SourcesTest, AnOwnWriteDoesNotRaiseThePriority) {
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         reconciles.push_back(n.metadata.name);
         if (n.metadata.name == "slow") ctx.executor().sleep_for(2s);
         if (n.metadata.name != "routine") return done;
         Note counted = n;
         counted.metadata.annotations["reconciles"] = std::to_string(reconciles.size());
         return ctx.client().update(n, counted);
       },
       .resync_period = 10min,
       .ignore_own_writes = true});
  create(note("routine"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles.size() == 1; }));
  simulation.executor().sleep_for(10min - 1s);
  create(note("slow"));
  simulation.executor().sleep_for(1500ms);
  create(note("changed"));
  simulation.executor().sleep_for(5s);
  EXPECT_THAT(reconciles, ElementsAre("routine", "slow", "changed", "routine"));
}

// Own writes are ignored while another client writes, with many interleavings: the last text is always reconciled.
TEST(SourcesSimulation, NoForeignChangeIsLostAmongOwnWrites) {
  for (const std::uint64_t seed : testkit::seeds({})) {
    testkit::Simulation simulation({.seed = seed});
    std::string last_seen;
    testkit::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
      manager.add(Controller<Note>{.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
                                     last_seen = n.spec.text;
                                     Note seen = n;
                                     seen.metadata.annotations["seen"] = n.spec.text;
                                     return ctx.client().update(n, seen);
                                   },
                                   .ignore_own_writes = true});
    });
    instance.start();
    ASSERT_TRUE(simulation.wait_until([&] { return bool(simulation.user().create(note("a"))); }));
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "a"},
                                          json::Value{{"spec", {{"text", "t" + std::to_string(i)}}}}));
      simulation.executor().sleep_for(std::chrono::microseconds(simulation.random().below(3000)));
    }
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(last_seen, "t9") << "seed " << seed;
    const auto now = simulation.user().get(Note::type, {"default", "a"});
    EXPECT_EQ(now->annotation("seen"), "t9") << "seed " << seed;
  }
}

TEST_F(SourcesTest, ACauseContainsTheChangedFields) {
  run_with_two_notes({.reconcile = writing_down()});
  set_text("a", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0], HasSubstr("change test.pintle.dev/v1 Note default/a updated (version "));
  EXPECT_THAT(causes[0], HasSubstr(": /metadata/generation, /spec/text)"));
}

TEST_F(SourcesTest, OwnsEnqueuesOnlyTheControllingOwner) {
  run_with_two_notes({.owns = {ConfigMap::type}, .reconcile = writing_down()});
  create_config_map("c", {}, {owner("a", true), owner("b", false)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("a"));
}

TEST_F(SourcesTest, OwnsWithAnyOwnerEnqueuesAllOwners) {
  run_with_two_notes({.owns = {Owns{ConfigMap::type, {.match = OwnerMatch::any}}}, .reconcile = writing_down()});
  create_config_map("c", {}, {owner("a", true), owner("b", false)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, UnorderedElementsAre("a", "b"));
}

TEST_F(SourcesTest, AChangeOfOwnerEnqueuesBothOwners) {
  run_with_two_notes({.owns = {ConfigMap::type}, .reconcile = writing_down()});
  create_config_map("c", {}, {owner("a", true)});
  ASSERT_TRUE(simulation.run_until_idle());
  forget();
  ASSERT_TRUE(simulation.user().patch(
      ConfigMap::type, {"default", "c"},
      json::Value(json::object{{"metadata", json::object{{"ownerReferences", json::array{owner("b", true)}}}}})));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, UnorderedElementsAre("a", "b"));
}

TEST_F(SourcesTest, OwnsMayChooseByLabelAndPredicate) {
  run_with_two_notes({.owns = {Owns{ConfigMap::type, {.label_selector = "seen=yes", .predicate = is_deleted()}}},
                      .reconcile = writing_down()});
  create_config_map("unseen", {}, {owner("a", true)});
  create_config_map("seen", {{"seen", "yes"}}, {owner("b", true)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, IsEmpty());
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "unseen"}));
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "seen"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
}

TEST_F(SourcesTest, AMapEnqueuesTheFormerAndTheCurrentKeys) {
  const auto about = [](const ConfigMap& map) -> std::vector<ObjectKey> {
    return {{map.metadata.namespace_, map.metadata.labels.contains("about") ? map.metadata.labels.at("about") : "?"}};
  };
  run_with_two_notes(
      {.watches = {{.kind = ConfigMap::type, .map = typed_map<ConfigMap>(about)}}, .reconcile = writing_down()});
  create_config_map("c", {{"about", "b"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
  EXPECT_THAT(causes[0], HasSubstr("mapped v1 ConfigMap default/c added"));
  forget();
  // The object that the label named before has to be reconciled too.
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"},
                                      json::Value{{"metadata", {{"labels", {{"about", "a"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, UnorderedElementsAre("a", "b"));
}

TEST_F(SourcesTest, AMapThatThrowsEnqueuesNothingAndIsLogged) {
  run_with_two_notes(
      {.watches = {{.kind = ConfigMap::type,
                    .map = [](const Object&) -> std::vector<ObjectKey> { throw std::runtime_error("no idea"); }}},
       .reconcile = writing_down()});
  create_config_map("c");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, IsEmpty());
  EXPECT_TRUE(log->has("function=watches.map key=default/c")) << log->lines().back();
  EXPECT_TRUE(log->has("std::runtime_error: no idea"));
}

TEST_F(SourcesTest, AMapMayReadTheCaches) {
  Object copy;
  run_with_two_notes({.owns = {ConfigMap::type},
                      .watches = {{.kind = Secret::type,
                                   .map_with_cache =
                                       [&](const Object& secret, const CacheReader& copies) {
                                         copy = copies.get(ConfigMap::type, secret.key());
                                         EXPECT_FALSE(copies.get(ConfigMap::type, {"default", "other"}));
                                         EXPECT_FALSE(copies.get(ConfigMap::type, secret.key(), "nowhere"));
                                         EXPECT_FALSE(copies.get({"v1", "Pod"}, secret.key()));
                                         return copies.keys();
                                       }}},
                      .reconcile = writing_down()});
  create_config_map("s");
  ASSERT_TRUE(simulation.user().create(Secret{.metadata = {.name = "s", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, UnorderedElementsAre("a", "b"));
  EXPECT_THAT(causes, ::testing::Each(HasSubstr("mapped v1 Secret default/s added")));
  EXPECT_EQ(copy.kind(), "ConfigMap");
}

TEST_F(SourcesTest, AChangeEnqueuesReferringObjects) {
  // The text of a note is the name of a ConfigMap.
  const auto refers = [](const Note& n) -> std::vector<ObjectKey> { return {{"default", n.spec.text}}; };
  run_with_two_notes(
      {.watches = {{.kind = ConfigMap::type, .references = typed_map<Note>(refers)}}, .reconcile = writing_down()});
  set_text("a", "c");
  ASSERT_TRUE(simulation.run_until_idle());
  forget();

  create_config_map("c");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("a"));
  forget();

  set_text("a", "other");
  set_text("b", "c");
  ASSERT_TRUE(simulation.run_until_idle());
  forget();
  change_config_map("c", "1");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
  forget();

  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "b"}));
  ASSERT_TRUE(simulation.run_until_idle());
  change_config_map("c", "2");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, IsEmpty());
}

TEST_F(SourcesTest, AChannelEnqueuesKeysAlsoBeforeTheStart) {
  const auto channel = std::make_shared<ChannelSource>(simulation.executor(), 1);
  ASSERT_TRUE(simulation.user().create(json::Value(json::object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "x"}, {"namespace", "default"}}}})));
  EXPECT_TRUE(channel->send({"default", "a"}, "early"));
  EXPECT_FALSE(channel->send({"default", "b"})) << "its capacity is one";
  run_with_two_notes({.channels = {channel}, .reconcile = writing_down()});
  EXPECT_TRUE(channel->send({"default", "b"}, "the tape is full"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
  EXPECT_THAT(causes, ElementsAre("channel the tape is full"));
  instance->stop();
  EXPECT_TRUE(channel->send({"default", "b"})) << "the event is kept for the next start";
}

TEST_F(SourcesTest, ObjectsMayComeFromAFunction) {
  const auto channel = std::make_shared<ChannelSource>(simulation.executor());
  const Object thing(json::Value{{"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"metadata", {{"name", "a"}}}});
  start([&](Manager& manager) {
    manager.add(AnyController{.watch = {"example.com/v1", "Thing"},
                              .get_object = [&](const ObjectKey& key) { return key.name == "a" ? thing : Object(); },
                              .channels = {channel},
                              .reconcile = [&](const Object& object, Context&) -> Outcome {
                                reconciles.emplace_back(object.name());
                                return done;
                              }});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  channel->send({"", "a"});
  channel->send({"", "b"});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("a"));
}

TEST_F(SourcesTest, APollEnqueuesItsKeysAndContinuesAfterAnError) {
  int polls = 0;
  run_with_two_notes({.polls = {{.name = "tape",
                                 .interval = 10min,
                                 .poll = [&](const std::stop_token&) -> Result<std::vector<ObjectKey>> {
                                   ++polls;
                                   if (polls == 2) return fail(ErrorCode::unreachable, "the tape is away");
                                   if (polls == 3) throw std::runtime_error("torn");
                                   if (polls == 4) return std::vector<ObjectKey>{{"default", "b"}};
                                   return std::vector<ObjectKey>{};
                                 }}},
                      .reconcile = writing_down()});
  ASSERT_TRUE(simulation.wait_until([&] { return polls == 4; }, 1h));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(reconciles, ElementsAre("b"));
  EXPECT_THAT(causes, ElementsAre("poll tape"));
  EXPECT_TRUE(log->has("a poll failed controller=note poll=tape error=the tape is away"));
  EXPECT_TRUE(log->has("torn"));
}

TEST_F(SourcesTest, TheResyncPeriodReconcilesDoneObjects) {
  run_with_two_notes({.reconcile = writing_down(), .resync_period = 1h});
  simulation.executor().sleep_for(3h + 10min);
  EXPECT_EQ(reconciles.size(), 6U);
  EXPECT_THAT(causes, ::testing::Each("resync"));
}

TEST_F(SourcesTest, AScheduleReconcilesAtItsTimes) {
  run_with_two_notes({.reconcile = writing_down(), .resync_period = 0s, .schedule = "30 4 * * *"});
  simulation.executor().sleep_for(24h * 3);
  EXPECT_EQ(reconciles.size(), 6U);
  EXPECT_EQ(causes[0], "schedule 30 4 * * *");
}

TEST_F(SourcesTest, ObjectsFromAFunctionOwnAndWatchNothing) {
  const AnyController spec{.name = "thing",
                           .watch = {"example.com/v1", "Thing"},
                           .get_object = [](const ObjectKey&) { return Object(); },
                           .owns = {ConfigMap::type},
                           .reconcile = [](const Object&, Context&) -> Outcome { return done; }};
  const auto errors = validate(spec);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].message, HasSubstr("controller thing has .get_object, so it cannot have .owns"));
}

TEST_F(SourcesTest, InvalidSourcesAreReportedAtStart) {
  const auto first_error = [&](Controller<Note> controller) {
    start([&](Manager& manager) { manager.add(std::move(controller)); });
    instance->join();
    return instance->started() ? "started" : instance->started().error().to_string();
  };
  const auto reconcile = writing_down();
  EXPECT_EQ(first_error({.watches = {{.kind = ConfigMap::type}}, .reconcile = reconcile}),
            "controller note has a .watches of ConfigMap; set exactly one of its .map, .map_with_cache and "
            ".references, or .only_read");
  EXPECT_EQ(
      first_error({.watches = {{.kind = ConfigMap::type,
                                .map = [](const Object&) { return std::vector<ObjectKey>(); },
                                .map_with_cache = [](const Object&, const CacheReader& all) { return all.keys(); }}},
                   .reconcile = reconcile}),
      "controller note has a .watches of ConfigMap; set exactly one of its .map, .map_with_cache and .references, or "
      ".only_read");
  EXPECT_EQ(first_error({.channels = {nullptr}, .reconcile = reconcile}),
            "controller note has a null channel; create it with std::make_shared<ChannelSource>(executor)");
  EXPECT_EQ(first_error({.polls = {{.name = "p"}}, .reconcile = reconcile}),
            "controller note has a poll \"p\" without .poll; set it");
  EXPECT_THAT(first_error({.reconcile = reconcile, .schedule = "every day"}),
              HasSubstr("controller note: schedule \"every day\" has 2 fields"));
  EXPECT_THAT(first_error({.reconcile = reconcile, .finalize = reconcile}),
              HasSubstr("controller note has .finalize without .finalizer"));
  EXPECT_THAT(first_error({.reconcile = reconcile, .finalizer = "example.com/x"}),
              HasSubstr("without .finalize; set the function that cleans up"));
  EXPECT_THAT(first_error({.owns = {Owns{ConfigMap::type, {.label_selector = "a in"}}}, .reconcile = reconcile}),
              HasSubstr("controller note: owns ConfigMap: label_selector"));
}

TEST(References, FindTheObjectsThatReferToAnObject) {
  References references;
  references.set({"n", "a"}, {{"n", "x"}, {"n", "y"}});
  references.set({"n", "b"}, {{"n", "x"}});
  EXPECT_THAT(references.to({"n", "x"}), ElementsAre(ObjectKey{"n", "a"}, ObjectKey{"n", "b"}));
  references.set({"n", "a"}, {{"n", "y"}});
  EXPECT_THAT(references.to({"n", "x"}), ElementsAre(ObjectKey{"n", "b"}));
  references.erase({"n", "a"});
  references.erase({"n", "b"});
  EXPECT_TRUE(references.empty());
}

}  // namespace
}  // namespace pintle
