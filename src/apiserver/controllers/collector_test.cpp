// SPDX-License-Identifier: Apache-2.0
// Garbage collection by owner references, tested through the server.
#include <fmt/format.h>

#include <pintle/base/random.hpp>

#include "../test_server.hpp"
#include "../test_widgets.hpp"

namespace pintle {
namespace {

class GarbageCollection : public ServerTest {
 protected:
  std::string make(const std::string& name, const std::string& more = "") {
    const auto made = post(config_maps, config_map(name, more));
    EXPECT_EQ(made.status, 201) << made.body;
    return made.at("/metadata/uid");
  }
  static std::string owner(const std::string& name, const std::string& uid, bool blocks = false,
                           const std::string& kind = "ConfigMap", const std::string& version = "v1") {
    return fmt::format(R"({{"apiVersion":"{}","kind":"{}","name":"{}","uid":"{}","blockOwnerDeletion":{}}})", version,
                       kind, name, uid, blocks);
  }
  static std::string owned(const std::string& owners) { return R"("ownerReferences":[)" + owners + "]"; }
};

TEST_F(GarbageCollection, DependentsAreDeletedWithTheirOwner) {
  const std::string a = make("a");
  const std::string b = make("b", owned(owner("a", a)));
  make("c", owned(owner("b", b)));
  make("other");
  remove(config_maps + "/a");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "other");
}

TEST_F(GarbageCollection, DependentsOfANonexistentOwnerAreDeleted) {
  make("orphaned", owned(owner("none", "11111111-1111-1111-1111-111111111111")));
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "");
}

TEST_F(GarbageCollection, AnOwnerWithAnotherUidDoesNotCount) {
  make("a");
  make("b", owned(owner("a", "11111111-1111-1111-1111-111111111111")));
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(GarbageCollection, AnOwnerInAnotherNamespaceDoesNotCount) {
  post("/api/v1/namespaces", config_map("far"));
  const auto uid = post("/api/v1/namespaces/far/configmaps", config_map("a")).at("/metadata/uid");
  make("b", owned(owner("a", uid)));
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(GarbageCollection, AnOwnerOfAnUnknownKindKeepsItsDependents) {
  make("a", owned(owner("x", "11111111-1111-1111-1111-111111111111", false, "Strange", "strange.dev/v1")));
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(GarbageCollection, ASecondOwnerKeepsTheDependentWithoutTheFirstReference) {
  const std::string a = make("a");
  const std::string b = make("b");
  make("c", owned(owner("a", a) + "," + owner("b", b)));
  remove(config_maps + "/a");
  run_until_idle();
  const auto left = get(config_maps + "/c");
  EXPECT_EQ(left.at("/metadata/ownerReferences/0/name"), "b");
  EXPECT_EQ(left.at("/metadata/ownerReferences/1"), "");
}

TEST_F(GarbageCollection, ForegroundDeletionWaitsForBlockingDependents) {
  const std::string a = make("a");
  make("b", owned(owner("a", a, true)) + R"(,"finalizers":["x.dev/f"])");
  make("c", owned(owner("a", a, false)));
  EXPECT_EQ(remove(config_maps + "/a", R"({"propagationPolicy":"Foreground"})").at("/metadata/finalizers"),
            R"(["foregroundDeletion"])");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "a b") << "b blocks, and waits for its finalizer";
  merge(config_maps + "/b", R"({"metadata":{"finalizers":null}})");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "");
}

TEST_F(GarbageCollection, ForegroundDeletionRemovesACycleOfOwners) {
  for (const bool has_third : {false, true}) {
    const std::string a = make("a");
    const std::string b = make("b", owned(owner("a", a, true)));
    const std::string c = has_third ? make("c", owned(owner("b", b, true))) : "";
    const std::string last = has_third ? owner("c", c, true) : owner("b", b, true);
    ASSERT_EQ(merge(config_maps + "/a", R"({"metadata":{)" + owned(last) + "}}").status, 200);
    remove(config_maps + "/a", R"({"propagationPolicy":"Foreground"})");
    run_until_idle();
    EXPECT_EQ(names("configmaps"), "");
  }
}

TEST_F(GarbageCollection, OrphansStayWithoutTheirOwnerReference) {
  const std::string a = make("a");
  make("b", owned(owner("a", a, true)));
  remove(config_maps + "/a", R"({"propagationPolicy":"Orphan"})");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "b");
  EXPECT_EQ(get(config_maps + "/b").at("/metadata/ownerReferences"), "");
}

