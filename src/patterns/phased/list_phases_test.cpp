// SPDX-License-Identifier: Apache-2.0
// Several ListPhases with objects of one kind: each object belongs to one phase.
#include <pintle/patterns/phased.hpp>

#include <algorithm>
#include <map>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>

#include "../operator_test_support.hpp"

namespace pintle::phased {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Expects the ConfigMaps NAME-PART of a bucket. `after_read` is called after it has read them.
class Maps final : public ListPhase<Bucket> {
 public:
  Maps(std::string name, std::vector<std::string> expected) : parts(std::move(expected)), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  Outcome read(const Bucket& bucket, Context& context, ObjectLists& lists) override {
    if (fails) return fail(ErrorCode::unavailable, "cannot read");
    for (const std::string& part : parts) {
      lists.expect(ConfigMap{.metadata = owned_by(bucket, part), .data = {{"of", name_}}});
    }
    const CacheListOptions options{.namespace_ = bucket.metadata.namespace_};
    for (int i = 0; i < finds; ++i) {
      if (Outcome found = lists.find(context, ConfigMap::type, options); !found.is_done()) return found;
    }
    if (after_read) std::exchange(after_read, nullptr)();
    return done;
  }
  ErrorDecision on_error(const Bucket&, Context&, ObjectLists&, const Error& error) override {
    if (handles) return handled_continue;
    return propagate(error);
  }

  std::vector<std::string> parts;
  int finds = 1;
  bool fails = false;
  bool handles = false;
  std::function<void()> after_read{};

 private:
  const std::string name_;
};

class ListPhasesTest : public BucketOperatorTest {
 protected:
  using Parent = K8sReconciler<Bucket>;

  [[nodiscard]] Controller<Bucket> controller(bool reports_ready = false) {
    auto made =
        StdK8sReconciler<Parent>{
            .reconciler = std::make_shared<Parent>(), .phases = {a, b}, .reports_ready = reports_ready}
            .controller();
    made.owns = {ConfigMap::type};
    made.resync_period = 1min;
    return made;
  }
  // Each write takes a millisecond, so that time also passes if two phases undo each other's writes.
  void run(Controller<Bucket> what) {
    BucketOperatorTest::run(std::move(what));
    set_faults(
        {{.effect = http::Delay{1ms}, .only = [](const http::Request& request) { return request.method != "GET"; }}});
  }
  void run_over_one() {
    run(controller());
    create("x");
    expect_quiet();
  }
  // At first there are only a few writes, and then none for an hour, although each object is reconciled every minute.
  void expect_quiet() {
    const std::uint64_t before = simulation.server().writes();
    ASSERT_FALSE(simulation.wait_until([&] { return simulation.server().writes() > before + 50; }, 1min)) << "a fight";
    const std::uint64_t writes_when_idle = simulation.server().writes();
    const std::size_t reconciles_before = outcomes.size();
    simulation.executor().sleep_for(1h);
    EXPECT_EQ(simulation.server().writes(), writes_when_idle);
    EXPECT_GE(outcomes.size(), reconciles_before + 50) << "the object was reconciled";
  }
  // The ConfigMaps and the phases of their labels, for example "x-1=A".
  [[nodiscard]] std::vector<std::string> marks() {
    std::vector<std::string> all;
    for (const Object& one : simulation.server().objects("configmaps")) {
      all.push_back(std::string(one.name()) + "=" + std::string(one.label("pintle.dev/phase")));
    }
    return all;
  }
  [[nodiscard]] Object map(const std::string& name) {
    return simulation.user().get(GroupVersionKind(ConfigMap::type), {"default", name}).value_or(Object());
  }
  // A ConfigMap without a phase label, as an earlier version of this library created it.
  void make_unmarked(const std::string& part, const std::string& data = "older") {
    Metadata metadata = owned_by(stored("x"), part);
    metadata.annotations[std::string(last_applied_annotation)] =
        R"({"apiVersion":"v1","data":{"of":")" + data + R"(","once":"1"},"kind":"ConfigMap"})";
    const auto made = simulation.user().create(ConfigMap{.metadata = metadata, .data = {{"of", data}, {"once", "1"}}});
    ASSERT_TRUE(made) << made.error().to_string();
  }
  [[nodiscard]] std::string start_error(std::vector<std::shared_ptr<Maps>> phases, bool reports_ready = false) {
    StdK8sReconciler<Parent> reconciler{.reconciler = std::make_shared<Parent>(), .reports_ready = reports_ready};
    for (const auto& phase : phases) reconciler.phases.emplace_back(phase);
    start(reconciler.controller());
    instance->join();
    return instance->started() ? "started" : instance->started().error().to_string();
  }

