// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/watch_stream.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/value.hpp>
#include <pintle/object/protobuf.hpp>

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string event(const std::string& type, const std::string& name, const std::string& kind = "ConfigMap") {
  return R"({"type":")" + type + R"(","object":{"kind":")" + kind + R"(","apiVersion":"v1","metadata":{"name":")" +
         name + "\"}}}\n";
}

// Returns what the stream contains so far: names of objects, and "!code" for errors.
std::vector<std::string> drain(WatchStream& stream) {
  std::vector<std::string> names;
  while (auto next = stream.next()) {
    names.push_back(*next ? std::string((*next)->object.name()) : "!" + std::string(to_string(next->error().code)));
  }
  return names;
}

WatchStream config_maps(std::size_t max_event_size = WatchStreamOptions{}.max_event_size) {
  return WatchStream({"v1", "ConfigMap"}, {.max_event_size = max_event_size});
}

TEST(WatchStream, ReadsEventsInPiecesOfAnySize) {
  const std::string body = event("ADDED", "a") + "\r\n" + event("MODIFIED", "b") + "\n" + event("DELETED", "c");
  for (std::size_t piece = 1; piece <= body.size(); ++piece) {
    WatchStream stream = config_maps();
    std::vector<std::string> names;
    for (std::size_t at = 0; at < body.size(); at += piece) {
      stream.add(std::string_view(body).substr(at, piece));
      for (std::string& one : drain(stream)) names.push_back(std::move(one));
    }
    EXPECT_THAT(names, ElementsAre("a", "b", "c")) << "pieces of " << piece;
  }
}

TEST(WatchStream, ReturnsTheTypeOfEachEvent) {
  WatchStream stream = config_maps();
  stream.add(event("ADDED", "a") + event("MODIFIED", "a") + event("DELETED", "a") + event("BOOKMARK", ""));
  std::vector<WatchEventType> types;
  while (auto next = stream.next()) types.push_back((*next)->type);
  EXPECT_THAT(types, ElementsAre(WatchEventType::added, WatchEventType::modified, WatchEventType::deleted,
                                 WatchEventType::bookmark));
}

// An event about another kind must not reach the cache, but the next event may be valid (trap 11).
TEST(WatchStream, AnotherKindOrTypeIsAnErrorThatDoesNotBreakIt) {
  WatchStream stream = config_maps();
  stream.add(event("ADDED", "a", "Secret") + event("SHRUNK", "a") + event("ADDED", "b"));

  const auto other_kind = stream.next();
  ASSERT_TRUE(other_kind.has_value() && !*other_kind);
  EXPECT_EQ(other_kind->error().message, "a watch of v1 ConfigMap received an object of kind v1 Secret");
  const auto other_type = stream.next();
  ASSERT_TRUE(other_type.has_value() && !*other_type);
  EXPECT_EQ(other_type->error().message, "a watch of v1 ConfigMap received an event of unknown type \"SHRUNK\"");

  EXPECT_FALSE(stream.is_broken());
  EXPECT_THAT(drain(stream), ElementsAre("b"));
}

TEST(WatchStream, AnErrorEventBreaksItWithTheStatus) {
  WatchStream stream = config_maps();
  stream.add(
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old","reason":"Expired","code":410}})"
      "\n" +
      event("ADDED", "never"));
  EXPECT_THAT(drain(stream), ElementsAre("!expired"));
  EXPECT_TRUE(stream.is_broken());
}

// A projection never drops a `Status` or the identity of an object, because no caller intends that.
TEST(WatchStream, ReadsEventsAndErrorsWhateverIsKept) {
  WatchStream stream({"v1", "ConfigMap"}, {.projection = {.keep = {"/data/a"}}});
  stream.add(R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x",)"
             R"("resourceVersion":"7","labels":{"l":"1"}},"data":{"a":"1","b":"2"}}})"
             "\n"
             R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","message":"too old","code":410}})"
             "\n");
  const auto kept = stream.next();
  ASSERT_TRUE(kept && *kept) << (*kept).error().message;
  EXPECT_EQ((*kept)->object.print(), R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x",)"
                                     R"("resourceVersion":"7"},"data":{"a":"1"}})");
  EXPECT_THAT(drain(stream), ElementsAre("!expired"));
}

TEST(WatchStream, ABookmarkIsReadWhateverIsKept) {
  WatchStream stream({"v1", "ConfigMap"}, {.projection = {.keep = {"/apiVersion", "/kind", "/metadata/name"}}});
  stream.add(
      R"({"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}})"
      "\n");
  const auto bookmark = stream.next();
  ASSERT_TRUE(bookmark && *bookmark);
  EXPECT_TRUE((*bookmark)->ends_initial_events);
}

TEST(WatchStream, ABookmarkWithoutAnnotationDoesNotEndTheInitialEvents) {
  WatchStream stream = config_maps();
  stream.add(event("ADDED", "a") + event("BOOKMARK", ""));
  EXPECT_FALSE((*stream.next())->ends_initial_events);
  EXPECT_FALSE((*stream.next())->ends_initial_events);
}

TEST(WatchStream, SetsTheKindOfPartialMetadata) {
  WatchStream stream({"v1", "ConfigMap"}, {.metadata_only = true});
  std::string partial = event("ADDED", "a", "PartialObjectMetadata");
  partial.replace(partial.find("\"v1\""), 4, "\"meta.k8s.io/v1\"");
  stream.add(partial);
  const auto next = stream.next();
  ASSERT_TRUE(next && *next);
  EXPECT_EQ((*next)->object.describe(), "v1 ConfigMap a");
}

