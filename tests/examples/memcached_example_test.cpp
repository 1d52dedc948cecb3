// SPDX-License-Identifier: Apache-2.0
// The Memcached example, unchanged, in a simulated cluster. The tests do the work of the Deployment controller.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>

#define main example_main
namespace memcached_operator {
#include "../../examples/13-memcached/main.cpp"
}
#undef main

namespace pintle::testkit {
namespace {

using memcached_operator::Memcached;
using memcached_operator::memcacheds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MemcachedCluster {
 public:
  explicit MemcachedCluster(Controller<Memcached> controller = memcacheds("cache:1"))
      : controller_(std::move(controller)) {
    EXPECT_TRUE(simulation_.install<Memcached>());
  }

  void start(http::FaultPlan faults = {}) {
    operator_ = std::make_unique<Instance>(
        simulation_, ManagerOptions{.name = "memcached-operator", .log_level = LogLevel::off},
        [this](Manager& manager) { manager.add(controller_); }, std::move(faults));
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  void stop() { operator_->stop(); }
  void crash() {
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->transport().is_crashed(); }));
    operator_->crash();
  }
  // The operator of the next start has this image.
  void upgrade(const std::string& image) { controller_ = memcacheds(image); }

  Result<Object> create(const json::object& spec, const std::string& name = "a") {
    return user().create(json::object{{"apiVersion", "cache.demo.pintle.dev/v1"},
                                      {"kind", "Memcached"},
                                      {"metadata", json::object{{"name", name}, {"namespace", "default"}}},
                                      {"spec", spec}});
  }
  void change(const json::object& spec) {
    const auto changed = user().patch(Memcached::type, key_, json::Value{{"spec", spec}});
    ASSERT_TRUE(changed) << changed.error().to_string();
    EXPECT_TRUE(simulation_.run_until_idle());
  }
  // Sets the status of the Deployment as a Deployment controller does.
  void set_deployment_status(std::int64_t available, const std::string& is_progressing = "True") {
    const json::object is_available{{"type", "Available"}, {"status", available > 0 ? "True" : "False"}};
    const json::object progressing{
        {"type", "Progressing"}, {"status", is_progressing}, {"message", "the rollout is slow"}};
    const json::object status{{"observedGeneration", deployment().generation()},
                              {"replicas", deployment()["/spec/replicas"].to_value()},
                              {"updatedReplicas", deployment()["/spec/replicas"].to_value()},
                              {"readyReplicas", available},
                              {"availableReplicas", available},
                              {"conditions", json::array{is_available, progressing}}};
    const auto set = user().patch(Deployment::type, key_, json::Value{{"status", status}}, {.subresource = "status"});
    ASSERT_TRUE(set) << set.error().to_string();
    EXPECT_TRUE(simulation_.run_until_idle());
  }

  [[nodiscard]] std::vector<Object> deployments() { return simulation_.server().objects("deployments.apps"); }
  [[nodiscard]] Object deployment() { return deployments().at(0); }
  // For example "Available=True Progressing=False Degraded=False", or "none".
  [[nodiscard]] std::string conditions() {
    std::string text;
    for (const char* type : {"Available", "Progressing", "Degraded"}) {
      const auto condition = find_condition(memcached(), type);
      if (!condition) continue;
      const char* const status = condition->status == ConditionStatus::true_ ? "True" : "False";
      text += (text.empty() ? "" : " ") + std::string(type) + "=" + status;
    }
    return text.empty() ? "none" : text;
  }
  [[nodiscard]] std::string message(std::string_view type) {
    const auto condition = find_condition(memcached(), type);
    return condition ? condition->message : "none";
  }
  [[nodiscard]] Object memcached() { return simulation_.server().objects("memcacheds.cache.demo.pintle.dev").at(0); }
  [[nodiscard]] Client& user() { return simulation_.user(); }
  [[nodiscard]] Simulation& simulation() { return simulation_; }

 private:
  Controller<Memcached> controller_;
  const ObjectKey key_{"default", "a"};
  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::unique_ptr<Instance> operator_;
};

