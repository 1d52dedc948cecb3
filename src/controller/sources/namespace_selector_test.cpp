// SPDX-License-Identifier: Apache-2.0
// Controllers that watch the namespaces with certain labels.
#include <tuple>

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
const GroupVersionKind namespaces("v1", "Namespace");
const GroupVersionKind notes_kind{Note::type};

class NamespaceSelector : public OperatorTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(simulation.install<Note>());
    make_namespace("a", "one");
    make_namespace("b", "two");
    make_namespace("c", "one");
  }
  void make_namespace(const std::string& name, const std::string& team, testkit::Simulation* at = nullptr) {
    const json::Value made{{"apiVersion", "v1"},
                           {"kind", "Namespace"},
                           {"metadata", {{"name", name}, {"labels", {{"team", team}, {"name", name}}}}}};
    ASSERT_TRUE((at == nullptr ? simulation : *at).user().create(made));
  }
  void label(const std::string& name, const std::string& team) {
    ASSERT_TRUE(simulation.user().patch(namespaces, {"", name}, {{"metadata", {{"labels", {{"team", team}}}}}}));
  }
  void create_in(const std::string& namespace_, const std::string& name) {
    create({.metadata = {.name = name, .namespace_ = namespace_}});
  }
  Controller<Note> recorder() {
    return {.owns = {ConfigMap::type},
            .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
              ++seen[n.metadata.namespace_ + "/" + n.metadata.name];
              if (!read) return done;
              return read(n, ctx);
            },
            .gone = [this](const Note& n, Context&) -> Outcome {
              gone.insert(n.metadata.namespace_ + "/" + n.metadata.name);
              return done;
            }};
  }
  static Names keys(const Result<std::vector<Object>>& objects) {
    if (!objects) return {objects.error().to_string()};
    Names all;
    for (const Object& object : *objects) all.push_back(object.key().to_string());
    return all;
  }
  Names seen_keys() const {
    Names all;
    for (const auto& [key, count] : seen) all.push_back(key);
    return all;
  }

  std::map<std::string, int> seen;
  std::set<std::string> gone;
  std::function<Outcome(const Note&, Context&)> read;
};

TEST_F(NamespaceSelector, OnlyObjectsInNamespacesWithTheLabelsAreReconciled) {
  create_in("a", "before");
  create_in("b", "before");
  run(recorder(), {.namespace_selector = "team=one"});
  EXPECT_THAT(seen_keys(), ElementsAre("a/before")) << "the start waits for the caches of the selected namespaces";
  create_in("b", "x");
  create_in("c", "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("a/before", "c/x"));
}

TEST_F(NamespaceSelector, ANamespaceThatGetsTheLabelsIsWatched) {
  create_in("b", "old");
  run(recorder(), {.namespace_selector = "team=one"});
  label("b", "one");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("b/old"));
  create_in("b", "new");
  make_namespace("d", "one");
  create_in("d", "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("b/new", "b/old", "d/x"));
}

// Its objects still exist, so the clean-up after a deletion must not run.
TEST_F(NamespaceSelector, ANamespaceThatLosesTheLabelsIsNoLongerWatchedAndNothingIsCleanedUp) {
  create_in("a", "x");
  create_in("c", "y");
  run(recorder(), {.namespace_selector = "team=one"});
  const auto before = seen;
  label("a", "two");
  ASSERT_TRUE(simulation.run_until_idle());
  create_in("a", "later");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen, before);
  EXPECT_THAT(gone, IsEmpty());
  EXPECT_EQ(keys(instance->manager().cache()->list(notes_kind)), Names{"c/y"});

  label("a", "one");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("a/later", "a/x", "c/y"));
  ASSERT_TRUE(simulation.user().remove(notes_kind, {"a", "x"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(gone, ElementsAre("a/x"));
}

TEST_F(NamespaceSelector, ListsAndIndexesShowTheSelectedNamespaces) {
  for (const char* namespace_ : {"a", "b", "c"}) {
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = "m", .namespace_ = namespace_}, .data = {{"key", "k"}}}));
  }
  Names all, indexed;
  std::uint64_t requests = 0;
  Controller<Note> controller = recorder();
  controller.indexes = {Index{.kind = ConfigMap::type, .name = "key", .keys = [](const Object& object) {
                                return std::vector{std::string(object["/data/key"].text())};
                              }}};
  read = [&](const Note&, Context& ctx) -> Outcome {
    const std::uint64_t before = instance->transport().calls();
    all = keys(ctx.list(config_map));
    indexed = keys(ctx.list(config_map, {.index = {"key", "k"}}));
    requests = instance->transport().calls() - before;
    return done;
  };
  run(std::move(controller), {.namespace_selector = "team=one"});
  create_in("a", "n");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(all, ElementsAre("a/m", "c/m"));
  EXPECT_THAT(indexed, ElementsAre("a/m", "c/m"));

  label("b", "one");
  label("c", "two");
  ASSERT_TRUE(simulation.run_until_idle());
  create_in("a", "again");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(all, ElementsAre("a/m", "b/m"));
  EXPECT_THAT(indexed, ElementsAre("a/m", "b/m")) << "a cache that is added later has the indexes too";
  EXPECT_EQ(requests, 0U);
}

