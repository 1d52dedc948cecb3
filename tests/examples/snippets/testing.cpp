// SPDX-License-Identifier: Apache-2.0
// The code of docs/testing.md.
// [includes]
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>
#include <pintle/testing/call_recorder.hpp>
#include <pintle/testing/in_reconcile.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulate.hpp>
#include <pintle/testing/simulation.hpp>
#include <pintle/testing/test_case.hpp>
#include <pintle/webhook/admission.hpp>
// [/includes]

namespace testing_page {

using namespace std::chrono_literals;

// [operator]
struct Shelf {
  static constexpr pintle::Type type{"shop.example.com/v1", "Shelf"};
  struct Spec {
    std::int64_t slots = 1;
    static constexpr auto fields() { return pintle::fields(pintle::field("slots", &Spec::slots).minimum(0)); }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

pintle::Outcome reconcile(const Shelf& shelf, pintle::Context& ctx) {
  const auto applied = ctx.apply(
      pintle::ConfigMap{.metadata = pintle::owned_by(shelf), .data = {{"slots", std::to_string(shelf.spec.slots)}}});
  if (!applied) return applied.error();
  if (shelf.spec.slots == 0) return pintle::requeue_after(1h);  // may be filled later
  return pintle::done;
}

void add_controllers(pintle::Manager& manager) {
  manager.add(pintle::Controller<Shelf>{.owns = {pintle::ConfigMap::type}, .reconcile = reconcile});
}
// [/operator]

Shelf shelf(std::int64_t slots) {
  return {.metadata = {.name = "a", .namespace_ = "default"}, .spec = {.slots = slots}};
}

// [unit]
TEST(Reconcile, AnEmptyShelfIsReconciledAnHourLater) {
  pintle::testkit::Simulation simulation({.seed = 1});
  Shelf empty = shelf(0);
  empty.metadata.uid = "1";  // is in the owner reference

  const pintle::Outcome outcome = pintle::testkit::in_reconcile(simulation, empty, reconcile);

  ASSERT_NE(outcome.as_requeue_after(), nullptr);
  EXPECT_EQ(outcome.as_requeue_after()->delay, 1h);
  EXPECT_EQ(simulation.server().objects("configmaps").size(), 1U);
}
// [/unit]

// [simulation]
class ShelfOperator : public ::testing::Test {
 protected:
  void SetUp() override {
    instance_.start();
    ASSERT_TRUE(simulation_.wait_until([&] { return instance_.manager().is_ready(); }));
  }
  std::string slots() {
    const auto config_map = simulation_.user().get<pintle::ConfigMap>({"default", "a"});
    return config_map ? config_map->data.at("slots") : config_map.error().to_string();
  }