// The life of one object. Returns the differences from the expected behaviour.
std::vector<std::string> problems_of(const Controller<Memcached>& controller) {
  std::vector<std::string> problems;
  const auto expect = [&](bool is_right, const char* problem) {
    if (!is_right) problems.emplace_back(problem);
  };
  MemcachedCluster cluster(controller);
  cluster.start();
  EXPECT_TRUE(cluster.create({{"size", 3}, {"containerPort", 11222}}));
  if (!cluster.simulation().run_until_idle()) return {"the cluster does not become idle"};
  expect(cluster.deployments().size() == 1, "no Deployment");
  if (cluster.deployments().empty()) return problems;
  expect(cluster.deployment()["/spec/replicas"] == 3, "wrong size");
  expect(cluster.conditions() == "Available=False Progressing=True Degraded=False", "wrong conditions at first");
  cluster.set_deployment_status(1);
  expect(cluster.conditions() == "Available=True Progressing=True Degraded=False", "wrong conditions of a rollout");
  expect(cluster.message("Progressing") == "1 of 3 pods available", "wrong count");
  cluster.set_deployment_status(3);
  expect(cluster.conditions() == "Available=True Progressing=False Degraded=False", "wrong conditions at the end");

  const std::uint64_t writes = cluster.simulation().server().writes();
  cluster.stop();
  cluster.start();
  cluster.simulation().executor().sleep_for(std::chrono::hours(24));
  expect(cluster.simulation().server().writes() == writes, "writes although nothing changes");
  return problems;
}

TEST(MemcachedExample, KeepsADeploymentAndReportsItsState) {
  EXPECT_THAT(problems_of(memcacheds("cache:1")), IsEmpty());
}

TEST(MemcachedExample, AnOperatorThatDoesNothingOrWritesInEachReconcileFailsThisTest) {
  Controller<Memcached> nothing = memcacheds("cache:1");
  nothing.reconcile = [](const Memcached&, Context&) { return done; };
  EXPECT_THAT(problems_of(nothing), Contains("no Deployment"));

  Controller<Memcached> writing = memcacheds("cache:1");
  writing.resync_period = std::chrono::hours(1);
  writing.reconcile = [](const Memcached& memcached, Context& ctx) -> Outcome {
    Outcome outcome = memcached_operator::reconcile("cache:1", memcached, ctx);
    (void)ctx.patch(memcached, {{"metadata", {{"annotations", {{"at", format_time(ctx.executor().wall_now())}}}}}});
    return outcome;
  };
  EXPECT_THAT(problems_of(writing),
              Contains(::testing::AnyOf("writes although nothing changes", "the cluster does not become idle")));
}

TEST(MemcachedExample, TheServerSetsTheDefaultsAndChecksTheLimits) {
  MemcachedCluster cluster;
  const auto created = cluster.create({});
  ASSERT_TRUE(created) << created.error().to_string();
  EXPECT_EQ((*created)["/spec"].print(), R"({"containerPort":11211,"size":1})");
  EXPECT_THAT(cluster.create({{"size", 0}}, "b").error().message, HasSubstr("spec.size"));
  EXPECT_THAT(cluster.create({{"size", 6}}, "b").error().message, HasSubstr("spec.size"));
  EXPECT_THAT(cluster.create({{"containerPort", 0}}, "b").error().message, HasSubstr("spec.containerPort"));
  EXPECT_TRUE(cluster.create({{"size", 5}}, "b"));
}