// The server has no such index. Without it, the reconcile would fail for ever with an error of the declaration.
TEST_F(NamespaceSelector, AnIndexSelectsFromTheServerWhileACacheIsNotFilled) {
  for (const auto& [namespace_, name, key] : {std::tuple{"a", "m", "k"}, {"b", "m", "k"}, {"b", "n", "other"}}) {
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = name, .namespace_ = namespace_}, .data = {{"key", key}}}));
  }
  Names everywhere, there, elsewhere;
  Controller<Note> controller = recorder();
  controller.indexes = {Index{.kind = ConfigMap::type, .name = "key", .keys = [](const Object& object) {
                                return std::vector{std::string(object["/data/key"].text())};
                              }}};
  read = [&](const Note&, Context& ctx) -> Outcome {
    everywhere = keys(ctx.list(config_map, {.index = {"key", "k"}}));
    there = keys(ctx.list(config_map, {.namespace_ = "b", .index = {"key", "k"}}));
    elsewhere = keys(ctx.list(config_map, {.namespace_ = "c", .index = {"key", "k"}}));
    return done;
  };
  run(std::move(controller), {.namespace_selector = "name in (a,b),team=one"});
  instance->transport().set_faults({{.effect = http::Delay{1min}, .only = [](const http::Request& request) {
                                       return request.target.find("/namespaces/b/configmaps") != std::string::npos &&
                                              request.target.find("watch=") != std::string::npos;
                                     }}});
  label("b", "one");
  simulation.executor().sleep_for(1s);
  create_in("a", "n");
  simulation.executor().sleep_for(5s);
  EXPECT_THAT(everywhere, ElementsAre("a/m", "b/m"));
  EXPECT_THAT(there, ElementsAre("b/m"));
  EXPECT_THAT(elsewhere, IsEmpty()) << "a namespace that is not watched";
}

