// SPDX-License-Identifier: Apache-2.0
// Reading your own writes from a reconcile.
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

json::Value nameless_child(const Note& n) {
  json::Value child = encode(ConfigMap{.metadata = owned_by(n)});
  json::object& metadata = child.as_object()["metadata"].as_object();
  metadata.erase("name");
  metadata["generateName"] = n.metadata.name + "-";
  metadata["labels"] = json::object{{"of", n.metadata.name}};
  return child;
}

// Creates the child with a generated name if it is missing.
Outcome keep_one_child(const Note& n, Context& ctx) {
  const auto children = ctx.list<ConfigMap>({.namespace_ = "default", .label_selector = "of=" + n.metadata.name});
  if (!children) return failed(children.error());
  if (!children->empty()) return done;
  return ctx.create(nameless_child(n));
}

const auto is_create = http::requests("POST", "/api/v1/namespaces/default/configmaps");

// Users change notes while the connection of the operator is faulty. Returns the number of children of each note.
std::map<std::string, int> children_after(std::uint64_t seed, http::FaultPlan faults, std::uint64_t& injected_faults) {
  testkit::Simulation simulation({.seed = seed});
  faults.push_back({.effect = http::Delay{300ms}, .only = http::is_watch, .probability = 0.5});
  faults.push_back({.effect = http::TruncateBody{.after_bytes = 1500}, .only = http::is_watch, .probability = 0.5});
  faults.push_back({.effect = http::ErrorResponse{.status = 500}, .only = is_create, .probability = 0.2});
  faults.push_back({.effect = http::Drop{}, .only = is_create, .probability = 0.2});
  testkit::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::off},
      [](Manager& manager) {
        manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = keep_one_child, .workers = 2});
      },
      std::move(faults));
  instance.start();
  EXPECT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  for (const char* name : {"a", "b"}) EXPECT_TRUE(simulation.user().create(note(name)));
  for (int i = 0; i < 20; ++i) {
    const ObjectKey key{"default", simulation.random().below(2) == 0 ? "a" : "b"};
    EXPECT_TRUE(simulation.user().patch(Note::type, key, json::Value{{"spec", {{"text", std::to_string(i)}}}}));
    simulation.executor().sleep_for(std::chrono::milliseconds(simulation.random().below(30)));
  }
  injected_faults += instance.transport().injected_faults();
  instance.transport().set_faults({});
  EXPECT_TRUE(simulation.run_until_idle(10min, 24h));
  std::map<std::string, int> children;
  for (const Object& child : simulation.server().objects("configmaps")) ++children[std::string(child.label("of"))];
  return children;
}

using OneEach = std::map<std::string, int>;

// The response to a write is in the cache before the call returns (traps 70 to 72). Requests are lost and refused here,
// but no response to a create that succeeded: that is the next test, where the responses alone are not sufficient.
TEST(ReadOwnWrites, AListAfterACreateContainsTheChild) {
  std::uint64_t injected_faults = 0;
  const auto all = testkit::seeds({.usual = 200, .sanitized = 20});
  for (const std::uint64_t seed : all) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(children_after(seed, {}, injected_faults), (OneEach{{"a", 1}, {"b", 1}}));
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(injected_faults, 2 * all.size());
}

