// SPDX-License-Identifier: Apache-2.0
// Functions of a declaration that throw: the controller continues, the exception is reported, and no object is skipped.
#include <stdexcept>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class ThrowingFunctionsTest : public OperatorTest {
 protected:
  Controller<Note> counting() {
    return {.reconcile = [this](const Note& n, Context&) -> Outcome {
      ++reconciles[n.metadata.name];
      return done;
    }};
  }
  [[nodiscard]] double exceptions_in(const std::string& function) {
    return metric("pintle_function_exceptions_total", {{"function", function}});
  }
  static bool throw_on(const Change& change, std::string_view name) {
    if (change.object().name() == name) throw std::runtime_error("oops");
    return false;
  }

  std::map<std::string, int> reconciles;
};

TEST_F(ThrowingFunctionsTest, APredicateThatThrowsAccepts) {
  Controller<Note> controller = counting();
  controller.predicate = Predicate([](const Change& change) { return throw_on(change, "bad"); });
  run(std::move(controller));
  create(note("bad"));
  create(note("other"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, (std::map<std::string, int>{{"bad", 1}}));
  EXPECT_EQ(exceptions_in("predicate"), 1);
  EXPECT_TRUE(log->has("function=predicate key=default/bad error=std::runtime_error: oops"));
}

TEST_F(ThrowingFunctionsTest, PredicatesOfOtherKindsThatThrowAccept) {
  Controller<Note> controller = counting();
  controller.owns = {
      {ConfigMap::type, {.predicate = Predicate([](const Change& change) { return throw_on(change, "a"); })}}};
  controller.watches = {{.kind = Secret::type,
                         .map =
                             [](const Object&) {
                               return std::vector<ObjectKey>{{"default", "b"}};
                             },
                         .predicate = Predicate([](const Change& change) { return throw_on(change, "s"); })}};
  run(std::move(controller));
  create(note("a"));
  create(note("b"));
  ASSERT_TRUE(simulation.run_until_idle());
  reconciles.clear();
  const auto owner = simulation.user().get(Note::type, {"default", "a"});
  ASSERT_TRUE(owner);
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = owned_by(*owner)}));
  ASSERT_TRUE(simulation.user().create(Secret{.metadata = {.name = "s", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.user().create(Secret{.metadata = {.name = "t", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, (std::map<std::string, int>{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(exceptions_in("owns.predicate"), 1);
  EXPECT_EQ(exceptions_in("watches.predicate"), 1);
}

TEST_F(ThrowingFunctionsTest, ATenantFunctionThatThrowsGivesTheUnnamedTenant) {
  Controller<Note> controller = counting();
  controller.queue.tenant = [](const ObjectKey& key) -> std::string {
    if (key.name == "bad") throw std::runtime_error("oops");
    return key.namespace_;
  };
  run(std::move(controller));
  create(note("bad"));
  create(note("good"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, (std::map<std::string, int>{{"bad", 1}, {"good", 1}}));
  EXPECT_EQ(exceptions_in("queue.tenant"), 1);
}

TEST_F(ThrowingFunctionsTest, AnObjectFunctionThatThrowsIsRetriedWithBackOff) {
  const auto channel = std::make_shared<ChannelSource>(simulation.executor());
  int predicate_calls = 0;
  AnyController spec = erase_type(counting());
  spec.get_object = [&](const ObjectKey& key) -> Object {
    if (++predicate_calls <= 5) throw std::runtime_error("oops");
    return Object(json::Value{{"apiVersion", "test.pintle.dev/v1"},
                              {"kind", "Note"},
                              {"metadata", {{"name", key.name}, {"namespace", key.namespace_}}},
                              {"spec", {{"text", "x"}}}});
  };
  spec.channels = {channel};
  start([&](Manager& manager) { manager.add(std::move(spec)); });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  channel->send({"default", "a"});
  simulation.executor().sleep_for(100ms);
  EXPECT_LE(predicate_calls, 5);  // retries after 5, 10, 20, 40 and 80 ms
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_EQ(exceptions_in("get_object"), 5);
}

TEST_F(ThrowingFunctionsTest, AnObserverThatThrowsIsCounted) {
  Controller<Note> controller = counting();
  controller.on_change = [](const Change&) { throw std::runtime_error("oops"); };
  run(std::move(controller));
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_EQ(exceptions_in("on_change"), 1);
}

// The object is treated as missing, and the others are not affected.
TEST_F(ThrowingFunctionsTest, AnObjectWhoseTransformThrowsIsDropped) {
  ManagerOptions options;
  options.cache_projections[Note::type].transform = [](json::Value& object) {
    if (object.at("spec").at("text") == "bad") throw std::runtime_error("oops");
  };
  Controller<Note> controller = counting();
  int gone = 0;
  controller.gone = [&](const Note&, Context&) -> Outcome {
    ++gone;
    return done;
  };
  run(counting());  // installs the kind
  instance.reset();
  create(note("a", "bad"));
  create(note("b"));
  reconciles.clear();
  run(std::move(controller), std::move(options));
  create(note("c", "bad"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, (std::map<std::string, int>{{"b", 1}}));
  set_text("a", "mended");
  set_text("b", "bad");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, (std::map<std::string, int>{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(gone, 0);  // the object still exists
  EXPECT_EQ(log->count("an object is left out of the cache"), 3U);
  EXPECT_EQ(log->count("threw std::runtime_error: oops"), 3U);
  EXPECT_TRUE(log->has("default/c threw"));
}

class ThrowingFinder final : public ClusterFinder {
 public:
  Result<Cluster> find(const ClusterFinderContext&) override { throw std::runtime_error("oops"); }
  [[nodiscard]] std::vector<RbacRule> rbac_rules() const override { return {}; }
};

TEST_F(ThrowingFunctionsTest, AClusterFinderThatThrowsFailsTheStart) {
  start([&](Manager& manager) { manager.add(counting()); },
        {.clusters = {{.name = "west", .finder = std::make_shared<ThrowingFinder>()}}});
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string error = instance->started().error().to_string();
  EXPECT_EQ(error, "connect to cluster west: the cluster finder threw std::runtime_error: oops");
}

TEST_F(ThrowingFunctionsTest, AWatchEndListenerThatThrowsIsCounted) {
  AnyController spec = erase_type(counting());
  spec.on_watch_end = [](const Error*) { throw std::runtime_error("oops"); };
  start([&](Manager& manager) { manager.add(std::move(spec)); });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  simulation.server().compact();
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  simulation.executor().sleep_for(10min);  // a watch ends after 5 to 10 min
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_GE(exceptions_in("on_watch_end"), 1);
}

}  // namespace
}  // namespace pintle
