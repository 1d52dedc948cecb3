// SPDX-License-Identifier: Apache-2.0
#include "../test_server.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class RewindTest : public ServerTest {
 protected:
  explicit RewindTest(ApiServerOptions options = {}) : ServerTest(std::move(options)) {}

  std::string text_of(const std::string& name) { return get(config_maps + "/" + name).at("/data/text"); }
};

std::string text_map(const std::string& name, const std::string& text) {
  return R"({"metadata":{"name":")" + name + R"("},"data":{"text":")" + text + R"("}})";
}

TEST_F(RewindTest, RestoresAllObjectsAndAssignsVersionsAgain) {
  post(config_maps, text_map("changed", "old"));
  post(config_maps, text_map("removed", "there"));
  const std::uint64_t backup = server_.resource_version();
  const std::string uid = get(config_maps + "/removed").at("/metadata/uid");
  merge(config_maps + "/changed", R"({"data":{"text":"new"}})");
  remove(config_maps + "/removed");
  post(config_maps, text_map("made", "since"));
  const std::uint64_t writes = server_.writes();

  ASSERT_TRUE(server_.rewind(backup));

  EXPECT_EQ(server_.resource_version(), backup);
  EXPECT_GT(server_.writes(), writes);
  EXPECT_EQ(names("configmaps"), "changed removed");
  EXPECT_EQ(text_of("changed"), "old");
  EXPECT_EQ(get(config_maps + "/removed").at("/metadata/uid"), uid);
  EXPECT_EQ(get(config_maps).at("/metadata/resourceVersion"), std::to_string(backup));
  EXPECT_EQ(get(config_maps + "?limit=1").at("/metadata/remainingItemCount"), "1");
  EXPECT_EQ(post(config_maps, text_map("next", "")).at("/metadata/resourceVersion"), std::to_string(backup + 1));
  EXPECT_EQ(get(config_maps + "?resourceVersion=" + std::to_string(backup + 5)).status, 504);
  EXPECT_EQ(get(config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + std::to_string(backup)).status, 200);
}

TEST_F(RewindTest, EndsWatchesAndDeliversNoUndoneChange) {
  post(config_maps, config_map("a"));
  const std::uint64_t backup = server_.resource_version();
  TestWatch open = watch(config_maps + "?watch=true");
  EXPECT_EQ(open.next(), "ADDED a");
  post(config_maps, config_map("undone"));
  ASSERT_TRUE(server_.rewind(backup));
  post(config_maps, config_map("b"));
  EXPECT_EQ(open.next(), "(nothing)");
  EXPECT_TRUE(open.ended);
  TestWatch fresh = watch(config_maps + "?watch=true&resourceVersion=" + std::to_string(backup));
  EXPECT_EQ(fresh.next(), "ADDED b");
}

// A watch that has sent the undone change and one that has not both continue with the changes after the rewind.
TEST_F(RewindTest, CanKeepWatches) {
  post(config_maps, config_map("a"));
  TestWatch ahead = watch(config_maps + "?watch=true");
  TestWatch behind = watch(config_maps + "?watch=true");
  EXPECT_EQ(ahead.next(), "ADDED a");
  EXPECT_EQ(behind.next(), "ADDED a");
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    post(config_maps, config_map("undone"));
    EXPECT_EQ(ahead.next(), "ADDED undone");
    server_.set_faults({.rules = {{.effect = Rewind{.keep_watches = true}, .times = 1}}});
    EXPECT_EQ(get(config_maps + "/undone").status, 404);
    const std::string name = std::to_string(round);
    post(config_maps, config_map(name));
    EXPECT_EQ(ahead.next(), "ADDED " + name);
    EXPECT_EQ(ahead.next(), "(nothing)");
    EXPECT_EQ(behind.next(), "ADDED " + name);
    EXPECT_EQ(behind.next(), "(nothing)");
  }
  EXPECT_FALSE(ahead.ended);
  EXPECT_FALSE(behind.ended);
}

TEST_F(RewindTest, RestoresCrdsAndOwners) {
  const std::uint64_t empty = server_.resource_version();
  post(config_maps, config_map("owner"));
  const std::string uid = get(config_maps + "/owner").at("/metadata/uid");
  const std::uint64_t with_owner = server_.resource_version();
  post(config_maps,
       config_map("child", R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" + uid +
                               R"("}])"));
  post(definitions, widget_definition("demo.dev"));
  run_until_idle();
  ASSERT_EQ(get("/apis/demo.dev/v1/widgets").status, 200);
  remove(config_maps + "/owner");
  run_until_idle();
  ASSERT_EQ(names("configmaps"), "");

  ASSERT_TRUE(server_.rewind(with_owner + 1));
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "child owner");
  EXPECT_EQ(get("/apis/demo.dev/v1/widgets").status, 404);
  post(definitions, widget_definition("demo.dev"));
  run_until_idle();
  EXPECT_EQ(get("/apis/demo.dev/v1/widgets").status, 200);
  remove(config_maps + "/owner");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "") << "the child is deleted with its owner again";

  ASSERT_TRUE(server_.rewind(empty));
  run_until_idle();
  EXPECT_EQ(get("/apis/demo.dev/v1/widgets").status, 404);
}