// The response to a create that succeeded is lost. The cache alone cannot contain the object in time, so the next list
// reads the server (trap 45).
TEST(ReadOwnWrites, AfterALostResponseTheNextListReadsTheServer) {
  std::uint64_t injected_faults = 0;
  const auto all = testkit::seeds({.usual = 200, .sanitized = 20});
  for (const std::uint64_t seed : all) {
    SCOPED_TRACE(seed);
    const http::Fault lost{.effect = http::Drop{.after_commit = true}, .only = is_create, .probability = 0.5};
    const http::Fault late{.effect = http::ErrorResponse{.status = 504, .reason = "Timeout", .after_commit = true},
                           .only = is_create,
                           .probability = 0.5};
    EXPECT_EQ(children_after(seed, {lost, late}, injected_faults), (OneEach{{"a", 1}, {"b", 1}}));
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(injected_faults, 2 * all.size());
}

// Creates the Secret with a generated name if it is missing. The controller has no cache of Secrets.
Outcome keep_one_secret(const Note& n, Context& ctx) {
  const auto secrets =
      ctx.live().list({"v1", "Secret"}, {.namespace_ = "default", .label_selector = "of=" + n.metadata.name});
  if (!secrets) return failed(secrets.error());
  if (!secrets->empty()) return done;
  json::Value secret = nameless_child(n);
  secret.as_object()["kind"] = "Secret";
  secret.as_object().erase("data");
  return ctx.create(secret);
}

// An aggregated API server or a proxy may respond to a list with an older state, also to one without a version. The
// expectation of the last write of the kind makes the list wait for it (trap 45).
TEST(ReadOwnWrites, AStaleListOfAKindWithoutACacheCausesNoSecondCreate) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 50, .sanitized = 5})) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    testkit::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [](Manager& manager) {
      manager.add(Controller<Note>{.reconcile = keep_one_secret, .workers = 2});
    });
    instance.start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
    simulation.server().set_faults({.rules = {{.effect = StaleRead{.age = 5s, .include_unversioned = true},
                                               .only = RequestMatcher{.verbs = {"list"}, .resource = "secrets"}}}});
    for (const char* name : {"a", "b"}) ASSERT_TRUE(simulation.user().create(note(name)));
    for (int i = 0; i < 20; ++i) {
      const ObjectKey key{"default", simulation.random().below(2) == 0 ? "a" : "b"};
      ASSERT_TRUE(simulation.user().patch(Note::type, key, json::Value{{"spec", {{"text", std::to_string(i)}}}}));
      simulation.executor().sleep_for(std::chrono::milliseconds(simulation.random().below(500)));
    }
    ASSERT_TRUE(simulation.run_until_idle(10min, 24h));
    std::map<std::string, int> secrets;
    for (const Object& secret : simulation.server().objects("secrets")) ++secrets[std::string(secret.label("of"))];
    EXPECT_EQ(secrets, (OneEach{{"a", 1}, {"b", 1}}));
    EXPECT_GT(simulation.server().injected_faults(), 0U);
    if (::testing::Test::HasFailure()) break;
  }
}

class ContextReadTest : public OperatorTest {
 protected:
  void each_reconcile(std::function<void(Context&)> body, std::vector<std::string> namespaces = {}) {
    run({.namespaces = std::move(namespaces),
         .owns = {ConfigMap::type},
         .reconcile = [this, body = std::move(body)](const Note&, Context& ctx) -> Outcome {
           const std::uint64_t before = instance->transport().calls();
           body(ctx);
           requests = instance->transport().calls() - before;
           return done;
         }});
    create(note("n"));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  static std::vector<std::string> names(const Result<std::vector<Object>>& objects) {
    std::vector<std::string> all;
    EXPECT_TRUE(objects) << objects.error().to_string();
    for (const Object& object : *objects) all.emplace_back(object.name());
    return all;
  }
  void config_map_of(const std::string& name, const std::string& team, const std::string& namespace_ = "default") {
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = name, .namespace_ = namespace_, .labels = {{"team", team}}}}));
  }

  std::uint64_t requests = 0;
};

using Names = std::vector<std::string>;

