// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/faults.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <pintle/sim/in_process_transport.hpp>

#include "../test_server.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const RequestMatcher creates{.verbs = {"create"}, .resource = "configmaps"};

// Uses a client in this process, which is subject to the same faults as a client behind a socket.
class FaultsTest : public ServerTest {
 protected:
  explicit FaultsTest(ApiServerOptions options = {}, std::uint64_t seed = 1) : ServerTest(std::move(options), seed) {}

  void set_faults(std::vector<ServerFault> rules) { server_.set_faults({.rules = std::move(rules)}); }
  // Returns the status of the response; 0 if there is none.
  int send(const std::string& method, const std::string& target, const std::string& body = "", Duration timeout = 0s) {
    last_ = http::send(transport_, {.method = method, .target = target, .body = body, .timeout = timeout});
    return last_ ? last_->status : 0;
  }
  int create(const std::string& name) { return send("POST", config_maps, config_map(name)); }
  std::string at(std::string_view pointer) {
    const auto value = json::parse(last_->body);
    return value ? std::string(Object(*value)[pointer].text()) : "";
  }
  // The names in the last list: "a b".
  std::string listed() {
    std::string names;
    const Object list(json::parse(last_->body).value());
    for (const json::View item : list["/items"].elements()) {
      names += (names.empty() ? "" : " ") + std::string(item["/metadata/name"].text());
    }
    return names;
  }
  // All events of a watch until it ends: "ADDED a, BOOKMARK -".
  struct WatchedEvents {
    std::string events;
    bool ended_well = false;
  };
  WatchedEvents watch_to_its_end(const std::string& query) {
    WatchedEvents watched;
    std::string text;
    const auto note = [&](std::string_view bytes) {
      text += bytes;
      return true;
    };
    watched.ended_well =
        http::receive(transport_, {.target = config_maps + "?watch=true&" + query, .timeout = 0s}, {.on_bytes = note})
            .has_value();
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      const Object event(json::parse(text.substr(0, end)).value());
      const std::string name(event["/object/metadata/name"].text());
      watched.events +=
          (watched.events.empty() ? "" : ", ") + std::string(event["/type"].text()) + " " + (name.empty() ? "-" : name);
      text.erase(0, end + 1);
    }
    return watched;
  }
  std::string version() { return std::to_string(server_.resource_version()); }

  http::InProcessTransport transport_{executor_, server_};
  Result<http::BufferedResponse> last_;
};

TEST_F(FaultsTest, RespondsWithAnErrorToMatchingRequests) {
  set_faults(
      {{.effect = http::ErrorResponse{.status = 429, .reason = "TooManyRequests", .headers = {{"Retry-After", "7"}}},
        .only = creates,
        .first = 2,
        .times = 1}});
  EXPECT_EQ(create("a"), 201);
  EXPECT_EQ(send("GET", config_maps), 200);
  EXPECT_EQ(create("b"), 429);
  EXPECT_EQ(at("/reason"), "TooManyRequests");
  EXPECT_EQ(last_->headers.get("Retry-After"), "7");
  EXPECT_EQ(create("c"), 201);
  EXPECT_EQ(names("configmaps"), "a c");
  EXPECT_EQ(server_.injected_faults(), 1U);
}

