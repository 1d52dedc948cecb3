// SPDX-License-Identifier: Apache-2.0
// Two clients that both succeed and overwrite one field in turn.
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const GroupVersionKind kind_of_notes{Note::type};

json::Value owner_annotation(const std::string& value) {
  return json::Value{{"metadata", {{"annotations", {{"test.pintle.dev/owner", value}}}}}};
}

json::Value text_of_child(const std::string& value) { return json::Value{{"data", {{"text", value}}}}; }

class FieldDisputesTest : public OperatorTest {
 protected:
  // A controller that keeps the annotation of its object at `value`, or a new value each time.
  Controller<Note> keeper(const std::string& name, bool varies = false) {
    return {.name = name, .reconcile = [this, name, varies](const Note& n, Context& ctx) -> Outcome {
              ++reconciles;
              if (reconciles > 20'000) ctx.executor().sleep_for(1h);  // otherwise a test that fails would not end
              const auto now = n.metadata.annotations.find("test.pintle.dev/owner");
              const std::string value = now == n.metadata.annotations.end() ? "" : now->second;
              if (value.starts_with(name)) return done;
              ++writes;
              return ctx.client().patch(kind_of_notes, n.metadata.key(),
                                        owner_annotation(varies ? name + std::to_string(writes) : name),
                                        {.field_manager = ctx.field_manager()});
            }};
  }
  // A controller that keeps a ConfigMap, and another client that overwrites the text of this child after each write.
  Controller<Note> parent() {
    return {.owns = {ConfigMap::type}, .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
              ++reconciles;
              seen = n.spec.text;
              return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", "ours"}}});
            }};
  }
  void overwrite_child(const std::string& text = "theirs") {
    ASSERT_TRUE(
        simulation.user().patch(config_map, {"default", "a"}, text_of_child(text), {.field_manager = "kubectl-edit"}));
  }
  [[nodiscard]] std::string child_text() {
    const auto child = simulation.user().get(config_map, {"default", "a"});
    return child ? std::string((*child)["/data/text"].text()) : "";
  }
  // Calls `undo` soon after the child has got our text.
  void fight_for(Duration time, const std::function<void()>& undo) {
    const Instant end = simulation.executor().now() + time;
    while (simulation.executor().now() < end) {
      if (child_text() == "ours") {
        ++turns;
        undo();
      }
      simulation.executor().sleep_for(turns < 20 ? Duration(10ms) : Duration(2s));
    }
  }
  void fight_for(Duration time) {
    fight_for(time, [this] { overwrite_child(); });
  }
  [[nodiscard]] std::size_t events_of_disputes() {
    std::size_t found = 0;
    const auto events = simulation.user().list(GroupVersionKind("events.k8s.io/v1", "Event"));
    for (const Object& event : events->items) found += event["/reason"] == "FieldDisputed" ? 1 : 0;
    return found;
  }

  int reconciles = 0;
  int writes = 0;
  int turns = 0;
  std::string seen;
};

TEST_F(FieldDisputesTest, TwoOperatorsThatOverwriteOneFieldAreBounded) {
  for (const bool varies : {false, true}) {
    SCOPED_TRACE(varies);
    writes = reconciles = 0;
    start([&](Manager& manager) {
      manager.add(keeper("one", varies));
      manager.add(keeper("two", varies));
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("a"));
    simulation.executor().sleep_for(1h);
    EXPECT_GE(writes, 2 * 20);
    EXPECT_LE(writes, 2 * 100);
    const int in_first_hour = std::exchange(writes, 0);
    simulation.executor().sleep_for(1h);
    EXPECT_LE(writes, 2 * 24) << "after " << in_first_hour;
    EXPECT_GE(writes, 10);
    instance.reset();
    ASSERT_TRUE(simulation.user().remove(kind_of_notes, {"default", "a"}));
  }
}

TEST_F(FieldDisputesTest, AFewCorrectionsAreImmediate) {
  run(parent());
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return child_text() == "ours"; }));
  for (int i = 0; i < 15; ++i) {
    overwrite_child(std::to_string(i));
    simulation.executor().sleep_for(100ms);
    EXPECT_EQ(child_text(), "ours") << i;
  }
  simulation.executor().sleep_for(1min);
  EXPECT_FALSE(log->has("overwrite a field in turn"));
  EXPECT_EQ(metric("pintle_taken_back_writes_total"), 14) << "the creation is no write of the field alone";
}

TEST_F(FieldDisputesTest, AClientThatOverwritesAChildIsNamedOnceAndSlowedDown) {
  run(parent());
  create(note("a"));
  fight_for(1h);
  EXPECT_GE(turns, 25);
  EXPECT_LE(turns, 60);
  EXPECT_EQ(log->count("overwrite a field in turn"), 1U);
  EXPECT_TRUE(log->has("kubectl-edit"));
  EXPECT_TRUE(log->has("ConfigMap default/a /data/text"));
  EXPECT_EQ(events_of_disputes(), 1U);
  const int before = turns;
  fight_for(1h);
  EXPECT_LE(turns - before, 13);
}

TEST_F(FieldDisputesTest, OtherChangesAreImmediateDuringADispute) {
  run(parent());
  create(note("a"));
  fight_for(1h);
  for (int i = 0; i < 5; ++i) {
    set_text("a", std::to_string(i));
    simulation.executor().sleep_for(1s);
    EXPECT_EQ(seen, std::to_string(i));
  }
}

// The other client also writes another field each time.
TEST_F(FieldDisputesTest, AClientThatAlsoChangesOtherFieldsIsSlowedDown) {
  run(parent());
  create(note("a"));
  fight_for(2h, [this] {
    overwrite_child();
    ASSERT_TRUE(simulation.user().patch(config_map, {"default", "a"},
                                        json::Value{{"data", {{"turn", std::to_string(turns)}}}}));
  });
  EXPECT_LE(turns, 100 + 24);
}