TEST(MemcachedExample, ChangesOfTheSpecAndOfTheImageReachTheDeployment) {
  MemcachedCluster cluster;
  cluster.start();
  ASSERT_TRUE(cluster.create({{"size", 1}, {"containerPort", 11222}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  const auto container = [&](const char* pointer) {
    return cluster.deployment()["/spec/template/spec/containers/0"][pointer].print();
  };
  EXPECT_EQ(container("/image"), R"("cache:1")");
  EXPECT_EQ(container("/ports/0/containerPort"), "11222");
  EXPECT_EQ(container("/command/1"), R"("--port=11222")") << "memcached must listen at its declared port";

  cluster.change({{"containerPort", 11333}, {"size", 2}});
  EXPECT_EQ(container("/ports/0/containerPort"), "11333");
  EXPECT_EQ(container("/ports"), R"([{"containerPort":11333,"name":"memcached","protocol":"TCP"}])");
  EXPECT_EQ(container("/command/1"), R"("--port=11333")");
  EXPECT_EQ(cluster.deployment()["/spec/replicas"], 2);

  const std::string selector = cluster.deployment()["/spec/selector"].print();
  cluster.stop();
  cluster.upgrade("cache:2");
  cluster.start();
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_EQ(container("/image"), R"("cache:2")");
  EXPECT_EQ(cluster.deployment()["/spec/selector"].print(), selector) << "a selector cannot be changed";
}

TEST(MemcachedExample, TwoObjectsSelectDifferentPods) {
  MemcachedCluster cluster;
  cluster.start();
  ASSERT_TRUE(cluster.create({}, "a"));
  ASSERT_TRUE(cluster.create({}, "b"));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  ASSERT_EQ(cluster.deployments().size(), 2U);
  EXPECT_NE(cluster.deployments()[0]["/spec/selector"].print(), cluster.deployments()[1]["/spec/selector"].print());
}

TEST(MemcachedExample, UndoesChangesOfItsFieldsAndKeepsThoseOfOthers) {
  MemcachedCluster cluster;
  cluster.start();
  ASSERT_TRUE(cluster.create({{"size", 3}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  ASSERT_TRUE(cluster.user().patch(Deployment::type, {"default", "a"},
                                   json::Value{{"metadata", {{"annotations", {{"team", "b"}}}}},
                                               {"spec", {{"replicas", 9}, {"minReadySeconds", 7}}}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_EQ(cluster.deployment()["/spec/replicas"], 3);
  EXPECT_EQ(cluster.deployment()["/spec/minReadySeconds"], 7);
  EXPECT_EQ(cluster.deployment()["/metadata/annotations/team"], "b");
  ASSERT_TRUE(cluster.user().remove(Deployment::type, {"default", "a"}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_EQ(cluster.deployments().size(), 1U) << "created again";
}

TEST(MemcachedExample, AFailedRolloutIsDegraded) {
  MemcachedCluster cluster;
  cluster.start();
  ASSERT_TRUE(cluster.create({{"size", 2}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  cluster.set_deployment_status(1, "False");
  EXPECT_EQ(cluster.conditions(), "Available=True Progressing=False Degraded=True");
  EXPECT_EQ(cluster.message("Degraded"), "the rollout is slow");
  cluster.set_deployment_status(2);
  EXPECT_EQ(cluster.conditions(), "Available=True Progressing=False Degraded=False");
}

TEST(MemcachedExample, ADeploymentOfAnotherOwnerIsReportedAndKept) {
  MemcachedCluster cluster;
  json::Value other = encode(
      memcached_operator::deployment_of(Memcached{.metadata = {.name = "a", .namespace_ = "default"}}, "other:1"));
  other.as_object()["metadata"].as_object().erase("ownerReferences");
  ASSERT_TRUE(cluster.user().create(other));
  cluster.start();
  ASSERT_TRUE(cluster.create({{"size", 3}}));
  ASSERT_TRUE(cluster.simulation().wait_until([&] { return cluster.conditions() != "none"; }));
  EXPECT_EQ(cluster.conditions(), "Degraded=True");
  EXPECT_EQ(cluster.deployment()["/spec/replicas"], 1);
  ASSERT_TRUE(cluster.user().remove(Deployment::type, {"default", "a"}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_EQ(cluster.deployment()["/spec/replicas"], 3);
  EXPECT_EQ(cluster.conditions(), "Available=False Progressing=True Degraded=False");
}

TEST(MemcachedExample, CrashesAndFaultsDelayTheDeploymentOnly) {
  MemcachedCluster cluster;
  cluster.start({{.effect = http::Crash{.after_commit = true}, .only = http::requests("PATCH", "/apis/apps/")}});
  ASSERT_TRUE(cluster.create({{"size", 2}}));
  cluster.crash();
  EXPECT_EQ(cluster.conditions(), "none");
  cluster.start(
      {{.effect = http::conflict_response(), .only = http::requests("PATCH", "/apis/"), .every = 2, .times = 3}});
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_EQ(cluster.deployments().size(), 1U);
  EXPECT_EQ(cluster.conditions(), "Available=False Progressing=True Degraded=False");
}

TEST(MemcachedExample, ADeletionIsAnEventAndDeletesTheDeploymentAlsoAfterADowntime) {
  MemcachedCluster cluster;
  cluster.start();
  ASSERT_TRUE(cluster.create({}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  cluster.stop();
  ASSERT_TRUE(cluster.user().remove(Memcached::type, {"default", "a"}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_TRUE(cluster.memcached().is_deleting()) << "waits for the finalizer";
  cluster.start();
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_TRUE(cluster.simulation().server().objects("memcacheds.cache.demo.pintle.dev").empty());
  EXPECT_TRUE(cluster.deployments().empty());
  const auto events = cluster.simulation().server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Deleting");
  EXPECT_EQ(events[0]["/type"], "Warning");
}

}  // namespace
}  // namespace pintle::testkit