TEST_F(FaultsTest, AnErrorMayFollowTheCommit) {
  set_faults(
      {{.effect = http::ErrorResponse{.status = 504, .reason = "Timeout", .after_commit = true}, .only = creates}});
  EXPECT_EQ(create("a"), 504);
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(FaultsTest, ADelayedRequestIsExecutedLaterAndDelaysNoOther) {
  set_faults({{.effect = http::Delay{1min}, .only = creates}});
  const Instant begin = executor_.now();
  auto thread = executor_.spawn({.name = "slow"}, [&] {
    (void)http::send(transport_, {.method = "POST", .target = config_maps, .body = config_map("a"), .timeout = 0s});
  });
  executor_.sleep_for(30s);
  EXPECT_EQ(send("GET", config_maps), 200);
  EXPECT_EQ(listed(), "");
  thread.join();
  EXPECT_EQ(executor_.now() - begin, 1min);
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(FaultsTest, ADelayedResponseFollowsTheCommit) {
  set_faults({{.effect = http::Delay{.duration = 1min, .after_commit = true}, .only = creates}});
  EXPECT_EQ(send("POST", config_maps, config_map("a"), 30s), 0);
  EXPECT_EQ(last_.error().code, ErrorCode::timeout);
  EXPECT_EQ(names("configmaps"), "a");
  EXPECT_EQ(create("b"), 201);
}

TEST_F(FaultsTest, ADroppedRequestIsExecutedOnlyWithAfterCommit) {
  set_faults({{.effect = http::Drop{}, .only = creates, .times = 1},
              {.effect = http::Drop{.after_commit = true}, .only = creates, .first = 2}});
  EXPECT_EQ(create("a"), 0);
  EXPECT_EQ(last_.error().code, ErrorCode::unreachable);
  EXPECT_EQ(names("configmaps"), "");
  EXPECT_EQ(create("b"), 0);
  EXPECT_EQ(last_.error().code, ErrorCode::unreachable);
  EXPECT_EQ(names("configmaps"), "b");
}

TEST_F(FaultsTest, AWatchIsTruncated) {
  for (const char* name : {"a", "b", "c"}) ASSERT_EQ(create(name), 201);
  set_faults({{.effect = http::TruncateBody{.after_events = 2}, .times = 1},
              {.effect = http::TruncateBody{.after_events = 1, .how = http::TruncateBody::How::end}}});
  const WatchedEvents reset = watch_to_its_end("timeoutSeconds=5");
  EXPECT_EQ(reset.events, "ADDED a, ADDED b");
  EXPECT_FALSE(reset.ended_well);
  const WatchedEvents ended = watch_to_its_end("timeoutSeconds=5");
  EXPECT_EQ(ended.events, "ADDED a");
  EXPECT_TRUE(ended.ended_well);
}

TEST_F(FaultsTest, EventsOfAWatchAreRepeatedAndStalled) {
  for (const char* name : {"a", "b"}) ASSERT_EQ(create(name), 201);
  set_faults({{.effect = http::RepeatEvent{.nth = 2}}, {.effect = http::StallEvents{.nth = 3, .duration = 10s}}});
  TestWatch stalled = watch(config_maps + "?watch=true");
  EXPECT_EQ(stalled.next(2), "ADDED a, ADDED b");
  const Instant begin = executor_.now();
  EXPECT_EQ(stalled.next(), "ADDED b");
  EXPECT_EQ(executor_.now() - begin, 10s);
}

TEST_F(FaultsTest, AWatchIsSplitIntoPieces) {
  ASSERT_EQ(create("a"), 201);
  set_faults({{.effect = http::SplitBody{.bytes = 16}, .only = RequestMatcher{.verbs = {"watch"}}}});
  const http::Response response = server_.handle({.target = config_maps + "?watch=true"});
  response.stream->on_ready([] {});
  std::string text;
  while (!text.ends_with('\n')) {
    std::string piece;
    ASSERT_EQ(response.stream->read(piece), http::BodyStream::State::more);
    ASSERT_LE(piece.size(), 16U);
    text += piece;
  }
  EXPECT_TRUE(json::parse(text)) << text;
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);
}

TEST_F(FaultsTest, FaultsOfWatchesCountOnlyWatches) {
  ASSERT_EQ(create("a"), 201);
  set_faults({{.effect = http::RepeatEvent{.nth = 1}, .times = 1},
              {.effect = ErrorEvent{.after_events = 2}, .times = 1},
              {.effect = WithholdBookmarks{}, .times = 1}});
  EXPECT_EQ(send("GET", config_maps), 200);
  EXPECT_EQ(send("GET", config_maps + "/a"), 200);
  EXPECT_EQ(create("b"), 201);
  EXPECT_EQ(server_.injected_faults(), 0U);
  EXPECT_EQ(watch_to_its_end("timeoutSeconds=1").events, "ADDED a, ADDED a, ADDED b, ERROR -");
  EXPECT_EQ(server_.injected_faults(), 3U);
}

TEST_F(FaultsTest, AnExpiredVersionIsAStatusOrAnEvent) {
  for (const char* name : {"a", "b"}) ASSERT_EQ(create(name), 201);
  set_faults(
      {{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = RequestMatcher{.verbs = {"list"}}},
       {.effect = ErrorEvent{.after_events = 1}, .times = 1},
       {.effect = ErrorEvent{}, .first = 2}});
  EXPECT_EQ(send("GET", config_maps), 410);
  EXPECT_EQ(watch_to_its_end("timeoutSeconds=50").events, "ADDED a, ERROR -");
  const http::Response response = server_.handle({.target = config_maps + "?watch=true"});
  std::string text;
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::ended);
  EXPECT_EQ(text, R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                  R"("message":"a fault of the plan","reason":"Expired","code":410}})"
                  "\n");
}

TEST_F(FaultsTest, BookmarksAreWithheld) {
  ASSERT_EQ(create("a"), 201);
  const std::string query =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=90";
  EXPECT_EQ(watch_to_its_end(query).events, "ADDED a, BOOKMARK -, BOOKMARK -, BOOKMARK -");
  set_faults({{.effect = WithholdBookmarks{.only_initial_end = true}, .times = 1},
              {.effect = WithholdBookmarks{}, .first = 2}});
  EXPECT_EQ(watch_to_its_end(query).events, "ADDED a, BOOKMARK -, BOOKMARK -");
  EXPECT_EQ(watch_to_its_end(query).events, "ADDED a");
}

