// SPDX-License-Identifier: Apache-2.0
// The service of the webhooks in a simulation: which instances receive calls when they start and when they stop.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>
#include <pintle/webhook/admission.hpp>

#include "webhook/test_support.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr const char* service_of_doors = "doors.default";

class WebhookServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(simulation_.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
  }
  static ManagerOptions options() {
    return {
        .name = "doors", .crds = CrdPolicy::adopt, .log_level = LogLevel::off, .webhooks = {.listen = "0.0.0.0:9443"}};
  }
  void add_all(Manager& manager) {
    manager.add(Controller<Door>{.reconcile = [this](const Door& door, Context&) -> Outcome {
      reconciled_ = door.spec.dimensions;
      return done;
    }});
    manager.add(Admission<Door>{.validate = [](const Door&, const AdmissionContext&) { return admitted(); }});
  }
  void start(Instance& instance) {
    instance.start();
    instance.join();
    ASSERT_TRUE(instance.started()) << instance.started().error().to_string();
  }
  Result<Door> create(const std::string& name) {
    return simulation_.user().create(
        Door{.metadata = {.name = name, .namespace_ = "shop"}, .spec = {.dimensions = "80x200"}});
  }
  // The state of a cluster after an earlier release, which had only the first version.
  void create_stored_object_of_the_first_version() {
    ASSERT_TRUE(simulation_.install<OldDoor>());
    ASSERT_TRUE(simulation_.user().create(
        OldDoor{.metadata = {.name = "old", .namespace_ = "shop"}, .spec = {.size = "70x200"}}));
  }
  // Stops the instance, and returns the time that this takes.
  Duration stop_time(Instance& instance) {
    const Instant begin = simulation_.executor().now();
    instance.stop();
    return simulation_.executor().now() - begin;
  }

  Simulation simulation_{{.seed = 3}};
  std::string reconciled_;
};

// The first list of the cache needs the conversion, so the operator must receive calls before its caches are filled.
TEST_F(WebhookServiceTest, AnObjectThatIsStoredInTheFirstVersionDoesNotPreventTheStart) {
  create_stored_object_of_the_first_version();
  Instance instance(simulation_, options(), [this](Manager& manager) { add_all(manager); });

  start(instance);

  ASSERT_TRUE(simulation_.wait_until([&] { return reconciled_ == "70x200"; }));
}

TEST_F(WebhookServiceTest, AnInstanceReceivesNoCallsBeforeItsOtherCachesAreFilled) {
  create_stored_object_of_the_first_version();
  const auto is_of_config_maps = [](const http::Request& request) {
    return request.target.find("/configmaps") != std::string::npos;
  };
  Instance instance(
      simulation_, options(),
      [this](Manager& manager) {
        add_all(manager);
        manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                       .reconcile = [](const Object&, Context&) -> Outcome { return done; }});
      },
      {{.effect = http::ErrorResponse{.status = 503}, .only = is_of_config_maps}});
  instance.start();
  simulation_.executor().sleep_for(30s);
  EXPECT_FALSE(simulation_.network().find_service(service_of_doors));

  instance.transport().set_faults({});
  instance.join();

  EXPECT_TRUE(instance.started()) << instance.started().error().to_string();
  EXPECT_TRUE(simulation_.network().find_service(service_of_doors));
}

// The proxies of the nodes need some seconds until they send calls to other instances only.
TEST_F(WebhookServiceTest, CallsAreServedForSomeTimeAfterAStopIsRequested) {
  ManagerOptions with = options();
  with.leader_election.emplace();
  Instance instance(simulation_, with, [this](Manager& manager) { add_all(manager); });
  start(instance);
  ASSERT_TRUE(simulation_.wait_until([&] { return instance.manager().is_leading(); }));
  const Instant begin = simulation_.executor().now();
  Instant end{};
  Thread stopper = simulation_.executor().spawn({.name = "stopper"}, [&] {
    instance.manager().stop();
    end = simulation_.executor().now();
  });

  for (int i = 0; i < 4; ++i) {
    simulation_.executor().sleep_for(1s);
    EXPECT_FALSE(instance.manager().is_ready());
    const auto made = create("a" + std::to_string(i));
    EXPECT_TRUE(made) << i << ": " << made.error().to_string();
    const auto leases = simulation_.server().objects("leases.coordination.k8s.io");
    EXPECT_EQ(leases.at(0)["/spec/holderIdentity"].text(), "") << "the next leader does not wait for the webhooks";
  }
  stopper.join();

  EXPECT_GE(end - begin, 5s);
  EXPECT_LT(end - begin, 6s);
  EXPECT_FALSE(create("b"));
}

TEST_F(WebhookServiceTest, TheTimeOfTheStopLimitsTheTimeInWhichCallsAreServed) {
  ManagerOptions with = options();
  with.stop_timeout = 3s;
  with.webhooks.drain = 1h;
  Instance instance(simulation_, with, [this](Manager& manager) { add_all(manager); });
  start(instance);
  const Duration time = stop_time(instance);
  EXPECT_GE(time, 3s);
  EXPECT_LT(time, 4s);
}

TEST_F(WebhookServiceTest, WithoutWebhooksTheStopIsNotDelayed) {
  ManagerOptions with = options();
  with.webhooks = {};
  Instance instance(simulation_, with, [](Manager& manager) {
    manager.add(Controller<Door>{.reconcile = [](const Door&, Context&) -> Outcome { return done; }});
  });
  start(instance);
  EXPECT_LT(stop_time(instance), 1s);
}

}  // namespace
}  // namespace pintle::testkit
