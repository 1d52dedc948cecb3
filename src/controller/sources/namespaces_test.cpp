// SPDX-License-Identifier: Apache-2.0
// Controllers that watch several namespaces.
#include <gmock/gmock.h>

#include <pintle/manager/manager_cache.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

class Namespaces : public OperatorTest {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) make_namespace(name);
    ASSERT_TRUE(simulation.install<Note>());
  }
  void make_namespace(const std::string& name) {
    const auto made = simulation.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}});
    ASSERT_TRUE(made) << made.error().to_string();
  }
  void create_in(const std::string& namespace_, const std::string& name) {
    create({.metadata = {.name = name, .namespace_ = namespace_}});
  }
  Controller<Note> recorder() {
    return {.owns = {ConfigMap::type}, .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
              seen.insert(n.metadata.namespace_ + "/" + n.metadata.name);
              if (!read) return done;
              return read(n, ctx);
            }};
  }
  static Names keys(const Result<std::vector<Object>>& objects) {
    if (!objects) return {objects.error().to_string()};
    Names all;
    for (const Object& object : *objects) all.push_back(object.key().to_string());
    return all;
  }
  // Makes the server forbid everything in a namespace.
  void forbid(const std::string& namespace_) {
    simulation.server().set_faults(
        {.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                    .only = [part = "/namespaces/" + namespace_ + "/"](const http::Request& request) {
                      return request.target.find(part) != std::string::npos;
                    }}}});
  }

  std::set<std::string> seen;
  std::function<Outcome(const Note&, Context&)> read;
};

TEST_F(Namespaces, OnlyObjectsOfTheWatchedOnesAreReconciled) {
  create_in("a", "before");
  create_in("c", "before");
  run(recorder(), {.namespaces = {"b", "a"}});
  create_in("a", "x");
  create_in("b", "x");
  create_in("c", "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen, ElementsAre("a/before", "a/x", "b/x"));
}

TEST_F(Namespaces, AControllerMayWatchSomeOfThoseOfTheManager) {
  Controller<Note> controller = recorder();
  controller.namespaces = {"b"};
  run(std::move(controller), {.namespaces = {"a", "b"}});
  create_in("a", "x");
  create_in("b", "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen, ElementsAre("b/x"));
}

TEST_F(Namespaces, AListIsThatOfAllWatchedOnesInOrder) {
  for (const char* namespace_ : {"a", "b", "c"}) {
    for (const char* name : {"y", "x"}) {
      ASSERT_TRUE(simulation.user().create(ConfigMap{
          .metadata = {.name = name, .namespace_ = namespace_, .labels = {{"name", name}}}, .data = {{"key", name}}}));
    }
  }
  Names all, one, outside, labelled, indexed, by_owner;
  bool has_one = false, has_other = false;
  std::uint64_t requests = 0;
  Controller<Note> controller = recorder();
  controller.indexes = {Index{.kind = ConfigMap::type, .name = "key", .keys = [](const Object& object) {
                                return std::vector{std::string(object["/data/key"].text())};
                              }}};
  read = [&](const Note&, Context& ctx) -> Outcome {
    const std::uint64_t before = instance->transport().calls();
    all = keys(ctx.list(config_map));
    one = keys(ctx.list(config_map, {.namespace_ = "b"}));
    labelled = keys(ctx.list(config_map, {.label_selector = "name=x"}));
    indexed = keys(ctx.list(config_map, {.index = {"key", "y"}}));
    has_one = ctx.get(config_map, {"b", "x"}).has_value();
    requests = instance->transport().calls() - before;
    outside = keys(ctx.list(config_map, {.namespace_ = "c"}));
    has_other = ctx.get(config_map, {"c", "x"}).has_value();
    return done;
  };
  run(std::move(controller), {.namespaces = {"b", "a"}});
  create_in("a", "n");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(all, ElementsAre("a/x", "a/y", "b/x", "b/y"));
  EXPECT_THAT(one, ElementsAre("b/x", "b/y"));
  EXPECT_THAT(labelled, ElementsAre("a/x", "b/x"));
  EXPECT_THAT(indexed, ElementsAre("a/y", "b/y"));
  EXPECT_TRUE(has_one);
  EXPECT_EQ(requests, 0U);
  EXPECT_THAT(outside, ElementsAre("c/x", "c/y")) << "read from the server";
  EXPECT_TRUE(has_other);
  EXPECT_EQ(instance->manager().cache()->list(config_map)->size(), 4U);
}

TEST_F(Namespaces, ChildrenAndOwnWritesOfEachAreSeen) {
  std::map<std::string, int> reconciles;
  std::map<std::string, Names> owned;
  read = [&](const Note& n, Context& ctx) -> Outcome {
    ++reconciles[n.metadata.namespace_];
    const auto applied = ctx.apply(ConfigMap{.metadata = owned_by(n, "child"), .data = {{"text", n.spec.text}}});
    owned[n.metadata.namespace_] = keys(ctx.list_owned(config_map));
    return applied;
  };
  run(recorder(), {.namespaces = {"a", "b"}});
  create_in("a", "n");
  create_in("b", "n");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(owned["a"], ElementsAre("a/n-child"));
  EXPECT_THAT(owned["b"], ElementsAre("b/n-child"));
  const auto before = reconciles;
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"b", "n-child"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles["a"], before.at("a"));
  EXPECT_GT(reconciles["b"], before.at("b"));
  EXPECT_TRUE(simulation.user().get<ConfigMap>({"b", "n-child"})) << "the deleted child was created again";
}

TEST_F(Namespaces, AMissingPermissionNamesTheNamespace) {
  forbid("b");
  start([&](Manager& manager) { manager.add(recorder()); },
        {.namespaces = {"a", "b"}, .sync_timeout = 20s, .max_cache_silence = {}});
  ASSERT_TRUE(simulation.wait_until([&] { return !instance->started(); }));
  const std::string error = instance->started().error().to_string();
  EXPECT_THAT(error, HasSubstr("the first list of notes.test.pintle.dev in namespace b has not arrived"));
  EXPECT_THAT(error, HasSubstr("a Role in namespace b"));
  EXPECT_EQ(error.find("in namespace a"), std::string::npos) << error;
}

// The cache of the namespace without permission is not filled; a list reads that namespace from the server.
TEST_F(Namespaces, AForbiddenNamespaceOfAnOwnedKindDoesNotAffectTheOthers) {
  simulation.server().set_faults({.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                             .only = [](const http::Request& request) {
                                               return request.target.find("/namespaces/b/configmaps") !=
                                                      std::string::npos;
                                             }}}});
  Names of_a, all;
  read = [&](const Note&, Context& ctx) -> Outcome {
    of_a = keys(ctx.list(config_map, {.namespace_ = "a"}));
    all = keys(ctx.list(config_map));
    return done;
  };
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "x", .namespace_ = "a"}}));
  run(recorder(), {.namespaces = {"a", "b"}, .sync_timeout = 20s});
  create_in("b", "n");
  ASSERT_TRUE(simulation.wait_until([&] { return !seen.empty(); }));
  EXPECT_THAT(of_a, ElementsAre("a/x"));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0], HasSubstr("in b: injected by the fault plan (403 Forbidden)"));
  EXPECT_TRUE(log->has("the cluster forbids this program to read a resource"));
  EXPECT_TRUE(log->has("namespace=b"));
  simulation.server().set_faults({});
  simulation.executor().sleep_for(2min);
  create_in("b", "m");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(all, ElementsAre("a/x"));
}