TEST_F(FaultsTest, AStaleReadIsSomeVersionsBehind) {
  for (const char* name : {"a", "b", "c"}) ASSERT_EQ(create(name), 201);
  ASSERT_EQ(send("DELETE", config_maps + "/a"), 200);
  const std::string newest = version();
  set_faults({{.effect = StaleRead{.versions = 2}}});
  EXPECT_EQ(send("GET", config_maps + "?resourceVersion=0"), 200);
  EXPECT_EQ(listed(), "a b");
  EXPECT_EQ(at("/metadata/resourceVersion"), std::to_string(server_.resource_version() - 2));
  EXPECT_EQ(send("GET", config_maps + "/a?resourceVersion=0"), 200);
  EXPECT_EQ(send("GET", config_maps + "/c?resourceVersion=0"), 404);
  EXPECT_EQ(send("GET", config_maps + "?resourceVersion=" + newest), 504)
      << "the stale cache does not contain the version";
  EXPECT_EQ(send("GET", config_maps + "/b?resourceVersion=" + newest), 504);
  EXPECT_EQ(send("GET", config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + newest), 504);
  EXPECT_EQ(watch_to_its_end("timeoutSeconds=1").events, "ADDED a, ADDED b");
}

TEST_F(FaultsTest, AStreamingListIsNeverOlderThanItsVersion) {
  for (const char* name : {"a", "b", "c"}) ASSERT_EQ(create(name), 201);
  const std::string newest = version();
  const std::string stream = config_maps +
                             "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&"
                             "resourceVersionMatch=NotOlderThan&resourceVersion=";
  set_faults({{.effect = StaleRead{.versions = 5}, .times = 1}});
  TestWatch refused = watch(stream + newest);
  const json::Value event = refused.take();
  EXPECT_EQ(event.at("type").as_string(), "ERROR");
  EXPECT_EQ(event.at_pointer("/object/code").as_int64(), 504);
  EXPECT_EQ(event.at_pointer("/object/reason").as_string(), "Timeout");
  EXPECT_EQ(event.at_pointer("/object/details/causes/0/reason").as_string(), "ResourceVersionTooLarge");
  EXPECT_TRUE(refused.ended);
  EXPECT_EQ(server_.injected_faults(), 1U);
  EXPECT_EQ(watch(stream + newest).next(4), "ADDED a, ADDED b, ADDED c, BOOKMARK -");
  EXPECT_EQ(watch(stream + std::to_string(server_.resource_version() + 1)).next(), "ERROR -");
}

TEST_F(FaultsTest, UnversionedReadsAreStaleOnlyIfIncluded) {
  for (const char* name : {"a", "b"}) ASSERT_EQ(create(name), 201);
  set_faults({{.effect = StaleRead{.versions = 1}}});
  EXPECT_EQ(send("GET", config_maps), 200);
  EXPECT_EQ(listed(), "a b");
  EXPECT_EQ(send("GET", config_maps + "/b"), 200);
  EXPECT_EQ(server_.injected_faults(), 0U);
  set_faults({{.effect = StaleRead{.versions = 1, .include_unversioned = true}}});
  EXPECT_EQ(send("GET", config_maps), 200);
  EXPECT_EQ(listed(), "a");
  EXPECT_EQ(send("GET", config_maps + "/b"), 404);
}

TEST_F(FaultsTest, AStreamingListWithoutAVersionBeginsWithTheNewestState) {
  for (const char* name : {"a", "b"}) ASSERT_EQ(create(name), 201);
  const std::string stream =
      config_maps + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
  set_faults({{.effect = StaleRead{.age = 1h}}});
  TestWatch late = watch(stream);
  EXPECT_EQ(late.next(2), "ADDED a, ADDED b");
  EXPECT_EQ(late.take().at_pointer("/object/metadata/resourceVersion").as_string(), version());
  ASSERT_EQ(create("c"), 201);
  EXPECT_TRUE(late.quiet()) << "its changes are late";
  set_faults({{.effect = StaleRead{.age = 1h, .include_unversioned = true}}});
  EXPECT_EQ(watch(stream).next(), "BOOKMARK -") << "an hour ago there was nothing";
}

TEST_F(FaultsTest, AStaleWatchDelaysEachChange) {
  ASSERT_EQ(create("a"), 201);
  executor_.sleep_for(1min);
  set_faults({{.effect = StaleRead{.age = 10s}}});
  TestWatch late = watch(config_maps + "?watch=true&resourceVersion=" + version());
  ASSERT_EQ(create("b"), 201);
  const Instant written = executor_.now();
  EXPECT_TRUE(late.quiet());
  EXPECT_EQ(late.next(), "ADDED b");
  EXPECT_GE(executor_.now() - written, 10s);
  EXPECT_LT(executor_.now() - written, 11s);
}

