// SPDX-License-Identifier: Apache-2.0
// The objects to which a framework adds its finalizer, and from which it removes it.
#include <pintle/patterns/crud/framework.hpp>

#include <stdexcept>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const json::Value gone("gone");
const json::Value none(nullptr);
const json::Value ours_alone = json::array{"operatorkit.giantswarm.io/notes"};

// Two resource sets, each for the Notes whose text contains its name: "one", "two", "one two".
class CrudFinalizerTest : public CrudTest {
 protected:
  void run_sets(http::FaultPlan faults = {}) {
    const auto set_for = [this](const std::string& word) {
      return ResourceSet({.handles =
                              [word](const Object& object) {
                                return object["/spec/text"].text().find(word) != std::string_view::npos;
                              },
                          .resources = {plain(word)}});
    };
    run({.name = "notes",
         .resource_router = ResourceRouter({.resource_sets = {set_for("one"), set_for("two")}}),
         .resync_period = 1min},
        std::move(faults));
  }
  // An object as an earlier version of this library left it, which added its finalizer to every object.
  void create_with_ours(const std::string& name, const std::string& text) {
    install();
    Note made = note(name, text);
    made.metadata.finalizers = {"example.com/one", "operatorkit.giantswarm.io/notes", "example.com/two"};
    create(made);
  }
  // No operator handles Notes any more.
  void retire() { instance.reset(); }
};

TEST_F(CrudFinalizerTest, IsNotAddedIfNoSetHandlesTheObject) {
  run_sets();
  create(note("a", "nobody's"));
  create(note("b", "one"));
  simulation.executor().sleep_for(5min);
  EXPECT_EQ(finalizers("a"), none);
  EXPECT_EQ(finalizers("b"), ours_alone);
  EXPECT_THAT(calls, Not(IsEmpty()));
  retire();
  remove("a");
  EXPECT_EQ(finalizers("a"), gone) << "it is deleted without the operator";
}

