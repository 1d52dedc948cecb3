// SPDX-License-Identifier: Apache-2.0
// Reads of a reconcile that go beyond get() and list().
#include <pintle/controller/cluster_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class ClusterContextTest : public OperatorTest {};

TEST_F(ClusterContextTest, FindReturnsNothingForAMissingObject) {
  std::vector<std::string> found;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         const auto there = ctx.find<Note>(n.metadata.key());
         if (!there) return there.error();
         const auto missing = ctx.find<ConfigMap>({"default", "missing"});
         if (!missing) return missing.error();
         found = {*there ? (*there)->metadata.name : "nothing", *missing ? "something" : "nothing"};
         return done;
       }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(found, ElementsAre("a", "nothing"));
}

TEST_F(ClusterContextTest, FindReturnsOtherErrorsAsErrors) {
  std::string error;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    const auto unknown = ctx.live().find(GroupVersionKind("missing.dev/v1", "Missing"), {"default", "a"});
    error = unknown ? "none" : unknown.error().to_string();
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(error, ::testing::HasSubstr("missing.dev/v1"));
}

// An aggregated API server may return an old list. The controller does not watch the kind, so no cache has the child.
TEST_F(ClusterContextTest, AChildOfAnUnwatchedKindIsNotCreatedTwiceByAnOldList) {
  int lists_without_child = 0;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    const auto children = ctx.live().list<ConfigMap>();
    if (!children) return children.error();
    if (!children->empty()) return requeue_after(1s);
    ++lists_without_child;
    json::Value child = encode(ConfigMap{.metadata = owned_by(n)});
    json::object& metadata = child.at("metadata").as_object();
    metadata.erase("name");
    metadata["generateName"] = "child-";
    return ctx.create(child);
  }});
  simulation.server().set_faults({{{.effect = StaleRead{.age = 3s, .include_unversioned = true},
                                    .only = RequestMatcher{.verbs = {"list"}, .resource = "configmaps"}}}});
  create(note("a"));
  for (int i = 0; i < 20; ++i) {
    simulation.executor().sleep_for(500ms);
    set_text("a", std::to_string(i));
  }
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(lists_without_child, 1);
  EXPECT_GE(metric("pintle_own_write_reads_total", {{"reason", "older_list"}}), 1);
  EXPECT_EQ(simulation.server().objects("configmaps").size(), 1U);
}

// A server that was restored from a backup never reaches the version of the write.
TEST_F(ClusterContextTest, AnOldListIsAcceptedFiveMinutesAfterTheWrite) {
  Result<std::vector<ConfigMap>> listed = make_error(ErrorCode::unknown, "not called");
  bool has_created = false;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    if (std::exchange(has_created, true)) return listed = ctx.live().list<ConfigMap>(), requeue_after(10s);
    return ctx.create(ConfigMap{.metadata = owned_by(n)});
  }});
  create(note("a"));
  simulation.executor().sleep_for(1s);
  simulation.server().set_faults({{{.effect = StaleRead{.age = 1000h, .include_unversioned = true},
                                    .only = RequestMatcher{.verbs = {"list"}, .resource = "configmaps"}}}});
  set_text("a", "b");
  simulation.executor().sleep_for(4min);
  EXPECT_FALSE(listed);
  EXPECT_GE(metric("pintle_own_write_reads_total", {{"reason", "older_list_failed"}}), 1);
  simulation.executor().sleep_for(10min);
  EXPECT_TRUE(listed) << listed.error().to_string();
  instance.reset();  // a reconcile that uses the variables above may be in progress
}

TEST_F(ClusterContextTest, ListOwnedReturnsTheChildrenOfThisObjectOnly) {
  std::map<std::string, std::vector<std::string>> owned;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         auto child = ctx.apply(ConfigMap{.metadata = owned_by(n, "child")});
         if (!child) return child.error();
         const auto list = ctx.list_owned<ConfigMap>();
         if (!list) return list.error();
         owned[n.metadata.name].clear();
         for (const ConfigMap& one : *list) owned[n.metadata.name].push_back(one.metadata.name);
         return done;
       }});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "foreign", .namespace_ = "default"}}));
  create(note("a"));
  create(note("b"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(owned["a"], ElementsAre("a-child"));
  EXPECT_THAT(owned["b"], ElementsAre("b-child"));
}

}  // namespace
}  // namespace pintle