TEST_F(FaultsTest, AStaleWatchDeliversWithoutAnotherWrite) {
  set_faults({{.effect = StaleRead{.age = 10s}}});
  const Instant begin = executor_.now();
  auto writer = executor_.spawn({.name = "writer"}, [&] {
    executor_.sleep_for(1s);
    (void)server_.handle({.method = "POST", .target = config_maps, .body = config_map("a")});
  });
  std::string text;
  (void)http::receive(transport_, {.target = config_maps + "?watch=true", .timeout = 0s},
                      {.on_bytes = [&](std::string_view bytes) {
                        text += bytes;
                        return false;
                      }});
  writer.join();
  EXPECT_NE(text.find(R"("name":"a")"), std::string::npos);
  EXPECT_GE(executor_.now() - begin, 11s);
  EXPECT_LT(executor_.now() - begin, 12s);
}

TEST_F(FaultsTest, AStaleWatchCatchesUpWhenTheFaultsChange) {
  set_faults({{.effect = StaleRead{.versions = 5}}});
  TestWatch behind = watch(config_maps + "?watch=true&resourceVersion=" + version());
  ASSERT_EQ(create("a"), 201);
  EXPECT_EQ(behind.next(), "(nothing)");
  set_faults({});
  EXPECT_EQ(behind.next(), "ADDED a");
}

TEST_F(FaultsTest, ABookmarkOfAStaleWatchHasItsVersion) {
  executor_.sleep_for(10min);
  const std::string before = version();
  set_faults({{.effect = StaleRead{.age = 5min}}});
  TestWatch behind = watch(config_maps + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + before);
  ASSERT_EQ(create("a"), 201);
  const json::Value bookmark = behind.take(2min);
  EXPECT_EQ(bookmark.at("type").as_string(), "BOOKMARK");
  EXPECT_EQ(json::find(bookmark, "/object/metadata/resourceVersion")->as_string(), before);
}

class SmallWindow : public FaultsTest {
 protected:
  SmallWindow() : FaultsTest({.watch_history_size = 2}) {}
};

TEST_F(SmallWindow, LimitsTheLagOfAStaleRead) {
  for (const char* name : {"a", "b", "c", "d"}) ASSERT_EQ(create(name), 201);
  set_faults({{.effect = StaleRead{.versions = 1000}}});
  EXPECT_EQ(send("GET", config_maps + "?resourceVersion=0"), 200);
  EXPECT_EQ(listed(), "a b");
}

TEST_F(FaultsTest, AllMatchingRulesApply) {
  set_faults({{.effect = http::Delay{1s}},
              {.effect = http::Delay{2s}},
              {.effect = http::ErrorResponse{.status = 500}},
              {.effect = http::ErrorResponse{.status = 503}}});
  const Instant begin = executor_.now();
  EXPECT_EQ(send("GET", "/version"), 500) << "the first of two equal faults applies";
  EXPECT_EQ(executor_.now() - begin, 3s);
  EXPECT_EQ(server_.injected_faults(), 4U);
}

TEST(ServerFaults, ApplyFromTheStart) {
  SimulatedExecutor executor;
  ApiServer server(executor, {.faults = {.rules = {{.effect = http::ErrorResponse{.status = 503}, .times = 1}}}});
  EXPECT_EQ(server.handle({.target = "/version"}).status, 503);
  EXPECT_EQ(server.handle({.target = "/version"}).status, 200);
}

TEST(ServerFaults, ProbabilityDependsOnTheirSeedOrTheExecutor) {
  const auto run = [](std::uint64_t executor_seed, std::uint64_t seed) {
    SimulatedExecutor executor({.seed = executor_seed});
    ApiServer server(executor);
    server.set_faults({.rules = {{.effect = http::ErrorResponse{}, .probability = 0.5}}, .seed = seed});
    std::string text;
    for (int i = 0; i < 64; ++i) text += server.handle({.target = "/version"}).status == 200 ? '.' : 'x';
    return text;
  };
  EXPECT_EQ(run(3, 0), run(3, 0));
  EXPECT_NE(run(3, 0), run(4, 0));
  EXPECT_EQ(run(3, 7), run(4, 7));
  EXPECT_NE(run(3, 7), run(3, 8));
  const std::string text = run(5, 0);
  EXPECT_GT(std::count(text.begin(), text.end(), 'x'), 16);
  EXPECT_GT(std::count(text.begin(), text.end(), '.'), 16);
}

}  // namespace
}  // namespace pintle