  std::shared_ptr<Maps> a = std::make_shared<Maps>("A", std::vector<std::string>{"1", "2"});
  std::shared_ptr<Maps> b = std::make_shared<Maps>("B", std::vector<std::string>{"3"});
};

TEST_F(ListPhasesTest, DoNotChangeTheObjectsOfEachOther) {
  run_over_one();
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B"));
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_THAT(events(), Not(Contains(HasSubstr("DeleteCompleted"))));
}

TEST_F(ListPhasesTest, AShorterListRemovesOnlyObjectsOfItsPhase) {
  run_over_one();
  const std::string kept = std::string(map("x-3").uid());
  a->parts = {"1"};
  simulation.executor().sleep_for(2min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-3=B"));
  b->parts = {};
  a->parts = {"1", "4"};
  simulation.executor().sleep_for(2min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-4=A"));
  expect_quiet();
}

// Objects from before the phase label existed.
class ListPhaseUpgradeTest : public ListPhasesTest {
 protected:
  void SetUp() override {
    const auto parts_of_a = std::exchange(a->parts, {});
    const auto parts_of_b = std::exchange(b->parts, {});
    run(controller());
    create("x");
    simulation.executor().sleep_for(10s);
    instance.reset();
    a->parts = parts_of_a;
    b->parts = parts_of_b;
  }
};

TEST_F(ListPhaseUpgradeTest, AnExpectedObjectWithoutTheLabelIsLabelledAndKept) {
  make_unmarked("1");
  make_unmarked("3");
  const std::string uid = std::string(map("x-3").uid());
  run(controller());
  expect_quiet();
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B"));
  EXPECT_EQ(map("x-3").uid(), uid) << "it was not deleted meanwhile";
  EXPECT_EQ(map("x-3")["/data/of"], "B");
  EXPECT_THAT(events(), Not(Contains(HasSubstr("UnclaimedObjects"))));
  EXPECT_FALSE(map("x-3")["/data/once"].exists()) << "a field that only the older version desired is removed";
  b->parts = {};
  simulation.executor().sleep_for(2min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A")) << "the phase deletes it like its other objects";
}

TEST_F(ListPhaseUpgradeTest, AnEqualObjectWithoutTheLabelIsLabelled) {
  make_unmarked("3", "B");
  a->parts = {};
  run(controller());
  expect_quiet();
  EXPECT_THAT(marks(), ElementsAre("x-3=B"));
}

TEST_F(ListPhaseUpgradeTest, AnUnclaimedObjectStaysAndIsReported) {
  make_unmarked("9");
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = owned_by(stored("x"), "made-otherwise")}));
  run(controller());
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B", "x-9=", "x-made-otherwise="));
  const auto last_diff = events();
  const auto about = std::count_if(last_diff.begin(), last_diff.end(), [](const std::string& event) {
    return event.find("Warning UnclaimedObjects") != std::string::npos;
  });
  EXPECT_GE(about, 1);
  EXPECT_LE(about, 3) << "a series, not one Event for each reconcile";
  EXPECT_THAT(last_diff, Contains(HasSubstr("ConfigMap default/x-9")));
  EXPECT_THAT(last_diff, Not(Contains(HasSubstr("x-made-otherwise")))) << "no phase has created it";
  EXPECT_THAT(last_diff, Not(Contains(HasSubstr("UnclaimedObjects ConfigMap default/x-1"))));
}

TEST_F(ListPhaseUpgradeTest, NothingIsReportedWhileAPhaseFails) {
  make_unmarked("3");
  b->fails = true;
  for (const bool handles : {false, true}) {
    b->handles = handles;
    run(controller());
    simulation.executor().sleep_for(10min);
    EXPECT_THAT(events(), Not(Contains(HasSubstr("UnclaimedObjects")))) << handles;
    EXPECT_TRUE(map("x-3"));
    instance.reset();
  }
}

TEST_F(ListPhasesTest, ObjectsOfARemovedPhaseStayAndAreReported) {
  run_over_one();
  instance.reset();
  b = std::make_shared<Maps>("C", std::vector<std::string>{"5"});
  run(controller());
  simulation.executor().sleep_for(10min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B", "x-5=C"));
  EXPECT_THAT(events(), Contains(HasSubstr("Warning UnclaimedObjects ConfigMap default/x-3")));
}

TEST_F(ListPhasesTest, ARenamedPhaseKeepsItsObjects) {
  run_over_one();
  const std::string uid = std::string(map("x-3").uid());
  instance.reset();
  b = std::make_shared<Maps>("C", std::vector<std::string>{"3"});
  run(controller());
  expect_quiet();
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=C"));
  EXPECT_EQ(map("x-3").uid(), uid);
}

TEST_F(ListPhasesTest, AnObjectMovesToAnEarlierPhaseWithoutDeletion) {
  run_over_one();
  const std::string uid = std::string(map("x-3").uid());
  a->parts = {"1", "2", "3"};
  b->parts = {};
  simulation.executor().sleep_for(2min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=A"));
  EXPECT_EQ(map("x-3").uid(), uid);
  expect_quiet();
}

TEST_F(ListPhasesTest, AFailedMoveDoesNotRemoveTheObject) {
  run_over_one();
  set_faults({{.effect = http::ErrorResponse{.status = 503}, .only = http::requests("PATCH", "/api/v1")}});
  a->parts = {"1", "2", "3"};
  a->handles = true;
  b->parts = {};
  simulation.executor().sleep_for(10min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B"));
  EXPECT_GE(instance->transport().injected_faults(), 1U);
  set_faults({});
  simulation.executor().sleep_for(30min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=A"));
}

TEST_F(ListPhasesTest, AFailedReadDefersTheRemovalsOfLaterPhases) {
  run_over_one();
  const std::string uid = std::string(map("x-3").uid());
  a->parts = {"1", "2", "3"};
  b->parts = {};
  a->fails = a->handles = true;
  const std::size_t reconciles_before = outcomes.size();
  simulation.executor().sleep_for(10min);
  EXPECT_GE(outcomes.size(), reconciles_before + 5);
  EXPECT_EQ(map("x-3").uid(), uid) << "the failed phase may expect it";
  a->fails = false;
  simulation.executor().sleep_for(2min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=A"));
  EXPECT_EQ(map("x-3").uid(), uid);
  expect_quiet();
}

TEST_F(ListPhasesTest, AnInvalidListDefersTheRemovalsOfLaterPhases) {
  run_over_one();
  a->parts = {"3", "1", "1"};
  a->handles = true;
  b->parts = {};
  simulation.executor().sleep_for(10min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B"));
}

TEST_F(ListPhasesTest, AFailedWriteDefersNoRemovalOfLaterPhases) {
  run_over_one();
  set_faults({{.effect = http::ErrorResponse{.status = 503}, .only = http::requests("POST", "/api/v1")}});
  a->parts = {"1", "2", "4"};
  a->handles = true;
  b->parts = {};
  simulation.executor().sleep_for(10min);
  EXPECT_GE(instance->transport().injected_faults(), 1U);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A")) << "the failed phase has stated that it does not expect x-3";
}

TEST_F(ListPhasesTest, AnObjectThatTwoPhasesExpectIsAnErrorWithoutALoop) {
  b->parts = {"2"};
  run(controller(true));
  create("x");
  const std::uint64_t before = simulation.server().writes();
  ASSERT_FALSE(simulation.wait_until([&] { return simulation.server().writes() > before + 20; }, 1min)) << "a fight";
  simulation.executor().sleep_for(1h);
  EXPECT_LT(simulation.server().writes(), before + 20);
  EXPECT_LT(reconciles("error"), 70) << "once each minute, with each reconcile";
  ASSERT_FALSE(outcomes.empty());
  ASSERT_NE(outcomes.back().as_failed(), nullptr);
  EXPECT_THAT(outcomes.back().as_failed()->to_string(),
              HasSubstr("ConfigMap default/x-2 is expected by the phases \"A\" and \"B\""));
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A"));
  EXPECT_FALSE(is_condition_true(stored("x"), "Ready"));
}

TEST_F(ListPhasesTest, LongNamesOfPhasesGiveValidDistinctLabels) {
  const std::string same(100, 'n');
  a = std::make_shared<Maps>(same + " of volumes", std::vector<std::string>{"1"});
  b = std::make_shared<Maps>(same + " of servers", std::vector<std::string>{"2"});
  run_over_one();
  const auto all = simulation.server().objects("configmaps");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NE(all[0].label("pintle.dev/phase"), all[1].label("pintle.dev/phase"));
  for (const Object& one : all) {
    EXPECT_FALSE(one.label("pintle.dev/phase").empty());
    EXPECT_LE(one.label("pintle.dev/phase").size(), 63U);
  }
}

// Otherwise, the duplicates would be treated as unexpected and removed in each reconcile.
TEST_F(ListPhasesTest, DuplicatesInAReadAreMerged) {
  a->finds = 3;
  run_over_one();
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=A", "x-3=B"));
}

TEST_F(ListPhasesTest, AForeignReplacementIsNotDeleted) {
  run_over_one();
  a->parts = {"1"};
  a->after_read = [this] {
    ASSERT_TRUE(simulation.user().remove(GroupVersionKind(ConfigMap::type), {"default", "x-2"}));
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "x-2", .namespace_ = "default"}}));
  };
  simulation.executor().sleep_for(10min);
  EXPECT_THAT(marks(), ElementsAre("x-1=A", "x-2=", "x-3=B"));
}

TEST_F(ListPhasesTest, AForeignReplacementIsNotOverwritten) {
  run_over_one();
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x-3"},
                                      json::Value{{"data", json::object{{"of", "somebody"}}}}));
  b->after_read = [this] {
    ASSERT_TRUE(simulation.user().remove(GroupVersionKind(ConfigMap::type), {"default", "x-3"}));
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = "x-3", .namespace_ = "default"}, .data = {{"of", "somebody else"}}}));
  };
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(map("x-3")["/data/of"], "somebody else");
}

TEST_F(ListPhasesTest, InvalidNamesOfPhasesAreRefusedAtStart) {
  const auto phase = [](const std::string& name) { return std::make_shared<Maps>(name, std::vector<std::string>{}); };
  EXPECT_THAT(start_error({phase("A"), phase("B"), phase("A")}), HasSubstr("phases 1 and 3 have the same name \"A\""));
  EXPECT_THAT(start_error({phase("")}), HasSubstr("phase 1 has no name"));
  EXPECT_THAT(start_error({phase("Ready")}, true), HasSubstr("\"Ready\""));
  EXPECT_THAT(start_error({phase("two words")}, true), HasSubstr("condition \"two words\""));
  EXPECT_EQ(start_error({phase("two words"), phase("Ready")}), "started") << "both are invalid types of a condition";
}

}  // namespace
}  // namespace pintle::phased