TEST_F(NamespaceSelector, ASelectorOfTheControllerNarrowsThatOfTheManager) {
  Controller<Note> controller = recorder();
  controller.namespace_selector = "name in (a,b)";
  run(std::move(controller), {.namespace_selector = "team=one"});
  for (const char* namespace_ : {"a", "b", "c"}) create_in(namespace_, "x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("a/x"));
}

TEST_F(NamespaceSelector, ADeletedNamespaceIsWatchedUntilItsObjectsHaveGone) {
  create_in("a", "x");
  run(recorder(), {.namespace_selector = "team=one"});
  ASSERT_TRUE(simulation.user().remove(namespaces, {"", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(gone, ElementsAre("a/x"));
  make_namespace("a", "one");
  create_in("a", "y");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen.count("a/y"), 1U);
}

// A label that changes while the first list of the namespace waits for its turn must not be lost.
TEST_F(NamespaceSelector, LabelsMayChangeFasterThanListsBegin) {
  constexpr int many = 40;
  for (int i = 0; i < many; ++i) {
    make_namespace("n" + std::to_string(i), "two");
    create_in("n" + std::to_string(i), "x");
  }
  run(recorder(), {.namespace_selector = "team=one"});
  for (const char* team : {"one", "two", "one"}) {
    for (int i = 0; i < many; ++i) label("n" + std::to_string(i), team);
  }
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(many));
  EXPECT_THAT(gone, IsEmpty());
}

// Its place would otherwise stay taken for ever, because its first list never ends.
TEST_F(NamespaceSelector, ANamespaceThatLosesTheLabelsDuringItsFirstListLeavesItsPlace) {
  constexpr int many = 10;  // with two kinds each, more than the lists that are read at the same time
  for (int i = 0; i < many; ++i) make_namespace("n" + std::to_string(i), "two");
  create_in("b", "x");
  run(recorder(), {.namespace_selector = "team=one"});
  instance->transport().set_faults({{.effect = http::Delay{1h}, .only = [](const http::Request& request) {
                                       return request.target.find("/namespaces/n") != std::string::npos;
                                     }}});
  for (const char* team : {"one", "two"}) {
    for (int i = 0; i < many; ++i) label("n" + std::to_string(i), team);
    simulation.executor().sleep_for(5s);
  }
  label("b", "one");
  simulation.executor().sleep_for(5s);
  EXPECT_THAT(seen_keys(), ElementsAre("b/x"));
}

// An operator may see many namespaces with unique names, for example one for each run of a test.
TEST_F(NamespaceSelector, TheCachesOfADeletedNamespaceAreReleased) {
  const auto living = std::make_shared<int>();  // each cache has a copy of the function of the index
  Controller<Note> controller = recorder();
  controller.indexes = {Index{
      .kind = ConfigMap::type, .name = "key", .keys = [living](const Object&) { return std::vector<std::string>(); }}};
  run(std::move(controller), {.namespace_selector = "team=one"});
  const auto before = living.use_count();
  constexpr int many = 20;
  for (int i = 0; i < many; ++i) {
    const std::string name = "run-" + std::to_string(i);
    make_namespace(name, "one");
    create_in(name, "x");
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_EQ(seen.count(name + "/x"), 1U);
    EXPECT_GT(living.use_count(), before);
    ASSERT_TRUE(simulation.user().remove(namespaces, {"", name}));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(gone.count(name + "/x"), 1U) << "its objects are cleaned up as before";
    EXPECT_EQ(living.use_count(), before);
  }
  make_namespace("run-0", "one");
  create_in("run-0", "again");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen.count("run-0/again"), 1U) << "a namespace with the same name is a new one";
}

TEST_F(NamespaceSelector, ContradictionsAreErrorsOfTheStart) {
  const auto error_of = [&](ManagerOptions options, const std::function<void(Controller<Note>&)>& change) {
    start(
        [&](Manager& manager) {
          Controller<Note> controller = recorder();
          if (change) change(controller);
          manager.add(std::move(controller));
        },
        std::move(options));
    EXPECT_TRUE(simulation.wait_until([&] { return !instance->started(); }));
    return instance->started() ? std::string() : instance->started().error().to_string();
  };
  EXPECT_THAT(error_of({.namespaces = {"a"}, .namespace_selector = "team=one"}, {}),
              HasSubstr("remove --namespace or --namespace-selector"));
  EXPECT_THAT(error_of({.namespace_selector = "team in"}, {}), HasSubstr("ManagerOptions::namespace_selector"));
  EXPECT_THAT(error_of({.namespaces = {"a"}}, [](auto& c) { c.namespace_selector = "team=one"; }),
              HasSubstr("selects namespaces by labels, but the manager is restricted to names"));
  EXPECT_THAT(error_of({.namespace_selector = "team=one"}, [](auto& c) { c.namespaces = {"a"}; }),
              HasSubstr("names namespaces, but the manager selects them by labels"));
  EXPECT_THAT(error_of({}, [](auto& c) { c.namespaces = {"a"}, c.namespace_selector = "team=one"; }),
              HasSubstr("has .namespaces and .namespace_selector"));
}

// The roles that --print-rbac prints allow all requests.
TEST_F(NamespaceSelector, TheRolesSuffice) {
  Names missing;
  testkit::Simulation strict({.seed = 1,
                              .on_missing_permission = [&](const std::string& what) { missing.push_back(what); },
                              .enforce_roles = true});
  make_namespace("a", "one", &strict);
  ASSERT_TRUE(strict.install<Note>());
  testkit::Instance one(strict, {.name = "test-operator", .namespace_selector = "team=one", .log_sink = log},
                        [&](Manager& manager) { manager.add(recorder()); });
  one.start();
  ASSERT_TRUE(strict.wait_until([&] { return one.manager().is_ready(); }));
  ASSERT_TRUE(strict.user().create(Note{.metadata = {.name = "n", .namespace_ = "a"}}));
  ASSERT_TRUE(strict.run_until_idle());
  EXPECT_THAT(seen_keys(), ElementsAre("a/n"));
  one.stop();
  EXPECT_THAT(missing, IsEmpty());
}

// The cache of the reconciled kind is required in each selected namespace, as in each namespace that is named.
TEST_F(NamespaceSelector, AMissingPermissionForTheReconciledKindMakesTheStartFail) {
  simulation.server().set_faults({.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                             .only = RequestMatcher{.resource = "notes.test.pintle.dev"}}}});
  start([&](Manager& manager) { manager.add(recorder()); },
        {.namespace_selector = "team=one", .sync_timeout = 20s, .max_cache_silence = {}});
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string error = instance->started().error().to_string();
  EXPECT_THAT(error, HasSubstr("the first list of notes.test.pintle.dev in namespace a has not arrived"));
  EXPECT_THAT(error, HasSubstr("required in a Role in namespace "));
}

