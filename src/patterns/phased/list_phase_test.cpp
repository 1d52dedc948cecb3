// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased.hpp>

#include <map>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>

#include "../operator_test_support.hpp"

namespace pintle::phased {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Parts final : public ListPhase<Bucket> {
 public:
  std::string name() const override { return "Parts"; }
  Outcome read(const Bucket& bucket, Context& context, ObjectLists& lists) override {
    std::map<std::string, std::string> data = more;
    data.emplace("size", std::to_string(bucket.spec.size));
    for (const std::string& one : parts) {
      Metadata metadata = owned_by(bucket, one);
      if (!owned) metadata.owner_references.clear();
      lists.expect(ConfigMap{.metadata = metadata, .data = data});
    }
    return lists.find(context, ConfigMap::type, {.namespace_ = bucket.metadata.namespace_});
  }

  std::vector<std::string> parts = {"1", "2"};
  std::map<std::string, std::string> more{};  // additional data of each part
  bool owned = true;
};

class ListPhaseTest : public BucketOperatorTest {
 protected:
  // Starts the operator, and waits until it has created the parts of one bucket.
  void run_over_one() {
    const StdK8sReconciler<K8sReconciler<Bucket>> reconciler{.reconciler = std::make_shared<K8sReconciler<Bucket>>(),
                                                             .phases = {parts}};
    auto controller = reconciler.controller();
    controller.owns = {ConfigMap::type};
    run(std::move(controller));
    create("a");
    ASSERT_TRUE(simulation.run_until_idle());
  }
  [[nodiscard]] std::vector<std::string> stored_parts() {
    std::vector<std::string> all;
    for (const Object& one : simulation.server().objects("configmaps")) {
      all.push_back(std::string(one.name()) + "=" + std::string(one["/data/size"].text()));
    }
    return all;
  }
  void set_size(int size) {
    ASSERT_TRUE(
        simulation.user().patch(Bucket::type, {"default", "a"}, json::Value{{"spec", json::object{{"size", size}}}}));
    ASSERT_TRUE(simulation.run_until_idle());
  }

  std::shared_ptr<Parts> parts = std::make_shared<Parts>();
};

TEST_F(ListPhaseTest, CreatesExpectedObjectsAndRecordsAnEvent) {
  run_over_one();
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=1", "a-2=1"));
  EXPECT_THAT(events(), ElementsAre("Normal CreateCompleted ConfigMap default/a-1, ConfigMap default/a-2"));
}

TEST_F(ListPhaseTest, UpdatesAndRemoves) {
  run_over_one();
  parts->parts = {"1"};
  set_size(2);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2"));
  EXPECT_THAT(events(), ::testing::IsSupersetOf({"Normal UpdateCompleted ConfigMap default/a-1",
                                                 "Normal DeleteCompleted ConfigMap default/a-2"}));
}

TEST_F(ListPhaseTest, WritesNothingWhenNothingDiffers) {
  run_over_one();
  const std::uint64_t writes = simulation.server().writes();
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";
}

TEST_F(ListPhaseTest, UndoesForeignChanges) {
  run_over_one();
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "a-1"},
                                      json::Value{{"data", json::object{{"size", "9"}, {"theirs", "1"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=1", "a-2=1"));
  EXPECT_EQ(simulation.server().objects("configmaps").at(0)["/data/theirs"], "1") << "fields of other managers stay";
}

TEST_F(ListPhaseTest, WaitsForTheEndOfAnExpectedObjectThatIsBeingDeleted) {
  run_over_one();
  const auto hold = [&](const json::Value& finalizers) {
    const json::Value held{{"metadata", {{"finalizers", finalizers}}}};
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "a-1"}, held));
  };
  hold(json::array{"test.pintle.dev/hold"});
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "a-1"}));
  set_size(2);
  EXPECT_TRUE(outcomes.back().is_requeue());
  hold(nullptr);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(outcomes.back().is_done());
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-2=2"));
}

TEST_F(ListPhaseTest, RemovesMembersThatAreNoLongerExpected) {
  parts->more = {{"a", "1"}, {"b", "2"}};
  run_over_one();
  for (const std::string gone : {"a", "b"}) {
    parts->more.erase(gone);
    touch("a");
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_FALSE(simulation.server().objects("configmaps").at(0)["/data/" + gone].exists());
  }
}

TEST_F(ListPhaseTest, SetsTheControllerOfObjectsWithoutOne) {
  parts->owned = false;
  run_over_one();
  const auto owner = controller_of(simulation.server().objects("configmaps").at(0));
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->uid, stored("a").uid());
  set_size(2);
  EXPECT_TRUE(controller_of(simulation.server().objects("configmaps").at(0))) << "an update keeps the owner reference";
}

TEST_F(ListPhaseTest, DoesNotChangeForeignObjects) {
  for (const char* name : {"theirs", "a-1"}) {
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = name, .namespace_ = "default"}, .data = {{"size", "their own"}}}));
  }
  run_over_one();
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=their own", "theirs=their own"));
  EXPECT_EQ(outcomes.front().as_failed()->code, ErrorCode::already_exists);
}

// The back-off has grown to 1000 s by then.
TEST_F(ListPhaseTest, AForeignObjectThatDisappearsMakesRoomAtOnce) {
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "a-1", .namespace_ = "default"}, .data = {{"size", "their own"}}}));
  run_over_one();
  simulation.executor().sleep_for(1h);
  ASSERT_THAT(stored_parts(), ElementsAre("a-1=their own"));
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "a-1"}));
  simulation.executor().sleep_for(1s);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=1", "a-2=1"));
}

TEST_F(ListPhaseTest, AFailedWriteFailsTheReconcileAndIsRetried) {
  run_over_one();
  set_faults({{.effect = http::ErrorResponse{.status = 500}, .only = http::requests("PATCH", "/api/v1"), .times = 1},
              {.effect = http::ErrorResponse{.status = 500}, .only = http::requests("POST", "/api/v1"), .times = 1},
              {.effect = http::ErrorResponse{.status = 500}, .only = http::requests("DELETE", "/api/v1"), .times = 1}});
  parts->parts = {"1", "3"};
  set_size(2);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-3=2"));
  EXPECT_EQ(reconciles("error"), 3);
}

TEST_F(ListPhaseTest, AnInvalidListIsNotRetried) {
  parts->parts = {"1", "1"};
  run_over_one();
  EXPECT_EQ(outcomes.size(), 1U);
  EXPECT_THAT(outcomes.front().as_failed()->to_string(),
              HasSubstr("Error when run phase Parts: two expected objects are the same"));
}

}  // namespace
}  // namespace pintle::phased
