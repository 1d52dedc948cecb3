#include <pintle/client/watch_stream.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

WatchStream config_maps(std::size_t longest = WatchStreamOptions{}.max_event_size) {
  return WatchStream({"v1", "ConfigMap"}, {.max_event_size = longest});
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
  for (const char* path : {"/metadata/resourceVersion", "/metadata/uid", "/metadata/name", "/metadata/namespace",
                           "/metadata/deletionTimestamp", "/kind", "/apiVersion", "/metadata", "/metadata/*", "/*"}) {
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

}  // namespace
}  // namespace pintle