// The generation alone does not show the change, because it is assigned a second time.
TEST_F(RewindTest, ARestoredCrdIsServedWithItsColumns) {
  const auto show = [&](const std::string& column) {
    const auto changed = call("PATCH", definitions + "/widgets.a.dev",
                              R"([{"op":"add","path":"/spec/versions/0/additionalPrinterColumns","value":[{"name":")" +
                                  column + R"(","type":"string","jsonPath":".spec.image"}]}])",
                              "application/json-patch+json");
    ASSERT_EQ(changed.status, 200) << changed.body;
  };
  const auto shown = [&] {
    return get("/apis/a.dev/v1/widgets", "application/json;as=Table;v=v1;g=meta.k8s.io")
        .at("/columnDefinitions/1/name");
  };
  post(definitions, widget_definition("a.dev"));
  run_until_idle();
  const std::uint64_t backup = server_.resource_version();
  show("undone");
  run_until_idle();
  ASSERT_EQ(shown(), "undone");

  ASSERT_TRUE(server_.rewind(backup));
  show("other");
  run_until_idle();
  EXPECT_EQ(shown(), "other");

  ASSERT_TRUE(server_.rewind(backup));
  run_until_idle();
  EXPECT_EQ(shown(), "Age");
}

// In some of these runs, the version has passed its value before the rewind when the background thread wakes up.
TEST(Rewind, TheGarbageCollectorMissesNothing) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    SimulatedExecutor executor({.seed = seed});
    ApiServer server(executor);
    const auto post = [&](const std::string& target, const std::string& body) {
      EXPECT_EQ(server.handle({.method = "POST", .target = target, .body = body}).status, 201);
    };
    const std::uint64_t backup = server.resource_version();
    for (const char* name : {"a", "b", "c"}) post(config_maps, config_map(name));
    while (!server.is_idle()) executor.sleep_for(10ms);

    ASSERT_TRUE(server.rewind(backup));
    post(config_maps, config_map("orphan", R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a",)"
                                           R"("uid":"undone"}])"));
    for (const char* name : {"d", "e", "f"}) post("/api/v1/namespaces/default/secrets", config_map(name));
    while (!server.is_idle()) executor.sleep_for(10ms);
    EXPECT_TRUE(server.objects("configmaps").empty());
  }
}

TEST_F(RewindTest, ARuleRewindsBeforeTheRequestIsHandled) {
  post(config_maps, config_map("a"));
  post(config_maps, config_map("b"));
  server_.set_faults(
      {.rules = {{.effect = Rewind{.versions = 1}, .only = RequestMatcher{.verbs = {"list"}}, .times = 1}}});
  EXPECT_EQ(post(config_maps, config_map("c")).status, 201);
  get(config_maps);
  EXPECT_EQ(names("configmaps"), "a b");
  get(config_maps);
  EXPECT_EQ(names("configmaps"), "a b");
}

class RewindWithSmallWindow : public RewindTest {
 protected:
  RewindWithSmallWindow() : RewindTest({.watch_history_size = 2}) {}
};

TEST_F(RewindWithSmallWindow, IsLimitedByTheWindow) {
  for (const char* name : {"a", "b", "c", "d"}) post(config_maps, config_map(name));
  const std::uint64_t newest = server_.resource_version();
  EXPECT_EQ(server_.rewind(newest - 3).error().message,
            "cannot rewind to version " + std::to_string(newest - 3) + ": the watch windows begin at " +
                std::to_string(newest - 2) + "; increase watch_history_size");
  EXPECT_EQ(server_.rewind(newest + 1).error().message,
            "cannot rewind to version " + std::to_string(newest + 1) + ": the newest is " + std::to_string(newest));
  EXPECT_EQ(names("configmaps"), "a b c d");
  server_.set_faults({.rules = {{.effect = Rewind{.versions = 1000}, .times = 1}}});
  get(config_maps);
  EXPECT_EQ(names("configmaps"), "a b");
}

}  // namespace
}  // namespace pintle
