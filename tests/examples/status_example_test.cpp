// SPDX-License-Identifier: Apache-2.0
// The status example, unchanged, in a simulated cluster.
#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main status_main
#include "../../examples/05-status/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

class StatusExample : public ::testing::Test {
 protected:
  void start(http::FaultPlan faults = {}) {
    operator_ = std::make_unique<Instance>(
        simulation_, ManagerOptions{.name = "status-operator", .log_level = LogLevel::off},
        [this](Manager& manager) {
          Controller<Team> counted = teams();
          counted.reconcile = [this, seat = teams().reconcile](const Team& team, Context& ctx) {
            ++reconciles_;
            return seat(team, ctx);
          };
          manager.add(std::move(counted));
        },
        std::move(faults));
    operator_->start();
    ASSERT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  void create(std::int64_t seats, std::vector<std::string> members) {
    ASSERT_TRUE(simulation_.user().create(Team{.metadata = {.name = "a", .namespace_ = "default"},
                                               .spec = {.seats = seats, .members = std::move(members)}}));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  void change(const json::Value& merge_patch) {
    ASSERT_TRUE(simulation_.user().patch(Team::type, key_, merge_patch));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  [[nodiscard]] Object team() { return simulation_.server().objects("teams.demo.pintle.dev").at(0); }
  // For example "2 of 2: True AllSeated, 1 left".
  [[nodiscard]] std::string status() {
    const Object object = team();
    const auto ready = find_condition(object, "Ready");
    if (!ready) return "none";
    EXPECT_EQ(ready->observed_generation, object["/status/observedGeneration"].as_integer());
    return std::to_string(ready->observed_generation) + " of " + std::to_string(object.generation()) + ": " +
           (ready->status == ConditionStatus::true_ ? "True " : "False ") + ready->reason + ", " +
           std::to_string(object["/status/freeSeats"].as_integer().value_or(-1)) + " left";
  }

  int reconciles_ = 0;  // declared before the simulation, whose threads count it
  const ObjectKey key_{"default", "a"};
  Simulation simulation_{{.seed = 1}};
  std::unique_ptr<Instance> operator_;
};

TEST_F(StatusExample, TheConditionHasTheObservedGeneration) {
  start();
  create(2, {"ann"});
  EXPECT_EQ(status(), "1 of 1: True AllSeated, 1 left");
  EXPECT_EQ(find_condition(team(), "Ready")->message, "1 members, 2 seats");
  change({{"spec", {{"seats", 0}}}});
  EXPECT_EQ(status(), "2 of 2: False TooFewSeats, 0 left");
}

TEST_F(StatusExample, TheTransitionTimeChangesOnlyWithTheStatus) {
  start();
  create(2, {"ann"});
  const WallTime before = find_condition(team(), "Ready")->last_transition_time;
  change({{"spec", {{"seats", 3}}}});
  EXPECT_EQ(status(), "2 of 2: True AllSeated, 2 left");
  EXPECT_EQ(find_condition(team(), "Ready")->last_transition_time, before);
  change({{"spec", {{"seats", 0}}}});
  EXPECT_GT(find_condition(team(), "Ready")->last_transition_time, before);
}

TEST_F(StatusExample, StatusAndLabelWritesCauseNoReconcile) {
  start();
  create(2, {"ann"});
  EXPECT_EQ(reconciles_, 1);
  change({{"metadata", {{"labels", json::object{{"colour", "red"}}}}}});
  EXPECT_EQ(reconciles_, 1);
  change({{"spec", {{"seats", 1}}}});
  EXPECT_EQ(reconciles_, 2);
  const std::uint64_t writes = simulation_.server().writes();
  operator_->stop();
  start();
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(reconciles_, 3) << "a restart causes one reconcile";
  EXPECT_EQ(simulation_.server().writes(), writes) << "the restart causes no write";
}

TEST_F(StatusExample, ConditionsOfOthersStay) {
  start();
  create(2, {"ann"});
  json::Value conditions = team()["/status/conditions"].to_value();
  conditions.as_array().push_back({{"type", "demo.pintle.dev/Insured"},
                                   {"status", "True"},
                                   {"reason", "Paid"},
                                   {"message", ""},
                                   {"lastTransitionTime", "2020-01-01T00:00:00Z"}});
  const json::Value patch{{"status", {{"conditions", std::move(conditions)}}}};
  ASSERT_TRUE(simulation_.user().patch(Team::type, key_, patch, {.subresource = "status"}));
  change({{"spec", {{"seats", 0}}}});
  EXPECT_EQ(status(), "2 of 2: False TooFewSeats, 0 left");
  EXPECT_EQ(find_condition(team(), "demo.pintle.dev/Insured")->reason, "Paid");
}

TEST_F(StatusExample, AStatusLostInACrashIsWrittenAfterTheRestart) {
  start({{.effect = http::Crash{}, .only = http::requests("PATCH", "/apis/demo.pintle.dev/"), .first = 2}});
  create(2, {"ann"});
  ASSERT_TRUE(simulation_.user().patch(Team::type, key_, json::Value{{"spec", {{"seats", 0}}}}));
  ASSERT_TRUE(simulation_.wait_until([&] { return operator_->transport().is_crashed(); }));
  operator_->crash();
  EXPECT_EQ(status(), "1 of 2: True AllSeated, 1 left") << "the stored status is outdated";
  start();
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(status(), "2 of 2: False TooFewSeats, 0 left");
}

TEST_F(StatusExample, ATableShowsTheCondition) {
  start();
  create(2, {"ann"});
  const auto response =
      simulation_.user().raw({.target = "/apis/demo.pintle.dev/v1/namespaces/default/teams/a",
                              .headers = {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}}});
  ASSERT_TRUE(response) << response.error().to_string();
  const auto table = json::Document::parse(response->body);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->root()["/columnDefinitions/3/name"], "Ready");
  EXPECT_EQ(table->root()["/rows/0/cells/3"], "True");
}

}  // namespace
}  // namespace pintle::testkit
