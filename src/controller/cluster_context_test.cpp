// Reads of a reconcile that go beyond get() and list().
#include <pintle/controller/cluster_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

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
