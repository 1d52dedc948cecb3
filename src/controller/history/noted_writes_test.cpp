// SPDX-License-Identifier: Apache-2.0
// The writes of reconciles in the history of a whole operator.
#include "noted_writes.hpp"

#include <string>

#include <gmock/gmock.h>

#include "controller/runner_test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

const GroupVersionKind kind{"v1", "ConfigMap"};

Object config_map_with(const json::Value& data, const char* version) {
  return Object(json::Value{{"apiVersion", "v1"},
                            {"kind", "ConfigMap"},
                            {"metadata", {{"name", "a"}, {"namespace", "b"}, {"resourceVersion", version}}},
                            {"data", data}});
}

TEST(WriteRecord, OfAnUpdateHasTheDifferences) {
  const WriteRecord record = record_of(kind, {.uid = "u",
                                              .version = "2",
                                              .before = config_map_with({{"x", "1"}, {"y", "1"}, {"z", "1"}}, "1"),
                                              .after = config_map_with({{"x", "1"}, {"y", "2"}, {"w", "3"}}, "2")});
  EXPECT_STREQ(record.verb, "update");
  EXPECT_EQ(record.key, (ObjectKey{"b", "a"}));
  EXPECT_EQ(record.version, "2");
  ASSERT_EQ(record.changes.size(), 3U) << "without the resourceVersion";
  EXPECT_EQ(record.changes[0].pointer, "/data/y");
  EXPECT_EQ(record.changes[0].before, "\"1\"");
  EXPECT_EQ(record.changes[0].after, "\"2\"");
  EXPECT_EQ(record.changes[1].pointer, "/data/w");
  EXPECT_EQ(record.changes[1].before, "");
  EXPECT_EQ(record.changes[2].pointer, "/data/z");
  EXPECT_EQ(record.changes[2].after, "");
}

TEST(WriteRecord, OfACreateAndADelete) {
  const WriteRecord created = record_of(kind, {.version = "1", .after = config_map_with({{"x", "1"}}, "1")});
  EXPECT_STREQ(created.verb, "create");
  ASSERT_EQ(created.changes.size(), 1U);
  EXPECT_EQ(created.changes[0].after, R"({"x":"1"})");
  const WriteRecord deleted = record_of(kind, {.before = config_map_with({{"x", "1"}}, "1")});
  EXPECT_STREQ(deleted.verb, "delete");
  EXPECT_EQ(deleted.key, (ObjectKey{"b", "a"}));
  EXPECT_THAT(deleted.changes, IsEmpty());
}

TEST(WriteRecord, CountsDifferencesBeyondTheFirst) {
  json::object data;
  for (int i = 0; i < 20; ++i) data["k" + std::to_string(i)] = "x";
  const WriteRecord record =
      record_of(kind, {.before = config_map_with(json::object(), "1"), .after = config_map_with(std::move(data), "2")});
  EXPECT_EQ(record.changes.size(), 16U);
  EXPECT_EQ(record.changes_dropped, 4U);
}

// A controller with a history that writes a ConfigMap and a status.
class WritesInHistory : public OperatorTest {
 protected:
  void reconcile(const std::string& name) {
    const auto outcome = runner_->run_once({"default", name});
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    ASSERT_TRUE(outcome->is_done());
  }
  std::vector<WriteRecord> writes() const { return history_.newest({}, 1).front()->writes; }
  void connect(Controller<Note> controller) {
    // Serves the kind.
    start([](Manager& manager) {
      manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) { return done; }});
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    instance.reset();
    create(note("a"));
    auto around = around_.get();
    around.history = &history_;
    controller.name = "note";
    runner_ = std::make_unique<ControllerRunner>(erase_type(std::move(controller)), around, log_);
    ASSERT_TRUE(runner_->connect({}));
    ASSERT_TRUE(around_.fill_caches());
  }

  Log log_{log, simulation.executor(), LogLevel::info};
  RunnerSurroundings around_{simulation, log_};
  ReconcileHistory history_{simulation.executor(), 100};
  std::unique_ptr<ControllerRunner> runner_;
};