TEST_F(FieldDisputesTest, ADisputeEndsAfterTenQuietMinutes) {
  run(parent());
  create(note("a"));
  fight_for(1h);
  ASSERT_TRUE(simulation.wait_until([&] { return child_text() == "ours"; }, 6min));
  simulation.executor().sleep_for(11min);
  for (int i = 0; i < 10; ++i) {
    overwrite_child(std::to_string(i));
    simulation.executor().sleep_for(100ms);
    EXPECT_EQ(child_text(), "ours") << i;
  }
}

TEST_F(FieldDisputesTest, AClientThatDeletesAChildEachTimeIsSlowedDown) {
  run(parent());
  create(note("a"));
  fight_for(1h, [this] { ASSERT_TRUE(simulation.user().remove(config_map, {"default", "a"})); });
  EXPECT_GE(turns, 25);
  EXPECT_LE(turns, 60);
  EXPECT_EQ(events_of_disputes(), 1U);
}

// The deletion of the owner is delivered a minute late, and the controller makes its child again until then.
TEST_F(FieldDisputesTest, AChildThatIsDeletedWithItsOwnerIsNotDisputed) {
  run({.owns = {ConfigMap::type}, .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
         ++reconciles;
         const auto child = ctx.live().find(config_map, n.metadata.key());
         if (!child) return failed(child.error());
         if (*child) return done;
         auto made = ctx.client().create(ConfigMap{.metadata = owned_by(n), .data = {{"text", "ours"}}});
         return made ? Outcome(done) : Outcome(failed(std::move(made.error())));
       }});
  const auto watch_of_notes = [](const http::Request& request) {
    return http::is_watch(request) && request.target.find("/notes") != std::string::npos;
  };
  instance->transport().set_faults({{.effect = http::Drop{}, .only = watch_of_notes}});
  simulation.executor().sleep_for(30min);  // the watch has ended, and the next one follows a list
  create(note("a"));
  instance->transport().set_faults({{.effect = http::StallEvents{.nth = 1, .duration = 1min}, .only = watch_of_notes}});
  ASSERT_TRUE(simulation.wait_until([&] { return child_text() == "ours"; }));
  ASSERT_TRUE(simulation.user().remove(kind_of_notes, {"default", "a"}));
  const int before = reconciles;
  simulation.executor().sleep_for(1h);
  EXPECT_GE(reconciles - before, 20);
  EXPECT_LE(reconciles - before, 60);
  EXPECT_EQ(events_of_disputes(), 0U);
  EXPECT_FALSE(log->has("overwrite a field in turn"));
}

// Each object is a new one, also if it has a finalizer and a child.
TEST_F(FieldDisputesTest, AnObjectThatIsOftenCreatedAgainIsReconciledAtOnce) {
  Controller<Note> controller = parent();
  controller.finalizer = "test.pintle.dev/cleanup";
  controller.finalize = [](const Note&, Context&) -> Outcome { return done; };
  run(std::move(controller));
  for (int i = 0; i < 60; ++i) {
    create(note("a", std::to_string(i)));
    simulation.executor().sleep_for(1s);
    EXPECT_EQ(seen, std::to_string(i));
    EXPECT_EQ(child_text(), "ours");
    ASSERT_TRUE(simulation.user().remove(kind_of_notes, {"default", "a"}));
    simulation.executor().sleep_for(1s);
    EXPECT_EQ(child_text(), "");
  }
}

// The responses to writes contain more than the cache.
TEST_F(FieldDisputesTest, AFieldThatTheCacheDoesNotHaveIsNotDisputed) {
  run({.owns = {ConfigMap::type},
       .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
         seen = n.spec.text;
         return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", seen}}});
       }},
      {.cache_projections = {{config_map, {.projection = {.drop = {"/data", "/metadata/managedFields"}}}}}});
  create(note("a"));
  for (int i = 0; i < 40; ++i) {
    set_text("a", std::to_string(i));
    simulation.executor().sleep_for(100ms);
    EXPECT_EQ(child_text(), std::to_string(i));
  }
  EXPECT_EQ(metric("pintle_taken_back_writes_total"), 0);
}

// The cache has the annotation that both overwrite, although it has no spec.
TEST_F(FieldDisputesTest, AFieldOfTheMetadataIsDisputedAlsoIfTheCacheHasNothingElse) {
  start(
      [&](Manager& manager) {
        manager.add(keeper("one"));
        manager.add(keeper("two"));
      },
      {.cache_projections = {{kind_of_notes, {.metadata_only = true}}}});
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create(note("a"));
  simulation.executor().sleep_for(1h);
  EXPECT_LE(reconciles, 300);
  EXPECT_GE(events_of_disputes(), 1U);
}

// The deletion waits for a finalizer, and is not a change of the field.
TEST_F(FieldDisputesTest, ADeletionIsNotDelayed) {
  Controller<Note> controller = keeper("one");
  controller.finalizer = "test.pintle.dev/cleanup";
  controller.finalize = [](const Note&, Context&) -> Outcome { return done; };
  start([&](Manager& manager) {
    manager.add(std::move(controller));
    manager.add(keeper("two"));
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create(note("a"));
  simulation.executor().sleep_for(1h);
  ASSERT_TRUE(simulation.user().remove(kind_of_notes, {"default", "a"}));
  EXPECT_TRUE(simulation.wait_until([&] { return !simulation.user().get(kind_of_notes, {"default", "a"}); }, 1s));
}

}  // namespace
}  // namespace pintle
