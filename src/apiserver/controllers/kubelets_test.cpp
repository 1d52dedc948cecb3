// SPDX-License-Identifier: Apache-2.0
// The deletion of Pods.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string bound_pods = "/api/v1/namespaces/default/pods";

class PodDeletion : public ServerTest {
 protected:
  explicit PodDeletion(ApiServerOptions options = {}) : ServerTest(std::move(options)) {}

  // Creates a Pod on a node; "": on no node.
  void start(const std::string& name, const std::string& node = "n1", const std::string& more = "") {
    ASSERT_EQ(post(bound_pods, R"({"metadata":{"name":")" + name + "\"" + more + R"(},"spec":{"nodeName":")" + node +
                                   R"(","containers":[{"name":"c","image":"i"}]}})")
                  .status,
              201);
  }
  TestReply remove_within(const std::string& name, int seconds) {
    return remove(bound_pods + "/" + name, R"({"gracePeriodSeconds":)" + std::to_string(seconds) + "}");
  }
};

TEST_F(PodDeletion, OnANodeSetsTheGracePeriodAndThenRemovesThePod) {
  start("a");
  const Instant begin = executor_.now();
  const auto reply = remove(bound_pods + "/a");
  EXPECT_EQ(reply.at("/kind"), "Pod");
  EXPECT_EQ(reply.at("/metadata/deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(get(bound_pods + "/a").at("/metadata/deletionTimestamp"), "2026-01-01T00:00:30Z");
  run_until_idle();
  EXPECT_EQ(get(bound_pods + "/a").status, 404);
  EXPECT_LT(executor_.now(), begin + std::chrono::seconds(2)) << "the Pods end before their grace time has passed";
}

TEST_F(PodDeletion, OfAnUnboundOrFinishedPodIsImmediate) {
  start("unbound", "");
  start("done");
  start("failed");
  merge(bound_pods + "/done/status", R"({"status":{"phase":"Succeeded"}})");
  merge(bound_pods + "/failed/status", R"({"status":{"phase":"Failed"}})");
  for (const char* name : {"unbound", "done", "failed"}) {
    const auto reply = remove(bound_pods + "/" + name);
    EXPECT_EQ(reply.at("/kind"), "Pod");
    EXPECT_EQ(reply.at("/metadata/deletionGracePeriodSeconds"), "0");
  }
  EXPECT_EQ(names("pods"), "");
}

TEST_F(PodDeletion, CanBeShortenedAndForcedButNotDelayed) {
  start("a");
  remove(bound_pods + "/a");
  EXPECT_EQ(remove_within("a", 60).at("/metadata/deletionGracePeriodSeconds"), "30");
  const auto hurried = remove(bound_pods + "/a?gracePeriodSeconds=1");
  EXPECT_EQ(hurried.at("/metadata/deletionGracePeriodSeconds"), "1");
  EXPECT_EQ(hurried.at("/metadata/deletionTimestamp"), "2026-01-01T00:00:01Z");
  EXPECT_EQ(names("pods"), "a");
  remove_within("a", 0);
  EXPECT_EQ(names("pods"), "");
}

class LatePodDeletion : public PodDeletion {
 protected:
  LatePodDeletion() : PodDeletion({.termination_delay = std::chrono::hours(1)}) {}
};

TEST_F(LatePodDeletion, HasNoTimestampInThePast) {
  start("a");
  remove_within("a", 60);
  executor_.sleep_for(std::chrono::seconds(20));
  EXPECT_EQ(remove_within("a", 30).at("/metadata/deletionTimestamp"), "2026-01-01T00:00:30Z");
  const auto late = remove_within("a", 5);
  EXPECT_EQ(late.at("/metadata/deletionGracePeriodSeconds"), "5");
  EXPECT_EQ(late.at("/metadata/deletionTimestamp"), "2026-01-01T00:00:20Z")
      << "a timestamp in the past is replaced by the current time";
}

TEST_F(LatePodDeletion, OfAPodWithAFinalizerIsNotDelayedByRepetition) {
  start("a", "", R"(,"finalizers":["x.dev/f"])");
  const auto first = remove(bound_pods + "/a");
  EXPECT_EQ(first.at("/metadata/deletionGracePeriodSeconds"), "0");
  executor_.sleep_for(std::chrono::seconds(10));
  for (const int seconds : {0, 30}) {
    const auto again = remove_within("a", seconds);
    EXPECT_EQ(again.at("/metadata/deletionTimestamp"), first.at("/metadata/deletionTimestamp"));
    EXPECT_EQ(again.at("/metadata/resourceVersion"), first.at("/metadata/resourceVersion"));
  }
}

TEST_F(PodDeletion, TreatsANegativeGracePeriodAsOneSecond) {
  start("a");
  remove(bound_pods + "/a");
  EXPECT_EQ(remove(bound_pods + "/a?gracePeriodSeconds=-1").at("/metadata/deletionGracePeriodSeconds"), "1");
  run_until_idle();
  EXPECT_EQ(get(bound_pods + "/a").status, 404);
}

TEST_F(PodDeletion, CanChangeFromForegroundToBackground) {
  start("b", "", R"(,"finalizers":["x.dev/f"])");
  remove(bound_pods + "/b", R"({"propagationPolicy":"Foreground"})");
  EXPECT_EQ(get(bound_pods + "/b").at("/metadata/finalizers"), R"(["x.dev/f","foregroundDeletion"])");
  remove(bound_pods + "/b", R"({"propagationPolicy":"Background"})");
  EXPECT_EQ(get(bound_pods + "/b").at("/metadata/finalizers"), R"(["x.dev/f"])");
}

TEST_F(PodDeletion, UsesTheGracePeriodOfTheRequest) {
  start("a");
  start("b");
  EXPECT_EQ(remove_within("a", 7).at("/metadata/deletionGracePeriodSeconds"), "7");
  EXPECT_EQ(remove_within("b", -1).at("/metadata/deletionGracePeriodSeconds"), "1");
  start("c");
  EXPECT_EQ(
      post(bound_pods + "/c/eviction", R"({"metadata":{"name":"c"},"deleteOptions":{"gracePeriodSeconds":5}})").status,
      201);
  EXPECT_EQ(get(bound_pods + "/c").at("/metadata/deletionGracePeriodSeconds"), "5");
  EXPECT_EQ(remove(bound_pods + "/c?gracePeriodSeconds=soon").status, 400);
  EXPECT_EQ(remove(bound_pods + "/c?gracePeriodSeconds=null").status, 400);
  EXPECT_EQ(remove(bound_pods + "/c", R"({"gracePeriodSeconds":"1"})").status, 400);
}

TEST_F(PodDeletion, IsNotCompletedByAStatusWrite) {
  start("a");
  remove(bound_pods + "/a");
  EXPECT_EQ(merge(bound_pods + "/a/status", R"({"status":{"reason":"Stopping"}})").status, 200);
  EXPECT_EQ(get(bound_pods + "/a").at("/status/reason"), "Stopping");
}

TEST_F(PodDeletion, WaitsForFinalizers) {
  start("a", "n1", R"(,"finalizers":["x.dev/f"])");
  remove(bound_pods + "/a");
  run_until_idle();
  EXPECT_EQ(get(bound_pods + "/a").at("/metadata/deletionGracePeriodSeconds"), "0");
  merge(bound_pods + "/a", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(names("pods"), "");
}

TEST_F(PodDeletion, IsDeliveredToWatchesInSteps) {
  start("a");
  auto stream = watch(bound_pods + "?watch=1");
  EXPECT_EQ(stream.next(), "ADDED a");
  remove(bound_pods + "/a");
  run_until_idle();
  EXPECT_EQ(stream.next(3), "MODIFIED a, MODIFIED a, DELETED a");
}

TEST_F(PodDeletion, OfADryRunChangesNothing) {
  start("a");
  EXPECT_EQ(remove(bound_pods + "/a?dryRun=All").at("/metadata/deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(remove(bound_pods + "/a", R"({"gracePeriodSeconds":0,"dryRun":["All"]})").status, 200);
  run_until_idle();
  EXPECT_EQ(get(bound_pods + "/a").at("/metadata/deletionTimestamp"), "");
}

TEST_F(PodDeletion, OfACollectionOrNamespaceUsesTheGracePeriod) {
  start("a");
  EXPECT_EQ(remove(bound_pods).status, 200);
  EXPECT_EQ(get(bound_pods + "/a").at("/metadata/deletionGracePeriodSeconds"), "30");
  post("/api/v1/namespaces", config_map("shop"));
  ASSERT_EQ(post("/api/v1/namespaces/shop/pods",
                 R"({"metadata":{"name":"b"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}})")
                .status,
            201);
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(names("pods"), "");
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

class PodDeletionBeyondTheWindow : public PodDeletion {
 protected:
  PodDeletionBeyondTheWindow() : PodDeletion({.watch_history_size = 2}) {}
};

TEST_F(PodDeletionBeyondTheWindow, IsCompleted) {
  constexpr int many = 20;
  for (int i = 0; i < many; ++i) start("a" + std::to_string(i));
  for (int i = 0; i < many; ++i) remove(bound_pods + "/a" + std::to_string(i));
  EXPECT_NE(names("pods"), "");
  run_until_idle();
  EXPECT_EQ(names("pods"), "");
}

}  // namespace
}  // namespace pintle