TEST(WatchStream, TextThatIsNoEventBreaksIt) {
  WatchStream stream = config_maps();
  stream.add("{\"type\":\n");
  const auto next = stream.next();
  ASSERT_TRUE(next.has_value() && !*next);
  EXPECT_THAT(next->error().to_string(), HasSubstr("read a watch event of v1 ConfigMap: "));
  EXPECT_TRUE(stream.is_broken());
}

TEST(WatchStream, AnEventBeyondTheLimitBreaksItBeforeItsEnd) {
  const std::string whole = event("ADDED", "a");
  WatchStream good = config_maps(whole.size() - 1);
  good.add(whole);
  EXPECT_THAT(drain(good), ElementsAre("a"));

  WatchStream bad = config_maps(whole.size() - 2);
  bad.add(whole.substr(0, whole.size() - 1));
  EXPECT_THAT(drain(bad), ElementsAre("!invalid"));
  EXPECT_TRUE(bad.is_broken());
}

// A cache needs these fields to follow an object.
TEST(ValidateProjection, RefusesPathsThatDropTheIdentity) {
  for (const char* path :
       {"/metadata/resourceVersion", "/metadata/uid", "/metadata/name", "/metadata/namespace",
        "/metadata/deletionTimestamp", "/kind", "/apiVersion", "/metadata", "/metadata/*", "/*", "/metadata/finalizers",
        "/metadata/finalizers/*", "/metadata/ownerReferences", "/metadata/ownerReferences/*/uid",
        "/metadata/deletionGracePeriodSeconds", "/metadata/generation"}) {
    const auto wrong = validate_projection({.drop = {"/spec", path}});
    ASSERT_FALSE(wrong) << path;
    EXPECT_EQ(wrong.error().code, ErrorCode::invalid);
    EXPECT_NE(wrong.error().message.find("drops \"" + std::string(path) + "\""), std::string::npos)
        << wrong.error().message;
  }
  EXPECT_TRUE(validate_projection({.drop = {"/metadata/managedFields", "/metadata/annotations", "/status"}}));
  EXPECT_TRUE(validate_projection({.keep = {"/spec"}}));
  EXPECT_FALSE(validate_projection({.keep = {"spec"}}));
}

// Returns a frame with an event about an object in protobuf.
std::string protobuf_frame(std::string_view type, const json::Value& object) {
  const json::Document document(object);
  const std::string_view api_version = document.root().member("apiVersion").text();
  const std::string_view kind = document.root().member("kind").text();
  std::string message;
  EXPECT_TRUE(append_message(document.root(), *protobuf_types().find_kind(api_version, kind), message));
  std::string extension;
  append_chunk(1, protobuf_envelope(api_version, kind, message), extension);
  std::string event;
  append_chunk(1, type, event);
  append_chunk(2, extension, event);
  const char size[] = {0, 0, static_cast<char>(event.size() >> 8U), static_cast<char>(event.size() & 0xffU)};
  return std::string(size, sizeof size) + event;
}

json::Value config_map_value(std::string_view name) {
  return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", name}}}};
}

TEST(WatchStream, ReadsFramesOfProtobufInPiecesOfAnySize) {
  json::Value last = config_map_value("");
  last.as_object()["metadata"] = {{"annotations", {{"k8s.io/initial-events-end", "true"}}}};
  const std::string body = protobuf_frame("ADDED", config_map_value("a")) +
                           protobuf_frame("MODIFIED", config_map_value("b")) +
                           protobuf_frame("DELETED", config_map_value("c")) + protobuf_frame("BOOKMARK", last);
  for (std::size_t piece = 1; piece <= body.size(); ++piece) {
    WatchStream stream = config_maps();
    std::vector<std::string> names;
    bool has_ended = false;
    for (std::size_t at = 0; at < body.size(); at += piece) {
      stream.add(std::string_view(body).substr(at, piece));
      while (const auto next = stream.next()) {
        ASSERT_TRUE(*next) << next->error().message;
        names.emplace_back((*next)->object.name());
        has_ended = (*next)->ends_initial_events;
      }
    }
    EXPECT_THAT(names, ElementsAre("a", "b", "c", "")) << "pieces of " << piece;
    EXPECT_TRUE(has_ended);
  }
}

TEST(WatchStream, AnErrorEventInProtobufBreaksIt) {
  WatchStream stream = config_maps();
  stream.add(protobuf_frame("ERROR", {{"apiVersion", "v1"}, {"kind", "Status"}, {"reason", "Expired"}, {"code", 410}}));

  const auto next = stream.next();

  ASSERT_TRUE(next && !*next);
  EXPECT_EQ(next->error().code, ErrorCode::expired);
  EXPECT_TRUE(stream.is_broken());
  EXPECT_FALSE(stream.has_bad_protobuf());
}

TEST(WatchStream, ReportsProtobufThatItCannotDecode) {
  const std::string good = protobuf_frame("ADDED", config_map_value("a"));
  for (std::size_t at = 4; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x7f);
    WatchStream stream = config_maps();
    stream.add(bad);
    const auto next = stream.next();
    ASSERT_TRUE(next) << at;
    EXPECT_TRUE(*next || !stream.is_broken() || stream.has_bad_protobuf()) << at;
  }
  WatchStream stream = config_maps(100);
  stream.add(std::string("\0\1\0\0", 4));  // a size above the limit
  EXPECT_THAT(drain(stream), ElementsAre("!invalid"));
  EXPECT_TRUE(stream.is_broken());
}

}  // namespace
}  // namespace pintle