  // A request that the roles of --print-rbac do not allow fails the test.
  pintle::testkit::Simulation simulation_{
      {.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  pintle::testkit::Instance instance_{
      simulation_, {.name = "shelf-operator", .log_level = pintle::LogLevel::off}, add_controllers};
};

TEST_F(ShelfOperator, RestoresAConfigMapThatAUserDeletes) {
  ASSERT_TRUE(simulation_.user().create(shelf(3)));
  ASSERT_TRUE(simulation_.run_until_idle());
  ASSERT_TRUE(simulation_.user().remove(pintle::ConfigMap::type, {"default", "a"}));
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(slots(), "3");
}
// [/simulation]

// [time]
TEST_F(ShelfOperator, IsReconciledAgainAfterAnHour) {
  ASSERT_TRUE(simulation_.user().create(shelf(0)));
  ASSERT_TRUE(simulation_.run_until_idle());
  const pintle::Counter again = instance_.manager().metrics().counter(
      "controller_runtime_reconcile_total", "", {{"controller", "shelf"}, {"result", "requeue_after"}});
  EXPECT_EQ(again.value(), 1);
  simulation_.executor().sleep_for(61min);  // virtual time; the test does not wait
  EXPECT_EQ(again.value(), 2);
}
// [/time]

// [faults]
TEST_F(ShelfOperator, SurvivesConflictsAndLostResponses) {
  instance_.transport().set_faults(
      {{.effect = pintle::http::conflict_response(), .only = pintle::http::is_write, .times = 2},
       {.effect = pintle::http::Drop{.after_commit = true}, .only = pintle::http::requests("PATCH", ""), .first = 3}});
  ASSERT_TRUE(simulation_.user().create(shelf(3)));
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(slots(), "3");
}
// [/faults]

// [crash]
TEST_F(ShelfOperator, ContinuesAfterACrashDuringAWrite) {
  instance_.transport().set_faults({{.effect = pintle::http::Crash{}, .only = pintle::http::is_write}});
  ASSERT_TRUE(simulation_.user().create(shelf(3)));
  ASSERT_TRUE(simulation_.wait_until([&] { return instance_.transport().is_crashed(); }));
  instance_.crash();
  ASSERT_TRUE(simulation_.server().objects("configmaps").empty());

  instance_.start();  // without the faults of the first process
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(slots(), "3");
}
// [/crash]

// [seeds]
TEST(ShelfSeeds, EveryInterleavingEndsInTheSameState) {
  for (const std::uint64_t seed : pintle::testkit::seeds({.usual = 10, .sanitized = 2, .long_run = 500})) {
    SCOPED_TRACE("replay: PINTLE_SEED=" + std::to_string(seed));
    pintle::testkit::Simulation simulation({.seed = seed});
    pintle::testkit::Instance instance(simulation, {.log_level = pintle::LogLevel::off}, add_controllers);
    instance.start();
    ASSERT_TRUE(simulation.install<Shelf>());
    ASSERT_TRUE(simulation.user().create(shelf(1)));
    for (int change = 0; change < 10; ++change) {
      const auto slots = static_cast<std::int64_t>(1 + simulation.random().below(9));
      const pintle::json::Value patch{{"spec", {{"slots", slots}}}};
      ASSERT_TRUE(simulation.user().patch(Shelf::type, {"default", "a"}, patch));
      simulation.executor().sleep_for(std::chrono::milliseconds(simulation.random().below(300)));
    }
    ASSERT_TRUE(simulation.run_until_idle());
    const auto last = simulation.user().get<Shelf>({"default", "a"});
    const auto config_map = simulation.user().get<pintle::ConfigMap>({"default", "a"});
    ASSERT_TRUE(last && config_map);
    EXPECT_EQ(config_map->data.at("slots"), std::to_string(last->spec.slots));
    if (HasFailure()) break;
  }
}
// [/seeds]

// [test_case]
pintle::Result<void> create_shelf(pintle::testkit::Simulation& simulation, const std::optional<Shelf>&) {
  if (const auto created = simulation.user().create(shelf(3)); !created) return pintle::fail(created.error());
  return {};
}
pintle::Result<void> remove_shelf(pintle::testkit::Simulation& simulation, const std::optional<Shelf>&) {
  if (const auto removed = simulation.user().remove(Shelf::type, {"default", "a"}); !removed) {
    return pintle::fail(removed.error());
  }
  return {};
}
pintle::Result<void> check_gone(pintle::testkit::Simulation& simulation, const std::optional<Shelf>& object) {
  if (!object && simulation.server().objects("configmaps").empty()) return {};
  return pintle::fail(pintle::ErrorCode::invalid, "the shelf or its ConfigMap still exists");
}

TEST_F(ShelfOperator, RemovesTheConfigMapWithItsShelf) {
  const pintle::testkit::TestCase<Shelf> life{
      .key = {"default", "a"},
      .steps = {{.name = "create", .act = create_shelf}, {.name = "delete", .act = remove_shelf, .check = check_gone}}};
  const auto passed = life.run(simulation_);
  EXPECT_TRUE(passed) << passed.error().to_string();
}
// [/test_case]

// [admission]
TEST(ShelfAdmission, DeniesTooManySlots) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::testkit::Instance instance(
      simulation, {.log_level = pintle::LogLevel::off, .webhooks = {.listen = "0.0.0.0:9443"}},
      [](pintle::Manager& manager) {
        add_controllers(manager);
        manager.add(pintle::Admission<Shelf>{.validate = [](const Shelf& shelf, const pintle::AdmissionContext&) {
          return shelf.spec.slots > 100 ? pintle::denied("a shelf has at most 100 slots") : pintle::admitted();
        }});
      });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  // Objects in the namespace of the operator, here "default", are not sent to its webhooks.
  ASSERT_TRUE(simulation.user().create(pintle::Namespace{.metadata = {.name = "shop"}}));

  Shelf large = shelf(101);
  large.metadata.namespace_ = "shop";
  const auto created = simulation.user().create(large);

  ASSERT_FALSE(created);
  EXPECT_NE(created.error().message.find("at most 100 slots"), std::string::npos) << created.error().to_string();
}
// [/admission]

// [fake]
TEST(ShelfWarehouse, AFailedReservationIsRetried) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::testkit::CallRecorder warehouse(simulation.executor());
  warehouse.fail_next(pintle::make_error(pintle::ErrorCode::unavailable, "the warehouse is closed"), 2);
  const auto reserve = [&](const Shelf& shelf, pintle::Context&) -> pintle::Outcome {
    return warehouse.call("reserve", shelf.metadata.name, std::to_string(shelf.spec.slots));
  };
  pintle::testkit::Instance instance(simulation, {.log_level = pintle::LogLevel::off}, [&](pintle::Manager& manager) {
    manager.add(pintle::Controller<Shelf>{.reconcile = reserve});
  });
  instance.start();
  ASSERT_TRUE(simulation.install<Shelf>());
  ASSERT_TRUE(simulation.user().create(shelf(3)));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(warehouse.of("reserve").size(), 3U);
}
// [/fake]

pintle::Result<void> check_slots(pintle::Client& user) {
  const auto shelves = user.list<Shelf>();
  if (!shelves) return pintle::fail(shelves.error());
  for (const Shelf& one : *shelves) {
    const auto map = user.get<pintle::ConfigMap>(one.metadata.key());
    if (!map) return pintle::fail(map.error());
    if (map->data.at("slots") == std::to_string(one.spec.slots)) continue;
    return pintle::fail(pintle::ErrorCode::invalid, "the ConfigMap of " + one.metadata.name + " is outdated");
  }
  return {};
}

// [simulate]
TEST(ShelfSimulation, SurvivesEveryFault) {
  const auto report = pintle::testkit::simulate({.name = "shelf", .seeds = 50}, [](pintle::testkit::Subject& subject) {
    subject.add_controllers = add_controllers;
    subject.invariants = {{.name = "a shelf has a ConfigMap with its slots",
                           .check = [](pintle::Client& user) { return check_slots(user); }}};
  });
  EXPECT_TRUE(report);
}
// [/simulate]

}  // namespace testing_page