TEST_F(NamespaceSelector, AnOwnedKindWithoutPermissionIsRequiredOnlyIfItSaysSo) {
  for (const bool required : {false, true}) {
    SCOPED_TRACE(required);
    simulation.server().set_faults({.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                               .only = RequestMatcher{.resource = "configmaps"}}}});
    Controller<Note> controller = recorder();
    controller.owns = {Owns{ConfigMap::type, {.required = required}}};
    start([&](Manager& manager) { manager.add(std::move(controller)); },
          {.namespace_selector = "team=one", .sync_timeout = 20s, .max_cache_silence = {}});
    instance->join();
    EXPECT_EQ(static_cast<bool>(instance->started()), !required);
  }
}

// The strictest need of all controllers applies to a cache that they share.
TEST_F(NamespaceSelector, AKindIsRequiredIfOneOfTwoControllersRequiresIt) {
  simulation.server().set_faults({.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                             .only = RequestMatcher{.resource = "configmaps"}}}});
  start(
      [&](Manager& manager) {
        manager.add(recorder());
        Controller<Note> other = recorder();
        other.name = "other";
        other.owns = {Owns{ConfigMap::type, {.required = true}}};
        manager.add(std::move(other));
      },
      {.namespace_selector = "team=one", .sync_timeout = 20s, .max_cache_silence = {}});
  instance->join();
  EXPECT_FALSE(instance->started());
}

// No event shows the deletion of a namespace without the labels.
TEST_F(NamespaceSelector, TheCachesOfANamespaceThatLosesTheLabelsAreReleased) {
  const auto living = std::make_shared<int>();
  Controller<Note> controller = recorder();
  controller.indexes = {Index{
      .kind = ConfigMap::type, .name = "key", .keys = [living](const Object&) { return std::vector<std::string>(); }}};
  run(std::move(controller), {.namespace_selector = "team=one"});
  const auto before = living.use_count();
  for (int i = 0; i < 20; ++i) {
    const std::string name = "run-" + std::to_string(i);
    make_namespace(name, "one");
    create_in(name, "x");
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_EQ(seen.count(name + "/x"), 1U);
    label(name, "two");
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_TRUE(simulation.user().remove(namespaces, {"", name}));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(living.use_count(), before);
  }
  EXPECT_THAT(gone, IsEmpty()) << "the operator was not concerned with them any more";
}

// The read would otherwise fail with a declaration to add that is there.
TEST_F(NamespaceSelector, TheCacheOfTheManagerNamesANamespaceThatIsNotFilled) {
  run(recorder(), {.namespace_selector = "team=one"});
  instance->transport().set_faults({{.effect = http::Delay{1min}, .only = [](const http::Request& request) {
                                       return request.target.find("/namespaces/b/notes") != std::string::npos;
                                     }}});
  label("b", "one");
  simulation.executor().sleep_for(5s);
  const auto object = instance->manager().cache()->get(notes_kind, {"b", "x"});
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::unavailable);
  EXPECT_THAT(object.error().message,
              HasSubstr("the first list of notes.test.pintle.dev in namespace b has not arrived"));
  for (const CacheListOptions& options : {CacheListOptions{}, CacheListOptions{.namespace_ = "b"}}) {
    const auto list = instance->manager().cache()->list(notes_kind, options);
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().code, ErrorCode::unavailable);
    EXPECT_THAT(list.error().message, HasSubstr("in namespace b has not arrived"));
  }
  const auto elsewhere = instance->manager().cache()->get(notes_kind, {"kube-system", "x"});
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::invalid);
}

}  // namespace
}  // namespace pintle
