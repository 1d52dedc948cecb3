// SPDX-License-Identifier: Apache-2.0
#include "event_prints.hpp"

#include "apiserver/test_server.hpp"

namespace pintle::apiserver {
namespace {

Object thing(std::string_view name) { return Object(json::Value{{"metadata", json::object{{"name", name}}}}); }

class EventPrintsTest : public testing::Test {
 protected:
  std::string found(std::uint64_t version, const EventPrints::Event& event) {
    const auto text = prints_.find(version, event);
    return text == nullptr ? "(none)" : *text;
  }

  SimulatedExecutor executor_;
  EventPrints prints_{executor_};
  const ResourcePtr resource_ = std::make_shared<const Resource>();
  const EventPrints::Event event_{.object = thing("a"), .resource = resource_, .type = "ADDED"};
};

TEST_F(EventPrintsTest, FindsAKeptText) {
  prints_.keep(7, event_, "text");
  EXPECT_EQ(found(7, event_), "text");
}

TEST_F(EventPrintsTest, FindsNothingForADifferentEvent) {
  prints_.keep(7, event_, "text");

  auto other = event_;
  other.object = thing("a");  // an equal object, but from another write
  EXPECT_EQ(found(7, other), "(none)");
  other = event_;
  other.resource = std::make_shared<const Resource>();
  EXPECT_EQ(found(7, other), "(none)");
  other = event_;
  other.form = ResponseFormat::Form::metadata;
  EXPECT_EQ(found(7, other), "(none)");
  other = event_;
  other.type = "MODIFIED";
  EXPECT_EQ(found(7, other), "(none)");
}

TEST_F(EventPrintsTest, DropsTextsAfter32VersionsAndKeepsNoLongOnes) {
  auto later = event_;
  later.object = thing("b");
  prints_.keep(1, event_, "old");
  prints_.keep(32, later, "newer");
  EXPECT_EQ(found(1, event_), "old");
  prints_.keep(33, later, "newest");
  EXPECT_EQ(found(1, event_), "(none)");

  prints_.keep(2, event_, std::string(std::size_t{257} << 10U, 'x'));
  EXPECT_EQ(found(2, event_), "(none)");
}

using WatchersTest = ServerTest;

TEST_F(WatchersTest, EachReceivesTheObjectInItsForm) {
  const std::string from_now =
      config_maps + "?watch=true&resourceVersion=" + std::to_string(server_.resource_version());
  http::Request metadata{.method = "GET", .target = from_now};
  metadata.headers.set("Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
  TestWatch first = watch(from_now);
  TestWatch second = watch(from_now);
  TestWatch third(executor_, server_.handle(metadata));
  TestWatch selecting = watch(from_now + "&labelSelector=a%3Db");

  post(config_maps, R"({"metadata":{"name":"m"},"data":{"k":"v"}})");
  merge(config_maps + "/m", R"({"metadata":{"labels":{"a":"b"}}})");

  EXPECT_EQ(first.next(2), "ADDED m, MODIFIED m");
  EXPECT_EQ(selecting.next(), "ADDED m") << "a selector turns MODIFIED into ADDED";
  EXPECT_EQ(second.next(), "ADDED m");
  const json::Value whole = second.take();
  const json::Value part = (third.take(), third.take());
  EXPECT_EQ(whole.at("object").at("kind"), "ConfigMap");
  EXPECT_EQ(whole.at("object").at("data").at("k"), "v");
  EXPECT_EQ(part.at("object").at("kind"), "PartialObjectMetadata");
  EXPECT_FALSE(part.at("object").as_object().contains("data"));
}

}  // namespace
}  // namespace pintle::apiserver
