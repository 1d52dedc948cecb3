// SPDX-License-Identifier: Apache-2.0
// Manager::plan() and --plan: one reconcile without its writes.
#include <pintle/manager/plan.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/testing/simulation.hpp>

#include "line_diff.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Plant {
  static constexpr Type type{"demo.pintle.dev/v1", "Plant"};
  struct Spec {
    std::string color = "green";
    static constexpr auto fields() { return pintle::fields(field("color", &Spec::color)); }
  };
  struct Status {
    std::string seen{};
    static constexpr auto fields() { return pintle::fields(field("seen", &Status::seen)); }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() {
    EXPECT_TRUE(simulation.install<Plant>());
    EXPECT_TRUE(user.create(Namespace{.metadata = {.name = "garden"}}));
    EXPECT_TRUE(user.create(Plant{.metadata = {.name = "fern", .namespace_ = "default"}}));
    EXPECT_TRUE(user.create(Plant{.metadata = {.name = "rose", .namespace_ = "garden"}, .spec = {.color = "red"}}));
    EXPECT_TRUE(simulation.run_until_idle());
    writes_before = simulation.server().writes();
  }
  ~PlanTest() override { EXPECT_EQ(simulation.server().writes(), writes_before) << "the plan was carried out"; }

  ManagerOptions options() {
    return {.name = "gardener",
            .leader_election = LeaderElectionOptions{},
            .log_level = LogLevel::off,
            .executor = &simulation.executor(),
            .transport = simulation.connect()};
  }
  static std::vector<std::string> titles(const Plan& plan) {
    std::vector<std::string> all;
    for (const RecordedWrite& write : plan.writes) {
      all.push_back(write.verb + " " + write.path.substr(write.path.rfind('/') + 1) + " " + write.subresource);
    }
    return all;
  }
  // Adds a finalizer, a child, a status and an Event.
  static Controller<Plant> gardener() {
    return {.owns = {ConfigMap::type},
            .reconcile = [](const Plant& plant, Context& context) -> Outcome {
              const auto applied =
                  context.apply(ConfigMap{.metadata = owned_by(plant), .data = {{"color", plant.spec.color}}});
              if (!applied) return failed(applied.error());
              const auto child = context.get<ConfigMap>(plant.metadata.key());
              if (!child) return failed(child.error());
              context.status().set("/seen", child->data.at("color"));
              context.event(EventType::normal, "Watered", "with water");
              return done;
            },
            .finalize = [](const Plant&, Context&) -> Outcome { return done; },
            .finalizer = "demo.pintle.dev/cleanup"};
  }

  testkit::Simulation simulation{{.seed = 1}};
  Client& user = simulation.user();
  std::uint64_t writes_before = 0;
};

TEST_F(PlanTest, RunsOneReconcileAndRecordsItsWrites) {
  Manager manager(options());
  manager.add(gardener());

  const auto plan = manager.plan("plant/fern");

  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_THAT(titles(*plan), ElementsAre("patch fern ", "apply fern ", "patch fern status"));
  ASSERT_EQ(plan->reconciles.size(), 1U);
  EXPECT_EQ(plan->reconciles[0].outcome, "success") << plan->reconciles[0].error;
  EXPECT_THAT(plan->print(),
              AllOf(HasSubstr("# apply v1 ConfigMap default/fern\n@@\n+"), HasSubstr("+  color: green\n"),
                    HasSubstr("+  finalizers:\n"), HasSubstr("+  seen: green\n"), Not(HasSubstr("resourceVersion")),
                    HasSubstr("# controller plant: success\n# 3 writes, none was carried out\n")));
}

TEST_F(PlanTest, FindsTheObjectByEachNameOfItsKind) {
  for (const char* object : {"plants/garden/rose", "Plant/garden/rose", "plants.demo.pintle.dev/garden/rose"}) {
    Manager manager(options());
    manager.add(gardener());
    const auto plan = manager.plan(object);
    ASSERT_TRUE(plan) << plan.error().to_string();
    EXPECT_THAT(plan->print(), HasSubstr("+  color: red\n"));
  }
}

