// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/in_reconcile.hpp>

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Task {
  static constexpr Type type{"test.pintle.dev/v1", "Task"};
  struct Status {
    std::string phase{};
    static constexpr auto fields() { return pintle::fields(field("phase", &Status::phase, "How far it is.")); }
  };
  Metadata metadata{};
  Status status{};
};

class InReconcile : public ::testing::Test {
 protected:
  InReconcile() {
    const auto installed = simulation.install<Task>();
    EXPECT_TRUE(installed) << installed.error().to_string();
  }
  [[nodiscard]] Task stored() { return simulation.user().get<Task>(task.metadata.key()).value_or(Task{}); }

  Simulation simulation{{.seed = 1}};
  const Task task{.metadata = {.name = "a", .namespace_ = "default"}};
};

// The example in the header.
Outcome copy(const ConfigMap& map, Context& context) {
  return context.patch(map, json::Value{{"data", json::object{{"out", map.data.at("in")}}}});
}

TEST_F(InReconcile, CallsAReconcile) {
  const ConfigMap map{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"in", "x"}}};
  ASSERT_TRUE(simulation.user().create(map));
  const Outcome outcome = in_reconcile(simulation, map, copy);
  EXPECT_TRUE(outcome.is_done());
  EXPECT_EQ(simulation.user().get<ConfigMap>(map.metadata.key())->data.at("out"), "x");
}

TEST_F(InReconcile, StatusEventsAndFinalizersWork) {
  ASSERT_TRUE(simulation.user().create(task));
  const auto result = in_reconcile(simulation, task, [](Context& context) -> Result<int> {
    context.status().set("/phase", "Ready");
    context.event(EventType::normal, "Made", "it is made");
    Finalizers finalizers(context.client(), "test.pintle.dev/clean", context.field_manager());
    const auto ensured = finalizers.add(context.status().object(), context.stop_token());
    if (!ensured) return fail(ensured.error());
    context.status().rebase(ensured->object);
    return 7;
  });
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(*result, 7);
  EXPECT_EQ(stored().status.phase, "Ready");
  EXPECT_THAT(stored().metadata.finalizers, ElementsAre("test.pintle.dev/clean"));
  ASSERT_EQ(simulation.server().objects("events").size(), 1U);
  EXPECT_EQ(simulation.server().objects("events")[0]["/reason"], "Made");
}

TEST_F(InReconcile, AStatusThatCannotBeWrittenIsTheResult) {
  ASSERT_TRUE(simulation.user().create(task));
  const InReconcileOptions away{
      .faults = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = http::is_write}}};
  const auto set = [](Context& context) { context.status().set("/phase", "Ready"); };
  const auto outcome = in_reconcile(
      simulation, task,
      [&](Context& context) -> Outcome {
        set(context);
        return done;
      },
      away);
  ASSERT_NE(outcome.as_failed(), nullptr);
  EXPECT_EQ(outcome.as_failed()->code, ErrorCode::forbidden);
  const auto result = in_reconcile(
      simulation, task,
      [&](Context& context) -> Result<int> {
        set(context);
        return 1;
      },
      away);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::forbidden);
}

TEST_F(InReconcile, AnExceptionIsAFailure) {
  const auto thrown = in_reconcile(simulation, task, [](Context&) -> Outcome { throw std::runtime_error("no luck"); });
  ASSERT_NE(thrown.as_failed(), nullptr);
  EXPECT_THAT(thrown.as_failed()->message, HasSubstr("no luck"));
}

TEST_F(InReconcile, TheSnapshotMayBeOld) {
  ASSERT_TRUE(simulation.user().create(task));
  const Object old = *simulation.user().get(Task::type, task.metadata.key());
  ASSERT_TRUE(simulation.user().patch(Task::type, task.metadata.key(),
                                      json::Value{{"metadata", {{"labels", {{"new", "x"}}}}}}));
  const auto label = [](const Object& object, Context&) { return std::string(object.label("new")); };
  EXPECT_EQ(in_reconcile(simulation, old, label), "");
  const Object named(json::Value{
      {"apiVersion", "test.pintle.dev/v1"}, {"kind", "Task"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}});
  EXPECT_EQ(in_reconcile(simulation, named, label), "x") << "one without a uid is read";
}

TEST_F(InReconcile, WritesAsTheGivenController) {
  in_reconcile(simulation, task, [](Context& context) { EXPECT_EQ(context.field_manager(), "op/task"); },
               {.manager = "op", .controller = "task"});
}

}  // namespace
}  // namespace pintle::testkit