TEST_F(CrudFinalizerTest, IsNotAddedIfTwoSetsHandleTheObject) {
  run_sets();
  create(note("a", "one two"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(finalizers("a"), none);
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_TRUE(log->has("2 resource sets handle Note default/a"));
  EXPECT_LE(sample("controller_runtime_reconcile_total{controller=\"notes\",result=\"error\"}"), 70);
  retire();
  remove("a");
  EXPECT_EQ(finalizers("a"), gone);
}

TEST_F(CrudFinalizerTest, IsNotAddedIfTheRouterThrows) {
  run({.name = "notes",
       .resource_router = ResourceRouter(
           {.resource_sets = {ResourceSet({.handles = [](const Object&) -> bool { throw std::runtime_error("torn"); },
                                           .resources = {plain("r")}})}})});
  create(note("a"));
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(finalizers("a"), none);
  EXPECT_TRUE(log->has("torn"));
}

TEST_F(CrudFinalizerTest, IsRemovedIfNoSetHandlesTheObject) {
  create_with_ours("a", "nobody's");
  run_sets();
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/one", "example.com/two"})));
  EXPECT_THAT(calls, IsEmpty());
  const std::uint64_t writes = simulation.server().writes();
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes);
}

TEST_F(CrudFinalizerTest, IsRemovedDuringDeletionIfNoSetHandlesTheObject) {
  create_with_ours("a", "nobody's");
  remove("a");
  run_sets();
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/one", "example.com/two"})));
}

TEST_F(CrudFinalizerTest, ItsRemovalIsRetriedAfterFailures) {
  create_with_ours("a", "nobody's");
  int refused = 0;
  bool is_refused = true;
  run_sets({{.effect = http::ErrorResponse{.status = 503}, .only = [&](const http::Request& request) {
               return is_refused && request.method == "PATCH" && ++refused > 0;
             }}});
  simulation.executor().sleep_for(1h);
  EXPECT_GE(refused, 10);
  EXPECT_LE(refused, 100);
  EXPECT_GE(sample("controller_runtime_reconcile_total{controller=\"notes\",result=\"error\"}"), 10);
  is_refused = false;
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/one", "example.com/two"})));
}

// A set that handled the object may have created something for it, so a router with two matching sets does not remove
// the finalizer.
TEST_F(CrudFinalizerTest, StaysUntilOnlyOneSetHandlesTheObject) {
  create_with_ours("a", "one two");
  remove("a");
  run_sets();
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(finalizers("a").as_array().size(), 3U);
  EXPECT_THAT(calls, IsEmpty());
  set_text("a", "two");
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(calls, ElementsAre("two.deleted"));
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/one", "example.com/two"})));
}

// The log repeatedly names the finalizer that holds the object. The deletion completes without a change of the object.
TEST_F(CrudFinalizerTest, AResyncCompletesADeletionOnceOneSetHandlesIt) {
  create_with_ours("a", "one two");
  remove("a");
  bool is_ambiguous = true;
  const auto first = [](const Object&) { return true; };
  const auto second = [&](const Object&) { return is_ambiguous; };
  run({.name = "notes",
       .resource_router =
           ResourceRouter({.resource_sets = {ResourceSet({.handles = first, .resources = {plain("r")}}),
                                             ResourceSet({.handles = second, .resources = {plain("s")}})}}),
       .resync_period = 5min});
  simulation.executor().sleep_for(1s);
  EXPECT_TRUE(
      log->has("2 resource sets handle Note default/a: let .handles return true for only one of them; the finalizer "
               "operatorkit.giantswarm.io/notes stays on the object until then"));
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_GE(sample("controller_runtime_reconcile_total{controller=\"notes\",result=\"error\"}"), 12);
  EXPECT_LE(sample("controller_runtime_reconcile_total{controller=\"notes\",result=\"error\"}"), 40);
  is_ambiguous = false;
  simulation.executor().sleep_for(5min);
  EXPECT_THAT(calls, ElementsAre("r.deleted"));
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/one", "example.com/two"})));
}

TEST_F(CrudFinalizerTest, AnObjectWithoutItIsNotCleanedUp) {
  install();
  for (const char* name : {"one", "one two", "nobodys"}) {
    Note made = note(std::string(name) == "one two" ? "both" : name, name);
    made.metadata.finalizers = {"example.com/other"};
    create(made);
    remove(made.metadata.name);
  }
  const std::uint64_t writes = simulation.server().writes();
  run_sets();
  simulation.executor().sleep_for(10min);
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_EQ(simulation.server().writes(), writes);
  EXPECT_EQ(log->errors(), 0);
}

// The object is deleted before it has the finalizer. Its clean-up runs once, as for any object that is gone.
TEST_F(CrudFinalizerTest, AnObjectDeletedBeforeItIsAddedIsCleanedUpOnce) {
  run_sets({{.effect = http::Delay{1s}, .only = http::requests("PATCH", "/apis/test.pintle.dev"), .times = 1}});
  create(note("a", "one"));
  simulation.executor().sleep_for(500ms);
  ASSERT_EQ(finalizers("a"), none) << "the write of the finalizer is delayed";
  remove("a");
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(instance->transport().injected_faults(), 1U);
  EXPECT_THAT(calls, ElementsAre("one.deleted"));
  EXPECT_EQ(finalizers("a"), gone);
  EXPECT_EQ(log->errors(), 0);
}

TEST_F(CrudFinalizerTest, FollowsAnObjectBetweenSetsAndOutOfAllSets) {
  run_sets();
  create(note("a", "one"));
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), ours_alone);
  set_text("a", "nobody's");
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), none);
  const std::uint64_t writes = simulation.server().writes();
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes);
  set_text("a", "two");
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), ours_alone);
  EXPECT_EQ(calls.back(), "two.created");
  calls.clear();
  remove("a");
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(calls, ElementsAre("two.deleted"));
  EXPECT_EQ(finalizers("a"), gone);
}

// The finalizer must stay until the deletion succeeds, because the last status is written before its removal.
TEST_F(CrudFinalizerTest, IsRemovedOnlyAfterASuccessfulCleanup) {
  on["one.deleted"] = failing(1000000);
  run_sets();
  create(note("a", "one"));
  simulation.executor().sleep_for(10s);
  remove("a");
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(finalizers("a"), ours_alone);
  on.clear();
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(finalizers("a"), gone);
}

TEST_F(CrudFinalizerTest, AnInvalidNameIsRefusedAtStart) {
  framework.emplace(Framework::watching<Note>({.name = "two words", .resource_router = router({plain("r")})}));
  start([this](Manager& manager) { framework->boot(manager); });
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(),
              HasSubstr("the finalizer \"operatorkit.giantswarm.io/two words"));
}

TEST_F(CrudFinalizerTest, CanHaveACustomName) {
  run({.name = "notes", .resource_router = router({plain("r")}), .controller = {.finalizer = "example.com/mine"}});
  create(note("a"));
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(finalizers("a"), json::Value(json::array{"example.com/mine"}));
  remove("a");
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted"));
  EXPECT_EQ(finalizers("a"), gone);
}

}  // namespace
}  // namespace pintle::crud