TEST_F(GarbageCollection, AFinalizerOfADependentIsRespected) {
  const std::string a = make("a");
  make("b", owned(owner("a", a)) + R"(,"finalizers":["x.dev/f"])");
  remove(config_maps + "/a");
  run_until_idle();
  EXPECT_NE(get(config_maps + "/b").at("/metadata/deletionTimestamp"), "");
}

TEST_F(GarbageCollection, CustomObjectsOwnDependents) {
  post(definitions, widget_definition("a.dev"));
  run_until_idle();
  const std::string widgets = "/apis/a.dev/v1/namespaces/default/widgets";
  const auto uid = post(widgets, widget("a.dev", config_map("w"))).at("/metadata/uid");
  make("child", owned(owner("w", uid, true, "Widget", "a.dev/v1")));
  remove(widgets + "/w");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "");
}

TEST_F(GarbageCollection, DependentsOfObjectsOfADeletedCrdAreDeleted) {
  post(definitions, widget_definition("a.dev"));
  run_until_idle();
  const auto uid =
      post("/apis/a.dev/v1/namespaces/default/widgets", widget("a.dev", config_map("w"))).at("/metadata/uid");
  make("child", owned(owner("w", uid, true, "Widget", "a.dev/v1")));
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "");
}

class GarbageCollectionWithSmallWindow : public ServerTest {
 protected:
  GarbageCollectionWithSmallWindow() : ServerTest({.watch_history_size = 2}) {}
};

TEST_F(GarbageCollectionWithSmallWindow, ChangesBeyondTheWindowAreFound) {
  const auto uid = post(config_maps, config_map("a")).at("/metadata/uid");
  const std::string owner =
      R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":")" + uid + "\"}]";
  run_until_idle();
  post(config_maps, config_map("child", owner));
  remove(config_maps + "/a");
  for (int i = 0; i < 10; ++i) post(config_maps, config_map("n" + std::to_string(i)));
  run_until_idle();
  EXPECT_EQ(get(config_maps + "/child").status, 404);
}

// The same seed gives the same objects, versions, uids and times, even if memory addresses differ.
TEST(GarbageCollectionProperties, TheSameSeedGivesTheSameRun) {
  const auto run = [](std::uint64_t seed) {
    SimulatedExecutor executor({.seed = seed});
    ApiServer server(executor);
    const auto send = [&](std::string method, std::string target, std::string body) {
      http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
      return server.handle(request);
    };
    Random random(seed);
    std::vector<Thread> users;
    for (int user = 0; user < 3; ++user) {
      users.push_back(executor.spawn(
          {.name = "user"}, [&, user, mine = Random(seed * 7 + static_cast<std::uint64_t>(user))]() mutable {
            std::string uid;
            for (int i = 0; i < 12; ++i) {
              const std::string name = fmt::format("u{}-{}", user, i);
              const std::string owners =
                  uid.empty()
                      ? ""
                      : R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":")" + uid + "\"}]";
              auto made = send("POST", config_maps, config_map(name, mine.below(2) == 0 ? owners : ""));
              if (auto parsed = json::parse(made.body); parsed && mine.below(3) == 0) {
                if (const json::Value* found = json::find(*parsed, "/metadata/uid")) uid = found->as_string();
              }
              if (mine.below(4) == 0) send("DELETE", config_maps + "/" + name, "");
              executor.sleep_for(std::chrono::milliseconds(mine.below(5)));
            }
          }));
    }
    for (Thread& user : users) user.join();
    while (!server.is_idle()) executor.sleep_for(std::chrono::milliseconds(10));
    std::string all = std::to_string(server.resource_version());
    for (const Object& object : server.objects("configmaps")) all += object.print();
    return all;
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(run(seed), run(seed)) << seed;
}

}  // namespace
}  // namespace pintle
