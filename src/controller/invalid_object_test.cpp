// SPDX-License-Identifier: Apache-2.0
// Objects that cannot be decoded as the described struct of their controller.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/controller/status_writer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/testing/in_reconcile.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

struct Valve {
  static constexpr Type type{"test.pintle.dev/v1", "Valve"};
  struct Spec {
    std::int64_t turns = 1;
    static constexpr auto fields() { return pintle::fields(field("turns", &Spec::turns, "How often to turn.")); }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "The current conditions."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

class InvalidObjectTest : public ::testing::Test {
 protected:
  InvalidObjectTest() {
    instance_ = std::make_unique<testkit::Instance>(
        simulation_, ManagerOptions{.log_sink = log_, .defaults = {.resync_period = 0s}}, [&](Manager& manager) {
          manager.add(Controller<Valve>{.reconcile = [&](const Valve&, Context&) -> Outcome {
            ++reconciles_;
            return done;
          }});
        });
    instance_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return instance_->manager().is_ready(); }));
    // A schema that accepts everything, as an older CRD may have.
    const GroupVersionKind crd("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    EXPECT_TRUE(simulation_.user().patch(
        crd, {.name = "valves.test.pintle.dev"},
        json::Patch{}.replace("/spec/versions/0/schema/openAPIV3Schema",
                              json::Value{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})));
    simulation_.executor().sleep_for(1s);
  }

  void create_invalid() {
    json::Value invalid = encode(Valve{.metadata = {.name = "a", .namespace_ = "default"}});
    invalid.at("spec").at("turns") = "many";
    ASSERT_TRUE(simulation_.user().create(invalid));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  Object stored() { return *simulation_.user().get(Valve::type, {"default", "a"}); }

  testkit::Simulation simulation_{{.seed = 3}};
  std::shared_ptr<RecordingLogSink> log_ = std::make_shared<RecordingLogSink>();
  std::unique_ptr<testkit::Instance> instance_;
  int reconciles_ = 0;
};

TEST_F(InvalidObjectTest, IsReportedByAnEventAndACondition) {
  create_invalid();
  const auto events = simulation_.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/type"], "Warning");
  EXPECT_EQ(events[0]["/reason"], "InvalidObject");
  EXPECT_THAT(std::string(events[0]["/message"].text()), HasSubstr("spec.turns"));
  EXPECT_EQ(stored()["/status/conditions/0/type"], "InvalidObject");
  EXPECT_EQ(stored()["/status/conditions/0/status"], "True");
  EXPECT_THAT(std::string(stored()["/status/conditions/0/message"].text()), HasSubstr("spec.turns"));
  EXPECT_EQ(reconciles_, 0);
}

TEST_F(InvalidObjectTest, CausesNoFurtherWorkUntilItChanges) {
  create_invalid();
  const std::uint64_t writes = simulation_.server().writes();
  simulation_.executor().sleep_for(24h);
  EXPECT_EQ(simulation_.server().writes(), writes);
}

TEST_F(InvalidObjectTest, LosesTheConditionWhenItBecomesValid) {
  create_invalid();
  ASSERT_TRUE(simulation_.user().patch(Valve::type, {"default", "a"}, {{"spec", {{"turns", 2}}}}));
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_GT(reconciles_, 0);
  EXPECT_EQ(stored()["/status/conditions"].size(), 0U);
  const int reconciles = reconciles_;
  simulation_.executor().sleep_for(24h);
  EXPECT_EQ(reconciles_, reconciles);
}

// A controller whose struct has no conditions reports by an Event only; a kind without a status subresource could not
// store the condition.
TEST(InvalidObject, HasNoConditionIfTheStructHasNone) {
  static_assert(internal::has_conditions<Valve>);
  static_assert(!internal::has_conditions<Note>);
  static_assert(!internal::has_conditions<ConfigMap>);
}

}  // namespace
}  // namespace pintle
