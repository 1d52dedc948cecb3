// SPDX-License-Identifier: Apache-2.0
// Streaming lists: the requests for pages, and how a list goes on after an error.
#include <pintle/client/client.hpp>

#include <string>
#include <vector>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

http::Response page(const std::vector<std::string>& names, const std::string& version, const std::string& token = "") {
  std::string items;
  for (const std::string& name : names) {
    items += (items.empty() ? "" : ",") + (R"({"metadata":{"name":")" + name + R"(","namespace":"default"}})");
  }
  return json_response(200, R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
                                R"(","continue":")" + token + R"("},"items":[)" + items + "]}");
}

http::Response expired() { return status_response(410, "Expired"); }

class ListTest : public ::testing::Test {
 protected:
  Result<std::string> read(const ListOptions& options = {}) {
    return stage.client.for_each(config_map, options, [this](const Object& object) {
      names.emplace_back(object.name());
      return names.size() != enough;
    });
  }
  std::vector<std::string> targets() {
    std::vector<std::string> all;
    for (const auto& received : stage.server.requests()) all.push_back(received.request.target);
    return all;
  }

  SimulatedExecutor executor;
  Stage stage{executor};
  std::vector<std::string> names;
  std::size_t enough = 0;  // zero: all
};

// A server rejects a continue token together with a version or a match (traps 16 and 18).
TEST_F(ListTest, RequestsFurtherPagesByTheTokenAlone) {
  stage.server.then([] { return page({"a", "b"}, "7", "t1"); });
  stage.server.then([] { return page({"c"}, "7"); });

  const auto version =
      read({.label_selector = "x=y", .resource_version = "3", .resource_version_match = "NotOlderThan", .limit = 2});

  ASSERT_TRUE(version) << version.error().to_string();
  EXPECT_EQ(*version, "7");
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(targets(), ElementsAre("/api/v1/configmaps?labelSelector=x%3Dy&limit=2&resourceVersion=3"
                                     "&resourceVersionMatch=NotOlderThan",
                                     "/api/v1/configmaps?labelSelector=x%3Dy&limit=2&continue=t1"));
}

// Without a match, a limit would request exactly the version, which may have expired (trap 15).
TEST_F(ListTest, LimitsPagesUnlessThatWouldFixTheVersion) {
  for (int i = 0; i < 4; ++i) stage.server.then([] { return page({}, "7"); });

  EXPECT_TRUE(read());
  EXPECT_TRUE(read({.resource_version = "0"}));
  EXPECT_TRUE(read({.resource_version = "5"}));
  EXPECT_TRUE(read({.resource_version = "5", .resource_version_match = "Exact"}));

  EXPECT_THAT(targets(), ElementsAre("/api/v1/configmaps?limit=500", "/api/v1/configmaps?limit=500&resourceVersion=0",
                                     "/api/v1/configmaps?resourceVersion=5",
                                     "/api/v1/configmaps?limit=500&resourceVersion=5&resourceVersionMatch=Exact"));
}

// The version can expire between two pages. The rest is read whole and at the requested version (trap 17), and the
// returned version is the old one, so that a watch delivers the changes of objects that were read before.
TEST_F(ListTest, ReadsTheRestWholeAfterTheVersionExpired) {
  stage.server.then([] { return page({"a", "c"}, "7", "t1"); });
  stage.server.then([] { return expired(); });
  stage.server.then([] { return page({"a", "b", "c", "d"}, "9"); });

  const auto version = read({.resource_version = "0", .limit = 2});

  ASSERT_TRUE(version) << version.error().to_string();
  EXPECT_THAT(names, ElementsAre("a", "c", "d"));
  EXPECT_EQ(*version, "7");
  EXPECT_EQ(targets().at(2), "/api/v1/configmaps?resourceVersion=0");
}

TEST_F(ListTest, ReportsAnExpiredFirstPageAndAnExpiredRest) {
  stage.server.then([] { return expired(); });
  EXPECT_EQ(read({.resource_version = "5"}).error().code, ErrorCode::expired);

  stage.server.then([] { return page({"a"}, "7", "t1"); });
  stage.server.then([] { return expired(); });
  stage.server.then([] { return expired(); });
  EXPECT_EQ(read().error().code, ErrorCode::expired);
  EXPECT_THAT(stage.server.requests(), SizeIs(4));
}

// Without an order it is unknown which objects of the second list were already passed.
TEST_F(ListTest, ReportsAnExpiredVersionOfAnUnsortedList) {
  stage.server.then([] { return page({"b", "a"}, "7", "t1"); });
  stage.server.then([] { return expired(); });

  EXPECT_EQ(read().error().code, ErrorCode::expired);
  EXPECT_THAT(names, ElementsAre("b", "a"));
}

TEST_F(ListTest, EndsWhenTheFunctionHasEnough) {
  enough = 3;
  stage.server.then([] { return page({"a", "b"}, "7", "t1"); });
  stage.server.then([] { return page({"c", "d"}, "7", "t2"); });

  EXPECT_EQ(*read(), "7");
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(stage.server.requests(), SizeIs(2));
}

TEST_F(ListTest, ReportsAResponseThatIsNoList) {
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return json_response(200, R"({"items":[)"); });

  EXPECT_THAT(read().error().to_string(), HasSubstr("list configmap: the response is not a list"));
  EXPECT_THAT(read().error().to_string(), HasSubstr("list configmap: the response cannot be parsed"));
}

TEST_F(ListTest, RepeatsAPageOnlyBeforeItsFirstByte) {
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "1"}}); });
  stage.server.then([] { return page({"a"}, "7"); });

  EXPECT_TRUE(read());
  EXPECT_THAT(names, ElementsAre("a"));
}

TEST_F(ListTest, ReadsStructs) {
  stage.server.then([] { return page({"a"}, "7", "t1"); });
  stage.server.then([] { return page({"b"}, "7"); });

  const auto maps = stage.client.list<TestMap>();

  ASSERT_TRUE(maps) << maps.error().to_string();
  ASSERT_THAT(*maps, SizeIs(2));
  EXPECT_EQ(maps->at(1).metadata.name, "b");
}

}  // namespace
}  // namespace pintle
