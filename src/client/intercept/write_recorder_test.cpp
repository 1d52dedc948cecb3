// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/write_recorder.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/testing/simulation.hpp>

#include "client/client_test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WriteRecorderTest : public ::testing::Test {
 protected:
  WriteRecorderTest() {
    EXPECT_TRUE(user.create(map("old", "1")));
    writes_before = simulation.server().writes();
  }
  ~WriteRecorderTest() override {
    EXPECT_EQ(simulation.server().writes(), writes_before) << "a recorded write was carried out";
  }

  static json::Value map(const std::string& name, const std::string& value) {
    return {{"apiVersion", "v1"},
            {"kind", "ConfigMap"},
            {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", {{"value", value}}}}},
            {"data", {{"k", value}}}};
  }
  static ObjectKey key(const std::string& name) { return {"default", name}; }
  std::string value(const std::string& name) {
    const auto object = client.get(config_map, key(name));
    return object ? std::string(object->root()["/data/k"].text()) : object.error().reason;
  }
  std::vector<std::string> names(const ListOptions& options) {
    std::vector<std::string> all;
    const auto read = client.for_each(config_map, options, [&](const Object& object) {
      all.emplace_back(object.name());
      return true;
    });
    EXPECT_TRUE(read) << read.error().to_string();
    return all;
  }

  testkit::Simulation simulation{{.seed = 1}};
  Client& user = simulation.user();
  std::shared_ptr<WriteRecorder> recorder = std::make_shared<WriteRecorder>(simulation.connect());
  Client client{{.transport = recorder, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}};
  std::uint64_t writes_before = 0;
};

TEST_F(WriteRecorderTest, RecordsWritesAndShowsThemToReads) {
  ASSERT_TRUE(client.create(map("new", "1")));
  ASSERT_TRUE(client.patch(config_map, key("old"), json::Value{{"data", {{"k", "2"}}}}));

  EXPECT_EQ(value("new"), "1");
  EXPECT_EQ(value("old"), "2");
  const auto writes = recorder->writes();
  ASSERT_THAT(writes, SizeIs(2));
  EXPECT_EQ(writes[0].verb, "create");
  EXPECT_EQ(writes[0].path, "/api/v1/namespaces/default/configmaps/new");
  EXPECT_TRUE(writes[0].before.is_null());
  EXPECT_EQ(writes[0].after.at("data").at("k"), "1");
  EXPECT_EQ(writes[1].verb, "patch");
  EXPECT_EQ(writes[1].before.at("data").at("k"), "1");
  EXPECT_EQ(writes[1].after.at("data").at("k"), "2");
}

TEST_F(WriteRecorderTest, AppliesFurtherWritesToTheResult) {
  ASSERT_TRUE(client.create(map("new", "1")));
  ASSERT_TRUE(client.patch(config_map, key("new"), json::Value{{"data", {{"k", "2"}}}}));
  ASSERT_TRUE(client.patch(config_map, key("new"), json::Patch{}.test("/data/k", "2").replace("/data/k", "3")));
  const auto failed = client.patch(config_map, key("new"), json::Patch{}.test("/data/k", "2"));
  EXPECT_EQ(failed.error().message, "the server rejected our request due to an error in our request")
      << "the message by which a conflict is recognized";
  ASSERT_TRUE(client.apply(map("new", "4"), {.force = true}));
  EXPECT_EQ(value("new"), "4");

  EXPECT_TRUE(*client.remove(config_map, key("new")));
  EXPECT_EQ(value("new"), "NotFound");
  EXPECT_FALSE(*client.remove(config_map, key("new")));
  EXPECT_THAT(recorder->writes(), SizeIs(5));
  EXPECT_TRUE(recorder->writes().back().after.is_null());
}

// The destructor checks that the server keeps the objects.
TEST_F(WriteRecorderTest, DeletionsAreNotCarriedOut) {
  EXPECT_TRUE(*client.remove(config_map, key("old")));
  EXPECT_TRUE(client.remove_all(config_map, {.namespace_ = "default"}));

  EXPECT_TRUE(user.get(config_map, key("old")));
  EXPECT_THAT(recorder->writes(), SizeIs(2));
}

TEST_F(WriteRecorderTest, CreatesAnObjectOnce) {
  ASSERT_TRUE(client.create(map("new", "1")));
  EXPECT_EQ(client.create(map("new", "2")).error().code, ErrorCode::already_exists);
  ASSERT_TRUE(client.patch(config_map, key("old"), json::Value{{"data", {{"k", "2"}}}}));
  EXPECT_EQ(client.create(map("old", "3")).error().code, ErrorCode::already_exists);

  EXPECT_EQ(value("new"), "1");
  EXPECT_EQ(value("old"), "2");
  EXPECT_THAT(recorder->writes(), SizeIs(2));
}

