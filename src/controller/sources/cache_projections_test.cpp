// SPDX-License-Identifier: Apache-2.0
// Controllers of kinds whose cache keeps only a part of each object.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr const char* cleanup = "test.pintle.dev/cleanup";
constexpr const char* foreign_finalizer = "example.com/other";

class CacheProjectionsTest : public OperatorTest {
 protected:
  // The cache keeps the spec only.
  static ManagerOptions keeping_spec_of(const GroupVersionKind& kind) {
    return {.cache_projections = {{kind, {.projection = {.keep = {"/spec"}}}}}};
  }
  [[nodiscard]] std::vector<std::string> finalizers() {
    std::vector<std::string> names;
    const auto stored = simulation.user().get(Note::type, {"default", "a"});
    if (!stored) return {stored.error().to_string()};
    for (const json::View one : stored->finalizers().elements()) names.emplace_back(one.text());
    return names;
  }
};

TEST_F(CacheProjectionsTest, AnObjectIsFinalizedAndKeepsTheFinalizersOfOthers) {
  int finalized = 0;
  run({.reconcile = [](const Note&, Context&) -> Outcome { return done; },
       .finalize = [&](const Note&, Context&) -> Outcome {
         ++finalized;
         return done;
       },
       .finalizer = cleanup},
      keeping_spec_of(Note::type));
  Note made = note("a");
  made.metadata.finalizers = {foreign_finalizer};
  create(made);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(finalizers(), ElementsAre(foreign_finalizer, cleanup));

  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalized, 1);
  EXPECT_THAT(finalizers(), ElementsAre(foreign_finalizer));
}

TEST_F(CacheProjectionsTest, AChangedChildCausesAReconcileOfItsOwner) {
  int reconciles = 0;
  run({.owns = {Pod::type},
       .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         ++reconciles;
         Pod child{.metadata = owned_by(n)};
         child.spec.containers = {{.image = "i", .name = "c"}};
         return ctx.apply(child);
       }},
      keeping_spec_of(Pod::type));
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  const int before = reconciles;
  ASSERT_TRUE(simulation.user().remove(Pod::type, {"default", "a"}, {.grace_period = 0s}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_GT(reconciles, before);
  EXPECT_TRUE(simulation.user().get(Pod::type, {"default", "a"}));
}

TEST_F(CacheProjectionsTest, APodThatTerminatesIsInTheCache) {
  std::vector<std::string> seen;
  start(
      [&](Manager& manager) {
        manager.add(Controller<Pod>{.reconcile = [&](const Pod& pod, Context& ctx) -> Outcome {
          seen.emplace_back(pod.metadata.is_deleting() ? "terminating" : "running");
          if (pod.metadata.is_deleting()) return done;
          if (auto removed = ctx.client().remove(Pod::type, pod.metadata.key(), {.grace_period = 30s}); !removed) {
            return failed(removed.error());
          }
          seen.emplace_back(ctx.get(GroupVersionKind(Pod::type), pod.metadata.key()) ? "cached" : "missing");
          return done;
        }});
      },
      keeping_spec_of(Pod::type));
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  Pod pod{.metadata = {.name = "a", .namespace_ = "default"}};
  pod.spec.node_name = "n1";
  pod.spec.containers = {{.image = "i", .name = "c"}};
  ASSERT_TRUE(simulation.user().create(pod));
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(seen, ElementsAre("running", "cached", "terminating"));
}

TEST_F(CacheProjectionsTest, ANamespaceKeepsTheFinalizersOfItsSpec) {
  std::vector<std::string> seen;
  start(
      [&](Manager& manager) {
        manager.add(Controller<Namespace>{.reconcile = [&](const Namespace& one, Context&) -> Outcome {
          if (one.metadata.name == "a") seen.emplace_back(one.metadata.is_deleting() ? "terminating" : "active");
          return done;
        }});
      },
      {.cache_projections = {{Namespace::type, {.projection = {.keep = {"/metadata/labels"}}}}}});
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  Namespace made{.metadata = {.name = "a"}};
  made.spec.finalizers = {"example.com/other"};
  ASSERT_TRUE(simulation.user().create(made));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_FALSE(seen.empty());
  ASSERT_TRUE(simulation.user().remove(Namespace::type, {"", "a"}));
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(seen.front(), "active");
  EXPECT_EQ(seen.back(), "terminating");
  EXPECT_LE(seen.size(), 5U);
}

}  // namespace
}  // namespace pintle
