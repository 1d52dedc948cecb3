// SPDX-License-Identifier: Apache-2.0
// The form in which an informer reads and keeps objects: transforms and protobuf.
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/object/protobuf.hpp>

#include "informer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A transform is code of a user and may throw.
TEST_F(InformerTest, DropsAnObjectWhoseTransformThrows) {
  const auto picky = [](json::Value& object) {
    if (object.at("metadata").at("labels").as_object().contains("bad")) throw std::runtime_error("what is this");
  };
  MetricsRegistry metrics;
  begin(1, {.reflector = {.projection = {.transform = picky}}, .metrics = &metrics, .name = "op"});
  const auto make = [&](const std::string& name, bool bad) {
    (void)simulation->user().create(
        ConfigMap{.metadata = {.name = name, .namespace_ = "default", .labels = {{bad ? "bad" : "good", "x"}}}});
  };
  make("good", false);
  make("bad", true);
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.added, std::set<std::string>{"good"});
  const auto turn = [&](const char* to) {
    (void)simulation->user().patch(ConfigMap::type, {"default", "good"},
                                   json::Value{{"metadata", {{"labels", {{to, "x"}}}}}});
    simulation->executor().sleep_for(1min);
  };
  make("late", true);
  turn("bad");
  EXPECT_TRUE(view.versions().empty()) << "the cache keeps no outdated state of the dropped object";
  EXPECT_EQ(informer->store().size(), 0U);
  ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "good"}));
  make("other", false);
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(view.versions().size(), 1U) << "the watch continues";
  EXPECT_NE(metrics.text().find("pintle_informer_dropped_objects_total"), std::string::npos) << metrics.text();
  end();
}

// A transform may be expensive, and its result must not be transformed again, also not when the object is deleted
// (trap 31).
TEST_F(InformerTest, TransformsEachStateOnce) {
  int calls = 0;
  const auto transform = [&](json::Value& object) {
    ++calls;
    EXPECT_FALSE(object.as_object().contains("transformed"));
    object.as_object()["transformed"] = true;
  };
  begin(1, {.reflector = {.projection = {.transform = transform}}});
  for (const char* name : {"a", "b"}) create(name);
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(calls, 2);
  create("c");
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(calls, 3);
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  EXPECT_TRUE(informer->store().get({"default", "a"})["/transformed"].exists());
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(calls, 5) << "once for the response to an own write, and once for its event";
  calls = 0;
  simulation->server().set_faults({.rules = {{.effect = ErrorEvent{}, .only = http::is_watch, .times = 1}}});
  simulation->server().compact();
  simulation->executor().sleep_for(20min);
  EXPECT_EQ(calls % 3, 0) << "each list transforms each object once";
  EXPECT_GT(calls, 0);
  calls = 0;
  informer->withdraw();
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(view.deletes.size(), 3U);
  EXPECT_EQ(calls, 0) << "the deletions contain the cached states";
  end();
}

// Records the media types of a server's responses, and can damage the protobuf in them.
class MediaTypes final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    http::Response response = simulation->server().handle(request);
    const std::string type(response.headers.get("Content-Type").value_or(""));
    types.insert(type);
    const bool is_protobuf = type.starts_with(protobuf_media_type);
    if (damages_lists && is_protobuf && response.stream == nullptr) response.body[4] = '\xff';
    if (damages_watches && is_protobuf && response.stream != nullptr) {
      response.stream.reset();
      response.body = std::string("\0\0\0\2ab", 6);
    }
    return response;
  }

  testkit::Simulation* simulation = nullptr;
  bool damages_lists = false;
  bool damages_watches = false;
  std::set<std::string> types;
};

constexpr const char* protobuf_list = "application/vnd.kubernetes.protobuf";
constexpr const char* protobuf_watch = "application/vnd.kubernetes.protobuf;stream=watch";

TEST_F(InformerTest, ReadsProtobufOfABuiltInKind) {
  for (const ListMode mode : {ListMode::paged, ListMode::streaming}) {
    MediaTypes server;
    begin(1, {.reflector = {.list_mode = mode}}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b"}) create(name);
    server.types.clear();
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    create("c");
    (void)simulation->user().remove(ConfigMap::type, {"default", "a"});
    simulation->executor().sleep_for(1s);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(view.deletes["a"], 1);
    EXPECT_EQ(server.types.contains(protobuf_list), mode == ListMode::paged);
    EXPECT_TRUE(server.types.contains(protobuf_watch));
    const Object object = informer->store().get({"default", "b"});
    EXPECT_EQ(object, simulation->server().objects("configmaps").front());
    end();
    view = {};
  }
}

// Without a fallback the cache would never fill.
TEST_F(InformerTest, RequestsJsonAfterProtobufThatItCannotDecode) {
  for (const bool in_list : {true, false}) {
    MediaTypes server;
    server.damages_lists = in_list;
    server.damages_watches = !in_list;
    begin(1, {}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b"}) create(name);
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    create("c");
    simulation->executor().sleep_for(1min);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_TRUE(server.types.contains("application/json"));
    EXPECT_TRUE(server.types.contains(in_list ? protobuf_list : protobuf_watch));
    end();
    view = {};
  }
}

}  // namespace
}  // namespace pintle
