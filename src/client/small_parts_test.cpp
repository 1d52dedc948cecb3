// SPDX-License-Identifier: Apache-2.0
// Table tests of the pure functions of this layer.
#include <chrono>
#include <string>
#include <vector>

#include <pintle/client/table.hpp>

#include "requests.hpp"
#include "retry.hpp"
#include "test_support.hpp"
#include "warnings.hpp"

namespace pintle {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

TEST(WarningHeader, IsReadByRfc7234) {
  EXPECT_THAT(parse_warnings(R"(299 - "v1 is deprecated")"), ElementsAre("v1 is deprecated"));
  EXPECT_THAT(parse_warnings(R"(299 host "say \"a\\b\"" "Sat, 25 Aug 2012 23:34:45 GMT", 299 - "b")"),
              ElementsAre(R"(say "a\b")", "b"));
  EXPECT_THAT(parse_warnings(R"(110 - "stale", 299 - "kept")"), ElementsAre("kept"));
  for (const char* text : {"", "299", "299 -", "299 - unquoted", "299 - \"open", ",", "299 - \"\""}) {
    EXPECT_TRUE(parse_warnings(text).empty()) << text;
  }
}

TEST(Warnings, AreLoggedOnceEachUpToALimit) {
  const auto executor = make_real_executor();
  const auto sink = std::make_shared<LineSink>(*executor);
  Warnings warnings(*executor, Log(sink, *executor), 2);

  for (const char* text : {"a", "a", "b", "c", "b"}) {
    warnings.note({{"Warning", "299 - \"" + std::string(text) + "\""}});
  }

  EXPECT_THAT(sink->lines(), ElementsAre("API server warning warning=a", "API server warning warning=b",
                                         "further API server warnings are not logged"));
}

struct RetryCase {
  std::string name;
  Error error;
  Repeatable repeatable;
  Attempts attempts;
  std::optional<Duration> pause;
};

Error failed_with(int status, std::optional<Duration> retry_after) {
  return {.code = ErrorCode::unavailable, .http_status = status, .retry_after = retry_after};
}

TEST(Retry, AppliesToRetryAfterAndLostResponses) {
  const Error lost = make_error(ErrorCode::unreachable, "reset");
  const std::vector<RetryCase> cases{
      {"429", failed_with(429, seconds(2)), Repeatable::yes, {0}, seconds(2)},
      {"429 of a create", failed_with(429, seconds(2)), Repeatable::no, {9}, seconds(2)},
      {"429 without a time", failed_with(429, {}), Repeatable::yes, {0}, {}},
      {"429 at the limit", failed_with(429, seconds(2)), Repeatable::yes, {10}, {}},
      {"429 with a long time", failed_with(429, seconds(31)), Repeatable::yes, {0}, {}},
      {"503", failed_with(503, seconds(1)), Repeatable::yes, {0}, seconds(1)},
      {"503 without a time", failed_with(503, {}), Repeatable::yes, {0}, {}},
      {"504 of a create, which may have been carried out", failed_with(504, seconds(1)), Repeatable::no, {0}, {}},
      {"409", failed_with(409, seconds(1)), Repeatable::yes, {0}, {}},
      {"lost", lost, Repeatable::yes, {0}, milliseconds(100)},
      {"lost again", lost, Repeatable::yes, {2, milliseconds(600)}, milliseconds(400)},
      {"lost too long", lost, Repeatable::yes, {2, milliseconds(601)}, {}},
      {"not there within the connect timeout", lost, Repeatable::yes, {0, seconds(10)}, {}},
      {"lost create", lost, Repeatable::no, {0}, {}},
      {"timeout", make_error(ErrorCode::timeout, "slow"), Repeatable::yes, {0}, {}},
      {"cancelled", make_error(ErrorCode::cancelled, "stop"), Repeatable::yes, {0}, {}},
  };
  for (const RetryCase& c : cases) EXPECT_EQ(retry_pause(c.error, c.repeatable, c.attempts), c.pause) << c.name;
}

TEST(Query, EscapesValuesAndLeavesEmptyOnesOut) {
  const Query query = list_query({.label_selector = "app in (a,b)", .limit = 500, .continue_ = "x+/="});

  EXPECT_EQ(query.text(), "?labelSelector=app%20in%20%28a%2Cb%29&limit=500&continue=x%2B%2F%3D");
  EXPECT_EQ(list_query({}).text(), "");
}

// A plain watch must have no match, and one with initial events must have NotOlderThan (trap 18).
TEST(Query, OfAWatchRequestsBookmarksAndATimeout) {
  EXPECT_EQ(watch_query({.resource_version = "7", .timeout = seconds(60)}).text(),
            "?watch=true&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=60");
  EXPECT_EQ(watch_query({.timeout = seconds(60), .send_initial_events = true}).text(),
            "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
            "&timeoutSeconds=60");
}

TEST(DeleteOptions, CarryPreconditionsGraceAndPropagation) {
  EXPECT_EQ(json::print(delete_options({.grace_period = seconds(0), .dry_run = true})),
            R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background",)"
            R"("gracePeriodSeconds":0,"dryRun":["All"]})");
  EXPECT_EQ(json::print(delete_options({})),
            R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})");
  EXPECT_EQ(
      json::print(delete_options({.uid = "u", .resource_version = "5", .propagation = DeletionPropagation::orphan})),
      R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Orphan",)"
      R"("preconditions":{"uid":"u","resourceVersion":"5"}})");
}

TEST(ResourcePath, FollowsGroupScopeAndName) {
  const Resource deployments{.kind = {"apps/v1", "Deployment"}, .plural = "deployments", .namespaced = true};
  const Resource namespaces{.kind = {"v1", "Namespace"}, .plural = "namespaces", .namespaced = false};

  EXPECT_EQ(deployments.path({"a", "b"}), "/apis/apps/v1/namespaces/a/deployments/b");
  EXPECT_EQ(deployments.path({"a", ""}), "/apis/apps/v1/namespaces/a/deployments");
  EXPECT_EQ(deployments.path({}), "/apis/apps/v1/deployments");
  EXPECT_EQ(namespaces.path({"ignored", "x:y"}), "/api/v1/namespaces/x%3Ay");
  EXPECT_EQ(deployments.to_string(), "deployments.apps");
  EXPECT_EQ(namespaces.to_string(), "namespaces");
}

TEST(ObjectKeyCheck, RefusesAmbiguousKeys) {
  const Resource maps{.kind = {"v1", "ConfigMap"}, .plural = "configmaps", .namespaced = true};
  const Resource nodes{.kind = {"v1", "Node"}, .plural = "nodes", .namespaced = false};

  EXPECT_TRUE(check_object_key(maps, {"default", "a"}));
  EXPECT_TRUE(check_object_key(nodes, {"", "a"}));
  EXPECT_TRUE(check_list_key(maps, {}));
  for (const ObjectKey& key : {ObjectKey{"default", ""}, ObjectKey{"", "a"}, ObjectKey{"default", ".."},
                               ObjectKey{"default", "a/b"}, ObjectKey{"..", "a"}, ObjectKey{"default", "a%2f"}}) {
    EXPECT_FALSE(check_object_key(maps, key)) << key.to_string();
  }
  EXPECT_FALSE(check_collection_key(maps, {}));
  EXPECT_FALSE(check_list_key(maps, {"..", ""}));
}

}  // namespace
}  // namespace pintle
