// SPDX-License-Identifier: Apache-2.0
// Reconciles of an object that has changed since the cache received it.
#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::external {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// The resources outside the cluster, by the names of their objects. read() finds them, so each is created once.
class ExternalStaleObjectTest : public ExternalReconcilerTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(simulation.install<Bucket>());
    buckets->on["diff"] = [this](Context& context) -> Outcome {
      buckets->needed = {.need_create = !resources.contains(context.object().name())};
      return done;
    };
    buckets->on["create"] = [this](Context& context) -> Outcome {
      created.emplace_back(context.object().uid());
      resources.emplace(context.object().name());
      return done;
    };
    buckets->on["remove"] = [this](Context& context) -> Outcome {
      resources.erase(std::string(context.object().name()));
      return done;
    };
  }
  // Runs `change` in the first reconcile after read(): the reconcile continues with an object that is not the latest.
  void during_the_first_reconcile(std::function<void()> change) {
    buckets->on["read"] = [change = std::move(change), is_first = true](Context&) mutable -> Outcome {
      if (std::exchange(is_first, false)) change();
      return done;
    };
  }
  // Deletes the object as the former leader did: the finalizer is removed after the resource.
  void erase_completely(const std::string& name) {
    erase(name);
    const json::Value without = {{"metadata", {{"finalizers", nullptr}}}};
    const auto released = simulation.user().patch(Bucket::type, {"default", name}, without);
    ASSERT_TRUE(released) << released.error().to_string();
    ASSERT_FALSE(stored(name));
  }
  static bool is_read_of_object(const http::Request& request) {
    return request.method == "GET" && request.target.find("/buckets/") != std::string::npos;
  }
  static bool is_watch_of_objects(const http::Request& request) {
    return http::is_watch(request) && request.target.find("/buckets") != std::string::npos;
  }

  std::set<std::string, std::less<>> resources;
  std::vector<std::string> created;  // the uids of the objects for which create() was called
};

// The deletion may have been completed by another instance, whose events this one has not received yet. Nothing would
// remove a resource that is created afterwards.
TEST_F(ExternalStaleObjectTest, AnObjectThatIsGoneGetsNoResource) {
  create("a", {finalizer});
  during_the_first_reconcile([this] { erase_completely("a"); });
  run(with(finalizer).controller());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "diff"));
  EXPECT_THAT(outcomes, SizeIs(1));
  EXPECT_TRUE(outcomes.front().is_done()) << "the event of the deletion follows";
  EXPECT_THAT(buckets->errors, IsEmpty());
  EXPECT_THAT(resources, IsEmpty());
  create("b", {finalizer});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(resources, ElementsAre("b")) << "an existing object gets its resource";
}

TEST_F(ExternalStaleObjectTest, AnotherObjectOfTheNameGetsItsOwnResource) {
  create("a", {finalizer});
  during_the_first_reconcile([this] {
    erase_completely("a");
    create("a", {finalizer});
  });
  run(with(finalizer).controller());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(created, ElementsAre(stored("a").uid())) << "not for the object that is gone";
  EXPECT_THAT(buckets->errors, IsEmpty());
}

// The watch delivers the deletion three minutes late.
TEST_F(ExternalStaleObjectTest, AnObjectThatIsBeingDeletedGetsNoResource) {
  create("a", {finalizer});
  during_the_first_reconcile([this] { erase("a"); });
  start(with(finalizer).controller());
  // The first two lines are the initial events.
  set_faults({{.effect = http::StallEvents{.nth = 3, .duration = 3min}, .only = is_watch_of_objects, .times = 1}});
  simulation.executor().sleep_for(2min);
  ASSERT_TRUE(stored("a").is_deleting());
  EXPECT_GE(outcomes.size(), 2U) << "the reconcile is repeated";
  EXPECT_LE(outcomes.size(), 20U) << "with back-off";
  for (const Outcome& outcome : outcomes) EXPECT_TRUE(outcome.is_requeue());
  EXPECT_THAT(buckets->calls, Not(Contains("remove")));
  simulation.executor().sleep_for(20min);
  EXPECT_FALSE(stored("a"));
  EXPECT_EQ(buckets->calls.back(), "remove");
  EXPECT_THAT(created, IsEmpty());
}

TEST_F(ExternalStaleObjectTest, TheObjectIsReadOnlyBeforeACreate) {
  create("a", {finalizer});
  run(with(finalizer).controller());
  set_faults({{.effect = http::Delay{}, .only = is_read_of_object}});
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_THAT(resources, ElementsAre("a"));
  const std::uint64_t before = instance->transport().injected_faults();
  for (int i = 0; i < 5; ++i) {
    touch("a");
    ASSERT_TRUE(simulation.run_until_idle());
  }
  EXPECT_EQ(outcomes.size(), 6U);
  EXPECT_EQ(instance->transport().injected_faults(), before);
  create("b", {finalizer});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(resources, ElementsAre("a", "b"));
  EXPECT_EQ(instance->transport().injected_faults(), before + 1);
}

TEST_F(ExternalStaleObjectTest, AFailureToReadTheObjectIsPassedToTheErrorHook) {
  run(with(finalizer).controller());
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_read_of_object}});
  create("a", {finalizer});
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(created, IsEmpty());
  EXPECT_GE(outcomes.size(), 2U);
  EXPECT_LE(outcomes.size(), 30U) << "with back-off";
  EXPECT_EQ(buckets->errors.size(), outcomes.size());
  EXPECT_TRUE(log->has("error=read the object before create()")) << log->lines().back();
  set_faults({});
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(resources, ElementsAre("a"));
}

}  // namespace
}  // namespace pintle::external