TEST_F(WritesInHistory, AreThoseOfTheReconcile) {
  connect({.owns = {ConfigMap::type}, .reconcile = [](const Note& n, Context& context) -> Outcome {
             auto applied = context.apply(ConfigMap{.metadata = {.name = n.metadata.name, .namespace_ = "default"},
                                                    .data = {{"text", n.spec.text}}});
             const json::Value same{{"data", {{"text", n.spec.text}}}};
             EXPECT_TRUE(context.client().patch(config_map, {"default", n.metadata.name}, same));
             return applied;
           }});
  reconcile("a");
  EXPECT_THAT(writes(), ElementsAre(Field(&WriteRecord::verb, ::testing::StrEq("create"))))
      << "without the patch, which changed nothing";
  reconcile("a");
  EXPECT_THAT(writes(), IsEmpty()) << "nothing changed";
  set_text("a", "y");
  ASSERT_TRUE(simulation.wait_until([&] { return runner_->object({"default", "a"})["/spec/text"] == "y"; }));
  reconcile("a");
  ASSERT_EQ(writes().size(), 1U);
  const WriteRecord write = writes().front();
  EXPECT_STREQ(write.verb, "update");
  EXPECT_EQ(write.kind, config_map);
  ASSERT_EQ(write.changes.size(), 1U);
  EXPECT_EQ(write.changes[0].pointer, "/data/text");
  EXPECT_EQ(write.changes[0].before, "\"x\"");
  EXPECT_EQ(write.changes[0].after, "\"y\"");
}

// The controller has no cache of ConfigMaps, so only the responses show their states.
TEST_F(WritesInHistory, OfAKindWithoutACacheHaveTheResponseAsNewState) {
  connect({.reconcile = [](const Note& n, Context& context) -> Outcome {
    if (n.spec.text == "gone") {
      EXPECT_TRUE(context.client().remove(config_map, {"default", n.metadata.name}));
      return done;
    }
    return context.apply(ConfigMap{.metadata = {.name = n.metadata.name, .namespace_ = "default"},
                                   .data = {{"text", n.spec.text}, {"password", "s3cret"}}});
  }});
  reconcile("a");
  ASSERT_EQ(writes().size(), 1U);
  EXPECT_STREQ(writes().front().verb, "write") << "the object may have existed";
  ASSERT_EQ(writes().front().changes.size(), 1U);
  EXPECT_EQ(writes().front().changes[0].before, "");
  EXPECT_EQ(writes().front().changes[0].after, R"_({"password":"(hidden)","text":"x"})_");
  reconcile("a");
  EXPECT_THAT(writes(), IsEmpty()) << "the second apply changed nothing";

  const auto reconcile_with = [&](const char* text) {
    set_text("a", text);
    ASSERT_TRUE(simulation.wait_until([&] { return runner_->object({"default", "a"})["/spec/text"] == text; }));
    reconcile("a");
  };
  reconcile_with("y");
  ASSERT_EQ(writes().size(), 1U);
  EXPECT_STREQ(writes().front().verb, "update");
  ASSERT_EQ(writes().front().changes.size(), 1U);
  EXPECT_EQ(writes().front().changes[0].before, "\"x\"");
  EXPECT_EQ(writes().front().changes[0].after, "\"y\"");
  reconcile_with("gone");
  ASSERT_EQ(writes().size(), 1U);
  EXPECT_STREQ(writes().front().verb, "delete");
  EXPECT_EQ(writes().front().kind, config_map);
  EXPECT_EQ(writes().front().key, (ObjectKey{"default", "a"}));
}

TEST_F(WritesInHistory, ADeleteThatWaitsForAFinalizerIsNotedOnce) {
  connect({.owns = {ConfigMap::type}, .reconcile = [](const Note& n, Context& context) -> Outcome {
             EXPECT_TRUE(context.client().remove(config_map, {"default", n.metadata.name}));
             return done;
           }});
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "a", .namespace_ = "default", .finalizers = {"example.com/keep"}}}));
  reconcile("a");
  EXPECT_THAT(writes(), ElementsAre(Field(&WriteRecord::verb, ::testing::StrEq("delete"))));
  reconcile("a");
  EXPECT_THAT(writes(), IsEmpty());
}

}  // namespace
}  // namespace pintle