TEST_F(ContextReadTest, ListsOwnedObjectsFromTheCache) {
  config_map_of("b", "x");
  config_map_of("a", "x");
  config_map_of("c", "y");
  config_map_of("d", "x", "kube-system");
  Names in_namespace, everywhere, by_field;
  std::size_t typed = 0;
  each_reconcile([&](Context& ctx) {
    in_namespace = names(ctx.list(config_map, {.namespace_ = "default", .label_selector = "team=x"}));
    everywhere = names(ctx.list(config_map, {.label_selector = "team"}));
    by_field = names(ctx.list(config_map, {.field_selector = "metadata.name=c"}));
    typed = ctx.list<ConfigMap>({.label_selector = "team in (x, y)"})->size();
  });
  EXPECT_EQ(in_namespace, (Names{"a", "b"}));
  EXPECT_EQ(everywhere, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(by_field, (Names{"c"}));
  EXPECT_EQ(typed, 4U);
  EXPECT_EQ(requests, 0U);
}

TEST_F(ContextReadTest, ReadsUnwatchedNamespacesFromTheServer) {
  config_map_of("elsewhere", "x", "kube-system");
  Names other_namespace;
  Result<Object> got;
  each_reconcile(
      [&](Context& ctx) {
        other_namespace = names(ctx.list(config_map, {.namespace_ = "kube-system"}));
        got = ctx.get(config_map, {"kube-system", "elsewhere"});
      },
      {"default"});
  EXPECT_EQ(other_namespace, (Names{"elsewhere"}));
  EXPECT_TRUE(got);
  EXPECT_GE(requests, 2U);
}

// A request for each read of a kind that is not declared would stay unnoticed until the server is under load.
TEST_F(ContextReadTest, AReadOfAnUndeclaredKindNamesTheDeclarationToAdd) {
  std::vector<Error> errors;
  each_reconcile([&](Context& ctx) {
    const auto note_error = [&](const auto& result) {
      ASSERT_FALSE(result);
      errors.push_back(result.error());
    };
    note_error(ctx.list({"v1", "Secret"}));
    note_error(ctx.range({"v1", "Secret"}));
    note_error(ctx.list_owned<Secret>());
    note_error(ctx.get<Secret>({"default", "a"}));
    note_error(ctx.find<Secret>({"default", "a"}));
  });
  ASSERT_EQ(errors.size(), 5U);
  for (const Error& error : errors) {
    EXPECT_EQ(error.code, ErrorCode::invalid);
    EXPECT_TRUE(error.is_terminal);
    EXPECT_NE(error.to_string().find("v1 Secret is not cached for controller note; add it to .owns or .watches, or use "
                                     "ctx.live()"),
              std::string::npos)
        << error.to_string();
  }
  EXPECT_EQ(requests, 0U);
}

TEST_F(ContextReadTest, LiveReadsTheServerAlsoIfTheKindIsCached) {
  config_map_of("a", "x");
  Names all;
  bool has_missing = true;
  Result<Namespace> unwatched;
  each_reconcile([&](Context& ctx) {
    const std::uint64_t before = instance->transport().calls();
    all = names(ctx.live().list(config_map, {.namespace_ = "default"}));
    has_missing = ctx.live().find<ConfigMap>({"default", "missing"})->has_value();
    unwatched = ctx.live().get<Namespace>({"", "default"});
    requests = instance->transport().calls() - before;
  });
  EXPECT_EQ(all, (Names{"a"}));
  EXPECT_FALSE(has_missing);
  ASSERT_TRUE(unwatched) << unwatched.error().to_string();
  EXPECT_EQ(unwatched->metadata.name, "default");
}

TEST_F(ContextReadTest, ReadsAllPagesOfTheServer) {
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(simulation.user().create(Secret{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  Names all;
  each_reconcile([&](Context& ctx) {
    all = names(ctx.live().list({"v1", "Secret"}, {.namespace_ = "default", .limit = 2}));
  });
  EXPECT_EQ(all, (Names{"a", "b", "c", "d", "e"}));
}

TEST_F(ContextReadTest, AnInvalidSelectorIsAnError) {
  Result<std::vector<Object>> refused;
  each_reconcile([&](Context& ctx) { refused = ctx.list(config_map, {.label_selector = "a=("}); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
}

TEST_F(ContextReadTest, WritesOfTheClientAreVisibleInTheCache) {
  std::string made, gone;
  each_reconcile([&](Context& ctx) {
    const ObjectKey key{"default", "m"};
    ASSERT_TRUE(ctx.client().create(ConfigMap{.metadata = {.name = "m", .namespace_ = "default"}}));
    made = ctx.get(config_map, key) ? "yes" : "no";
    ASSERT_TRUE(ctx.remove(config_map, key));
    gone = ctx.get(config_map, key) ? "no" : "yes";
  });
  EXPECT_EQ(made, "yes");
  EXPECT_EQ(gone, "yes");
}

}  // namespace
}  // namespace pintle