// The server still has the deleted object.
TEST_F(WriteRecorderTest, CreatesADeletedObjectAgain) {
  for (const char* name : {"old", "new"}) {
    SCOPED_TRACE(name);
    if (name == std::string("new")) {
      ASSERT_TRUE(client.create(map(name, "1")));
    }
    ASSERT_TRUE(*client.remove(config_map, key(name)));

    const auto created = client.create(map(name, "2"));

    ASSERT_TRUE(created) << created.error().to_string();
    EXPECT_FALSE(created->uid().empty());
    EXPECT_EQ(created->namespace_(), "default");
    EXPECT_EQ(value(name), "2");
    ASSERT_TRUE(client.patch(config_map, key(name), json::Value{{"data", {{"k", "3"}}}}));
    EXPECT_EQ(value(name), "3");
    EXPECT_EQ(client.create(map(name, "4")).error().code, ErrorCode::already_exists);
  }
  EXPECT_THAT(names({}), ElementsAre("new", "old"));
  EXPECT_THAT(recorder->writes(), SizeIs(7));
  EXPECT_EQ(client.create(map("Not_A_Name", "1")).error().code, ErrorCode::invalid);
}

// A write of an existing object is a read, then a dry run; either may stall.
TEST_F(WriteRecorderTest, AStopCancelsEachRequestOfAWrite) {
  const auto transport = simulation.connect();
  Client stalled({.transport = std::make_shared<WriteRecorder>(transport),
                  .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  ASSERT_TRUE(stalled.get(config_map, key("old")));  // discovery
  for (const char* method : {"GET", "PATCH", "POST"}) {
    SCOPED_TRACE(method);
    transport->set_faults({{.effect = http::Delay{std::chrono::hours(1)},
                            .only = [method](const http::Request& request) { return request.method == method; }}});
    std::stop_source stop;
    ErrorCode code = ErrorCode::unknown;
    const Instant begin = simulation.executor().now();
    Thread writer = simulation.executor().spawn({.name = "writer"}, [&] {
      const auto written =
          method == std::string("POST")
              ? stalled.create(map("new", "1"), {}, stop.get_token())
              : stalled.patch(config_map, key("old"), json::Value{{"data", {{"k", "2"}}}}, {}, stop.get_token());
      if (!written) code = written.error().code;
    });
    simulation.executor().sleep_for(std::chrono::seconds(1));
    stop.request_stop();
    writer.join();
    EXPECT_EQ(code, ErrorCode::cancelled);
    EXPECT_LT(simulation.executor().now() - begin, std::chrono::seconds(2));
  }
  transport->stop();
}

// The versions of results are above those of the server, and a write for an older one conflicts.
TEST_F(WriteRecorderTest, ChecksTheVersionOfARepeatedWrite) {
  const auto before = client.get(config_map, key("old"));
  json::Value stale = before->to_value();
  const auto first = client.replace(stale);
  ASSERT_TRUE(first) << first.error().to_string();
  EXPECT_TRUE(*compare_resource_versions(first->resource_version(), before->resource_version()) > 0);

  EXPECT_EQ(client.replace(stale).error().code, ErrorCode::conflict);
  EXPECT_TRUE(client.replace(first->to_value()));
}

TEST_F(WriteRecorderTest, ShowsResultsInLists) {
  ASSERT_TRUE(client.create(map("new", "1")));
  EXPECT_TRUE(*client.remove(config_map, key("old")));

  EXPECT_THAT(names({.namespace_ = "default"}), ElementsAre("new"));
  EXPECT_THAT(names({}), ElementsAre("new"));
  EXPECT_THAT(names({.namespace_ = "kube-system"}), IsEmpty());
  EXPECT_THAT(names({.label_selector = "value=1"}), ElementsAre("new"));
  EXPECT_THAT(names({.label_selector = "value=2"}), IsEmpty());
}

TEST_F(WriteRecorderTest, DoesNotRecordWritesThatTheServerRejects) {
  EXPECT_EQ(client.create(map("old", "1")).error().code, ErrorCode::already_exists);
  EXPECT_EQ(client.patch(config_map, key("none"), json::Value(json::object())).error().code, ErrorCode::not_found);
  EXPECT_FALSE(client.create(map("Not_A_Name", "1")));
  EXPECT_THAT(recorder->writes(), IsEmpty());
}

}  // namespace
}  // namespace pintle
