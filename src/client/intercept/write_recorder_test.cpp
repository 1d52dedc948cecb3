// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/write_recorder.hpp>

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