TEST_F(PlanTest, ReportsObjectsThatItCannotReconcile) {
  const auto error_of = [&](const std::string& object) {
    Manager manager(options());
    manager.add(gardener());
    const auto plan = manager.plan(object);
    return plan ? "" : plan.error().to_string();
  };
  EXPECT_THAT(error_of("fern"), HasSubstr("must be KIND/NAME or KIND/NAMESPACE/NAME"));
  EXPECT_THAT(error_of("plant/"), HasSubstr("must be KIND/NAME or KIND/NAMESPACE/NAME"));
  EXPECT_EQ(error_of("plant/oak"), "plan plant/oak: controller plant has no plant default/oak");
  EXPECT_EQ(error_of("pod/fern"), "plan pod/fern: no controller watches \"pod\"; watched kinds: plant");
}

// The reconcile has its own client, which must not write either.
TEST_F(PlanTest, WritesOfTheClientOfAReconcileAreRecorded) {
  Manager manager(options());
  manager.add(Controller<Plant>{.reconcile = [](const Plant& plant, Context& context) -> Outcome {
    if (auto removed = context.client().remove(Plant::type, plant.metadata.key()); !removed) {
      return failed(removed.error());
    }
    return failed(make_error(ErrorCode::unavailable, "no water"));
  }});

  const auto plan = manager.plan("plant/fern");

  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_THAT(titles(*plan), ElementsAre("delete fern "));
  EXPECT_TRUE(plan->writes[0].after.is_null());
  EXPECT_EQ(plan->reconciles[0].outcome, "error");
  EXPECT_THAT(plan->print(), AllOf(HasSubstr("-kind: Plant\n"), HasSubstr("# controller plant: error: no water")));
}

// A plan is printed to terminals and logs of pipelines.
TEST_F(PlanTest, ShowsThatASecretChangesButNotItsData) {
  const std::string annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const std::string second = Bytes("second-value").to_base64();
  ASSERT_TRUE(user.create(
      Secret{.metadata = {.name = "old", .namespace_ = "default", .annotations = {{annotation, "annotated-first"}}},
             .data = {{"kept", "kept-value"}, {"pass", "first-value"}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  writes_before = simulation.server().writes();
  Manager manager(options());
  manager.add(Controller<Plant>{
      .owns = {Secret::type}, .reconcile = [&](const Plant& plant, Context& context) -> Outcome {
        const auto made = context.apply(Secret{.metadata = owned_by(plant), .data = {{"pass", "made-value"}}});
        if (!made) return failed(made.error());
        const auto changed =
            context.patch(Secret{.metadata = {.name = "old", .namespace_ = "default"}},
                          json::Value{{"metadata", {{"annotations", {{annotation, "annotated-second"}}}}},
                                      {"data", {{"pass", second}}}});
        return changed ? done : failed(changed.error());
      }});

  const auto plan = manager.plan("plant/fern");

  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(plan->reconciles[0].outcome, "success") << plan->reconciles[0].error;
  const std::string printed = plan->print();
  EXPECT_THAT(printed, AllOf(HasSubstr("# apply v1 Secret default/fern\n"), HasSubstr("+  pass: (hidden)\n")));
  EXPECT_THAT(printed, HasSubstr("-  pass: (hidden) (before)\n+  pass: (hidden) (after)\n"));
  EXPECT_THAT(printed, AllOf(HasSubstr("   kept: (hidden)\n"), HasSubstr(annotation + ": (hidden) (after)\n")));
  for (const std::string text : {"made-value", "kept-value", "first-value", "second-value"}) {
    EXPECT_THAT(printed, AllOf(Not(HasSubstr(text)), Not(HasSubstr(Bytes(text).to_base64())))) << text;
  }
  EXPECT_THAT(printed, Not(HasSubstr("annotated")));
}

TEST_F(PlanTest, IsAFlagOfEveryOperator) {
  const auto run = [this](const std::string& object) {
    std::vector<std::string> texts{"gardener", "--plan", object};
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    char* environment[] = {nullptr};
    ManagerOptions with_args = options();
    with_args.args = {.argc = 3, .argv = arguments.data(), .environment = environment};
    Manager manager(std::move(with_args));
    manager.add(gardener());
    return run_until_signal(manager);
  };

  ::testing::internal::CaptureStdout();
  const int code = run("plant/fern");

  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("# 3 writes, none was carried out\n"));
  EXPECT_EQ(code, 0);
  EXPECT_EQ(run("plant/missing"), 2) << "the cluster is available";
}

TEST(LineDiff, ShowsChangedLinesWithThreeLinesAround) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("", "a\n"), "@@\n+a\n");
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "@@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(line_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\n"),
            "@@\n-a\n 1\n 2\n 3\n@@\n 5\n 6\n 7\n-b\n");
}

}  // namespace
}  // namespace pintle