TEST_F(Namespaces, AMissingOneIsLoggedOnceAndWatchedWhenItComes) {
  run(recorder(), {.namespaces = {"a", "later"}});
  EXPECT_EQ(log->count("a watched namespace does not exist"), 1U);
  EXPECT_TRUE(log->has("namespace=later"));
  make_namespace("later");
  create_in("later", "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen, ElementsAre("later/x"));
  EXPECT_EQ(log->count("a watched namespace does not exist"), 1U);
}

// The informers of a namespace are shared, and a cluster-scoped kind has one cache.
TEST_F(Namespaces, CachesAreShared) {
  const GroupVersionKind nodes("v1", "Node");
  Controller<Note> first = recorder();
  first.watches = {{.kind = nodes, .map = [](const Object&) -> std::vector<ObjectKey> { return {}; }}};
  Controller<Note> second = recorder();
  second.name = "second";
  second.namespaces = {"b"};
  std::map<std::string, int> watches;
  start(
      [&](Manager& manager) {
        manager.add(first);
        manager.add(second);
      },
      {.namespaces = {"a", "b"}, .list_mode = ListMode::paged});
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       if (http::is_watch(request)) {
                                         ++watches[request.target.substr(0, request.target.find('?'))];
                                       }
                                       return false;
                                     }}});
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  EXPECT_THAT(watches, ElementsAre(std::pair("/api/v1/namespaces/a/configmaps", 1),
                                   std::pair("/api/v1/namespaces/b/configmaps", 1), std::pair("/api/v1/nodes", 1),
                                   std::pair("/apis/test.pintle.dev/v1/namespaces/a/notes", 1),
                                   std::pair("/apis/test.pintle.dev/v1/namespaces/b/notes", 1)));
}

// The roles that --print-rbac prints allow all requests.
TEST_F(Namespaces, TheRolesOfTheNamespacesSuffice) {
  Names missing;
  testkit::Simulation strict({.seed = 1,
                              .on_missing_permission = [&](const std::string& what) { missing.push_back(what); },
                              .enforce_roles = true});
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(
        strict.user().create(json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}}));
  }
  ASSERT_TRUE(strict.install<Note>());
  testkit::Instance one(strict, {.name = "test-operator", .namespaces = {"a", "b"}, .log_sink = log},
                        [&](Manager& manager) { manager.add(recorder()); });
  one.start();
  ASSERT_TRUE(strict.wait_until([&] { return one.manager().is_ready(); }));
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(strict.user().create(Note{.metadata = {.name = "n", .namespace_ = name}}));
  }
  ASSERT_TRUE(strict.run_until_idle());
  EXPECT_THAT(seen, ElementsAre("a/n", "b/n"));
  one.stop();
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace pintle
