// SPDX-License-Identifier: Apache-2.0
// Custom informers.
#include <pintle/patterns/watcher/informer_controller.hpp>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Passes the events that a test sets.
class Script final : public Informer {
 public:
  explicit Script(Executor& executor) : executor_(executor) {}

  [[nodiscard]] GroupVersionKind schema() const override { return {"example.com/v1", "Thing"}; }
  void add_event_handler(std::shared_ptr<EventHandler> handler) override { events = std::move(handler); }
  Result<void> run(const std::stop_token& stop) override {
    ++runs;
    if (runs == 1 && fails_first) return fail(ErrorCode::unavailable, "no connection");
    executor_.sleep_for(Duration::max(), stop);
    return {};
  }

  std::shared_ptr<EventHandler> events;
  int runs = 0;
  bool fails_first = false;

 private:
  Executor& executor_;
};

Object thing(const std::string& name, const std::string& text) {
  return Object(json::Value{{"apiVersion", "example.com/v1"},
                            {"kind", "Thing"},
                            {"metadata", {{"name", name}, {"namespace", "default"}, {"resourceVersion", text}}},
                            {"spec", {{"text", text}}}});
}

class CustomInformerTest : public InformerControllerTest {
 protected:
  void run_script() {
    controller->add_informer(script, "Thing");
    start();
  }
  std::shared_ptr<Script> script = std::make_shared<Script>(simulation.executor());
};

TEST_F(CustomInformerTest, DeliversObjectsThatAreInNoCluster) {
  controller->add_watcher(watcher("", {failing(), done}), "Thing");
  controller->add_reconciler(reconciler(), "Thing");
  run_script();
  ASSERT_TRUE(script->events->added(thing("x", "1")));
  advance_time(1min);
  ASSERT_TRUE(script->events->updated(thing("x", "1"), thing("x", "2")));
  advance_time(1s);
  ASSERT_TRUE(script->events->deleted(thing("x", "2")));
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("add x=1", "created x=1", "add x=1", "update x=1>2", "updated x=2", "delete x=2",
                                 "deleted x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(CustomInformerTest, EventsBeforeTheStartAreMergedAndDelivered) {
  controller->add_watcher(watcher(), "Thing");
  controller->add_informer(script, "Thing");
  Manager manager{{.name = "test-operator",
                   .log_sink = log,
                   .executor = &simulation.executor(),
                   .transport = simulation.connect()}};
  controller->add_to(manager);
  ASSERT_TRUE(script->events->added(thing("x", "1")));
  ASSERT_TRUE(script->events->updated(thing("x", "1"), thing("x", "2")));
  ASSERT_TRUE(script->events->added(thing("y", "1")));
  ASSERT_TRUE(script->events->deleted(thing("y", "1")));
  ASSERT_TRUE(script->events->added(thing("y", "2")));
  ASSERT_TRUE(manager.start());
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("add x=2", "delete y=1", "add y=2"));
  manager.stop();
}

// A null object is rejected and not delivered (T4-03).
TEST_F(CustomInformerTest, ANullObjectIsRefusedAndNotDelivered) {
  controller->add_watcher(watcher(), "Thing");
  run_script();
  for (const Result<void>& refused :
       {script->events->added({}), script->events->updated(thing("x", "1"), {}), script->events->deleted({})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "object cannot be nil");
    EXPECT_EQ(refused.error().to_string(), nil_object_error().to_string());
  }
  advance_time(1min);
  EXPECT_THAT(calls, IsEmpty());
}

TEST_F(CustomInformerTest, AFailedInformerRunsAgainAfterAMinute) {
  script->fails_first = true;
  run_script();
  advance_time(10s);
  EXPECT_EQ(script->runs, 1);
  EXPECT_TRUE(log->has("no connection"));
  advance_time(1min);
  EXPECT_EQ(script->runs, 2);
}

}  // namespace
}  // namespace pintle::watcher
