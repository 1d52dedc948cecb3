// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased.hpp>

#include <map>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/json/pointer.hpp>

#include "../operator_test_support.hpp"

namespace pintle::phased {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class Parts final : public ListPhase<Bucket> {
 public:
  std::string name() const override { return "Parts"; }
  Outcome read(const Bucket& bucket, Context& context, ObjectLists& lists) override {
    std::map<std::string, std::string> data = more;
    data.emplace("size", std::to_string(bucket.spec.size));
    for (const std::string& one : parts) {
      Metadata metadata = owned_by(bucket, one);
      if (!owned) metadata.owner_references.clear();
      metadata.owner_references.insert(metadata.owner_references.end(), owners.begin(), owners.end());
      lists.expect(ConfigMap{.metadata = metadata, .data = data});
    }
    return lists.find(context, ConfigMap::type, {.namespace_ = bucket.metadata.namespace_});
  }

  std::vector<std::string> parts = {"1", "2"};
  std::map<std::string, std::string> more{};  // additional data of each part
  bool owned = true;
  std::vector<OwnerReference> owners{};  // further owners of each part
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

  // An owner of the parts that is not their controller.
  [[nodiscard]] OwnerReference other_owner() {
    const auto other = simulation.user().create(Secret{.metadata = {.name = "other", .namespace_ = "default"}});
    OwnerReference reference = controller_reference(Secret::type, other->metadata);
    reference.controller = reference.block_owner_deletion = false;
    return reference;
  }
  // The names of the owners of the first part, with "!" behind the controller.
  [[nodiscard]] std::vector<std::string> stored_owners() {
    std::vector<std::string> all;
    const auto stored = simulation.server().objects("configmaps");
    for (const json::View owner : stored.at(0).owner_references().elements()) {
      all.push_back(std::string(owner.member("name").text()) + (owner.member("controller") == true ? "!" : ""));
    }
    return all;
  }
  // Expects that a further reconcile writes nothing, and that the parts can still be updated and removed.
  void expect_controlled() {
    const std::uint64_t writes = simulation.server().writes();
    touch("a");
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";
    parts->parts = {"1"};
    set_size(9);
    EXPECT_THAT(stored_parts(), ElementsAre("a-1=9"));
    EXPECT_EQ(reconciles("error"), 0);
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

TEST_F(ListPhaseTest, StaysTheControllerBesideAnExpectedOwner) {
  parts->owned = false;
  parts->owners = {other_owner()};
  run_over_one();
  set_size(2);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-2=2"));
  EXPECT_THAT(stored_owners(), UnorderedElementsAre("other", "a!"));
  expect_controlled();
}

TEST_F(ListPhaseTest, StaysTheControllerOfObjectsThatNoLongerNameTheirOwner) {
  run_over_one();
  parts->owned = false;
  set_size(2);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-2=2"));
  EXPECT_THAT(stored_owners(), ElementsAre("a!"));
  expect_controlled();
}

TEST_F(ListPhaseTest, KeepsTheOwnersThatOtherClientsAdd) {
  run_over_one();
  json::Value part = simulation.server().objects("configmaps").at(0).to_value();
  const OwnerReference other = other_owner();
  json::find(part, "/metadata/ownerReferences")
      ->as_array()
      .emplace_back(json::object{
          {"apiVersion", other.api_version}, {"kind", other.kind}, {"name", other.name}, {"uid", other.uid}});
  ASSERT_TRUE(simulation.user().replace(part));
  ASSERT_TRUE(simulation.run_until_idle());
  set_size(2);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-2=2"));
  EXPECT_THAT(stored_owners(), UnorderedElementsAre("a!", "other"));
  expect_controlled();
}

TEST_F(ListPhaseTest, AnExpectedObjectOfAnotherControllerIsAnError) {
  parts->owned = false;
  parts->owners = {other_owner()};
  parts->owners[0].controller = true;
  run_over_one();
  EXPECT_THAT(stored_parts(), IsEmpty());
  ASSERT_EQ(outcomes.size(), 1U) << "it is not retried";
  ASSERT_NE(outcomes[0].as_failed(), nullptr);
  EXPECT_THAT(outcomes[0].as_failed()->to_string(),
              HasSubstr("ConfigMap default/a-1 is expected with another controller, Secret other"));

  const OwnerReference other = std::exchange(parts->owners, {})[0];
  set_size(2);
  EXPECT_THAT(stored_owners(), ElementsAre("a!"));
  parts->owners = {other};
  set_size(3);
  EXPECT_THAT(stored_parts(), ElementsAre("a-1=2", "a-2=2"));
  EXPECT_THAT(stored_owners(), ElementsAre("a!")) << "the objects are not given away";
}

// The garbage collector has deleted both, and the cache still contains the owner.
TEST_F(ListPhaseTest, DoesNotCreateTheObjectsOfAnOwnerThatIsGoneAgain) {
  run_over_one();
  set_faults({{.effect = http::Drop{}, .only = [](const http::Request& request) {
                 return request.method == "GET" && request.target.find("/buckets?") != std::string::npos;
               }}});
  simulation.executor().sleep_for(30min);  // the watch has ended
  outcomes.clear();
  erase("a");
  ASSERT_TRUE(simulation.wait_until([this] { return !outcomes.empty(); }));
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(stored_parts(), IsEmpty());
  EXPECT_LE(outcomes.size(), 30U);
  ASSERT_NE(outcomes[0].as_failed(), nullptr);
  EXPECT_THAT(outcomes[0].as_failed()->to_string(), HasSubstr("no longer exists"));
  EXPECT_THAT(events(), Not(Contains(HasSubstr("already exists"))));

  set_faults({});
  create("b");
  ASSERT_TRUE(simulation.wait_until([this] { return stored_parts().size() == 2; }));
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "b-1"}));
  simulation.executor().sleep_for(1s);
  EXPECT_THAT(stored_parts(), ElementsAre("b-1=1", "b-2=1")) << "an object of an existing owner is created again";
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
