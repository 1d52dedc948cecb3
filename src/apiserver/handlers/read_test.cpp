// SPDX-License-Identifier: Apache-2.0
// Reads: combinations of versions, pages, selectors and forms.
#include "../test_server.hpp"

#include "selection.hpp"

namespace pintle {
namespace {

class Reads : public ServerTest {
 protected:
  Reads() : ServerTest({.watch_history_size = 10}) {}

  void write(int count, const std::string& name = "noise") {
    post(config_maps, config_map(name));
    for (int i = 0; i < count; ++i) merge(config_maps + "/" + name, R"({"data":{"i":")" + std::to_string(i) + R"("}})");
  }
  std::string version() { return std::to_string(server_.resource_version()); }
};

// ---- each row of the table of expired and too new versions ----

TEST_F(Reads, AnExactListBeforeTheWindowIsExpired) {
  const std::string old = version();
  write(20);
  const auto reply = get(config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + old);
  EXPECT_EQ(reply.status, 410);
  EXPECT_EQ(reply.at("/reason"), "Expired");
}

TEST_F(Reads, AnExactListInTheWindowHasThatVersion) {
  post(config_maps, config_map("a"));
  const std::string then = version();
  remove(config_maps + "/a");
  const auto reply = get(config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + then);
  EXPECT_EQ(reply.at("/metadata/resourceVersion"), then);
  EXPECT_EQ(reply.at("/items/0/metadata/name"), "a");
}

TEST_F(Reads, AListOrGetOfAFutureVersionTimesOutAsTooLarge) {
  const std::string later = "resourceVersion=" + version() + "0";
  for (const std::string& target :
       {"?" + later + "&resourceVersionMatch=NotOlderThan", "?" + later, "/none?" + later}) {
    const auto reply = get(config_maps + target);
    EXPECT_EQ(reply.status, 504) << target;
    EXPECT_EQ(reply.at("/reason"), "Timeout");
    EXPECT_EQ(reply.causes(), "ResourceVersionTooLarge@");
    EXPECT_EQ(reply.at("/details/retryAfterSeconds"), "1");
    EXPECT_EQ(reply.headers.get("Retry-After"), "1");
  }
}

TEST_F(Reads, AWatchFromBeforeTheWindowEndsWithAnErrorEvent) {
  const std::string old = version();
  write(20);
  auto stream = watch(config_maps + "?watch=1&resourceVersion=" + old);
  EXPECT_EQ(stream.status, 200);
  const json::Value event = stream.take();
  EXPECT_EQ(event.at("type").as_string(), "ERROR");
  EXPECT_EQ(event.at_pointer("/object/code").as_int64(), 410);
  EXPECT_EQ(event.at_pointer("/object/reason").as_string(), "Expired");
  EXPECT_TRUE(stream.ended);
}

TEST_F(Reads, AWatchFromAFutureVersionIsSilentUntilThen) {
  const auto next = server_.resource_version() + 2;
  auto stream = watch(config_maps + "?watch=1&resourceVersion=" + std::to_string(next));
  post(config_maps, config_map("a"));
  post(config_maps, config_map("b"));
  post(config_maps, config_map("c"));
  EXPECT_EQ(stream.next(), "ADDED c");
  EXPECT_TRUE(stream.quiet());
}

TEST_F(Reads, AWatchFromAVersionInTheWindowWorks) {
  const std::string then = version();
  write(5);
  EXPECT_EQ(watch(config_maps + "?watch=1&resourceVersion=" + then).next(2), "ADDED noise, MODIFIED noise");
}

TEST_F(Reads, AnExpiredPageContainsATokenForTheRest) {
  for (const char* name : {"a", "b", "c"}) post(config_maps, config_map(name));
  const auto first = get(config_maps + "?limit=1");
  write(20, "z");
  const auto second = get(config_maps + "?limit=1&continue=" + first.at("/metadata/continue"));
  EXPECT_EQ(second.status, 410);
  EXPECT_EQ(second.at("/reason"), "Expired");
  const auto rest = get(config_maps + "?continue=" + second.at("/metadata/continue"));
  EXPECT_EQ(rest.status, 200);
  EXPECT_EQ(rest.at("/items/0/metadata/name"), "b");
  EXPECT_EQ(rest.at("/items/2/metadata/name"), "z");
  EXPECT_EQ(rest.at("/metadata/resourceVersion"), version());
}

TEST_F(Reads, APageInTheWindowIsConsistent) {
  for (const char* name : {"a", "b", "c"}) post(config_maps, config_map(name));
  const auto first = get(config_maps + "?limit=1");
  remove(config_maps + "/b");
  const auto rest = get(config_maps + "?continue=" + first.at("/metadata/continue"));
  EXPECT_EQ(rest.at("/items/0/metadata/name"), "b");
  EXPECT_EQ(rest.at("/metadata/resourceVersion"), first.at("/metadata/resourceVersion"));
}

TEST_F(Reads, CompactionExpiresEarlierVersions) {
  const std::string old = version();
  post(config_maps, config_map("a"));
  const std::string now = version();
  server_.compact();
  EXPECT_EQ(get(config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + old).status, 410);
  EXPECT_EQ(get(config_maps + "?resourceVersionMatch=Exact&resourceVersion=" + now).status, 200);
  EXPECT_EQ(watch(config_maps + "?watch=1&resourceVersion=" + old).next(), "ERROR -");
}

// ---- watches ----

TEST_F(Reads, AWatchBehindTheWindowIsEnded) {
  auto stream = watch(config_maps + "?watch=1&resourceVersion=" + version());
  write(20);
  EXPECT_EQ(stream.next(), "(nothing)");
  EXPECT_TRUE(stream.ended);
}

TEST_F(Reads, RequestedBookmarksArriveEachMinuteWithTheVersion) {
  auto with = watch(config_maps + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version());
  auto without = watch(config_maps + "?watch=1&resourceVersion=" + version());
  post("/api/v1/namespaces/default/secrets", config_map("s"));
  const json::Value bookmark = with.take(std::chrono::seconds(61));
  ASSERT_FALSE(bookmark.is_null());
  EXPECT_EQ(bookmark.at("type").as_string(), "BOOKMARK");
  EXPECT_EQ(bookmark.at_pointer("/object/kind").as_string(), "ConfigMap");
  EXPECT_EQ(bookmark.at_pointer("/object/metadata/resourceVersion").as_string(), version());
  EXPECT_FALSE(with.take(std::chrono::seconds(61)).is_null()) << "one bookmark each minute";
  EXPECT_TRUE(without.quiet());
}

TEST_F(Reads, ATimeoutEndsAWatchAfterALastBookmark) {
  auto stream = watch(config_maps + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=10&resourceVersion=" + version());
  const Instant begin = executor_.now();
  EXPECT_EQ(stream.next(), "BOOKMARK -");
  EXPECT_EQ(stream.next(), "(nothing)");
  EXPECT_TRUE(stream.ended);
  EXPECT_NEAR(std::chrono::duration<double>(executor_.now() - begin).count(), 10, 0.1);
}

TEST_F(Reads, AStreamingListEndsWithABookmarkOfItsVersion) {
  post(config_maps, config_map("a"));
  const std::string then = version();
  auto stream =
      watch(config_maps + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan");
  EXPECT_EQ(stream.next(), "ADDED a");
  const json::Value mark = stream.take();
  EXPECT_EQ(mark.at_pointer("/object/metadata/annotations/k8s.io~1initial-events-end").as_string(), "true");
  EXPECT_EQ(mark.at_pointer("/object/metadata/resourceVersion").as_string(), then);
}

TEST_F(Reads, StoppingTheServerEndsEveryWatch) {
  auto stream = watch(config_maps + "?watch=1");
  EXPECT_TRUE(stream.quiet());
  server_.stop();
  EXPECT_EQ(stream.next(), "(nothing)");
  EXPECT_TRUE(stream.ended);
}

TEST_F(Reads, AWatchWakesItsReaderWhenThereIsMore) {
  http::Response response = server_.handle({.method = "GET", .target = config_maps + "?watch=1"});
  int woken = 0;
  response.stream->on_ready([&] { ++woken; });
  std::string text;
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);
  post(config_maps, config_map("a"));
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);
  EXPECT_NE(text.find("ADDED"), std::string::npos);
}

TEST_F(Reads, AWatchDistinguishesNamespacesWithACommonPrefix) {
  post("/api/v1/namespaces", config_map("default-b"));
  auto stream = watch(config_maps + "?watch=1&resourceVersion=" + version());
  post("/api/v1/namespaces/default-b/configmaps", config_map("other"));
  post(config_maps, config_map("ours"));
  EXPECT_EQ(stream.next(), "ADDED ours");
}

// Clients in Python write booleans as True and False.
TEST_F(Reads, AParameterIsFalseIfItIsFalseInAnyCase) {
  post(config_maps, config_map("a"));
  for (const char* value : {"=False", "=FALSE", "=false", "=0"}) {
    EXPECT_EQ(get(config_maps + "?watch" + value).at("/kind"), "ConfigMapList") << value;
  }
  for (const char* value : {"=True", "=1", "=", ""}) {
    EXPECT_EQ(watch(config_maps + "?watch" + value).next(), "ADDED a") << value;
  }
}

// ---- selectors, pages, forms ----

TEST_F(Reads, PagesWithASelectorContainTheSelectedObjects) {
  for (int i = 0; i < 9; ++i) {
    post(config_maps,
         config_map("m" + std::to_string(i), i % 2 == 0 ? R"("labels":{"l":"1"})" : R"("labels":{"l":"2"})"));
  }
  std::string all;
  std::string next;
  do {
    const auto page = get(config_maps + "?labelSelector=l%3D1&limit=2" + (next.empty() ? "" : "&continue=" + next));
    for (const json::Value& item : page.json.at("items").as_array()) {
      all += item.at_pointer("/metadata/name").as_string();
    }
    next = page.at("/metadata/continue");
    EXPECT_EQ(page.at("/metadata/remainingItemCount"), "");
  } while (!next.empty());
  EXPECT_EQ(all, "m0m2m4m6m8");
}

// A client that may list one namespace writes the token itself.
TEST_F(Reads, ATokenOfAnotherNamespaceIsRefused) {
  post("/api/v1/namespaces", config_map("other"));
  for (const char* name : {"a", "b"}) post(config_maps, config_map(name));
  const auto page_after = [&](const std::string& collection, const std::string& key, std::uint64_t at = 0) {
    return get(collection + "?continue=" + apiserver::PageToken{.version = at, .after = key}.encode());
  };
  const std::string others = "/api/v1/namespaces/other/configmaps";
  for (const char* key : {"default/a", "other", "other0", "other-b/a", "zoo/a", "/a"}) {
    const auto refused = page_after(others, key);
    EXPECT_EQ(refused.status, 400) << key;
    EXPECT_EQ(refused.at("/message"), "invalid continue token: continue key is not valid: " + std::string(key));
  }
  EXPECT_EQ(page_after(others, "other/a").status, 200);
  EXPECT_EQ(page_after(config_maps, "default/a").at("/items/0/metadata/name"), "b");
  EXPECT_EQ(page_after("/api/v1/configmaps", "default/a").at("/items/0/metadata/name"), "b");
}

TEST_F(Reads, ATokenOfAVersionThatDoesNotExistIsRefused) {
  const auto later = apiserver::PageToken{.version = server_.resource_version() + 1, .after = "default/a"};
  const auto refused = get(config_maps + "?continue=" + later.encode());
  EXPECT_EQ(refused.status, 504);
  EXPECT_EQ(refused.causes(), "ResourceVersionTooLarge@");
  // {"v":"pintle/v1","rv":-1,"start":"default/a","seen":0}
  EXPECT_EQ(
      get(config_maps + "?continue=eyJ2IjoicGludGxlL3YxIiwicnYiOi0xLCJzdGFydCI6ImRlZmF1bHQvYSIsInNlZW4iOjB9").status,
      400);
}

TEST_F(Reads, EventsAreSelectedByTheirObject) {
  const std::string events = "/api/v1/namespaces/default/events";
  const auto event = [&](const char* name, const char* about) {
    return post(events, R"({"metadata":{"name":")" + std::string(name) +
                            R"("},"involvedObject":{"kind":"Pod","namespace":"default",
        "name":")" + about + R"("},"type":"Normal","reason":"R"})");
  };
  EXPECT_EQ(event("e1", "a").status, 201);
  EXPECT_EQ(event("e2", "b").status, 201);
  // server-facts 15: the source of an event of the newer API is its controller.
  post("/apis/events.k8s.io/v1/namespaces/default/events",
       R"({"metadata":{"name":"new"},"eventTime":"2020-01-01T00:00:00.000000Z","reportingController":"a.dev/c",
           "reportingInstance":"i","action":"a","reason":"r","type":"Normal",
           "regarding":{"kind":"Pod","name":"x","namespace":"default"}})");
  EXPECT_EQ(get(events + "?fieldSelector=source%3Da.dev/c").at("/items/0/metadata/name"), "new");

  const auto found = get(events + "?fieldSelector=involvedObject.name%3Db,type%3DNormal");
  EXPECT_EQ(found.at("/items/0/metadata/name"), "e2");
  EXPECT_EQ(found.at("/items/1"), "");
  EXPECT_EQ(get("/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name%3Da")
                .at("/items/0/metadata/name"),
            "e1");
}

TEST_F(Reads, AnInvalidVersionMatchIsRefused) {
  const auto refused = [&](const std::string& query) { return get(config_maps + "?" + query).causes(); };
  EXPECT_EQ(refused("resourceVersionMatch=Exact"), "FieldValueForbidden@resourceVersionMatch");
  EXPECT_EQ(refused("resourceVersionMatch=Exact&resourceVersion=0"), "FieldValueForbidden@resourceVersionMatch");
  EXPECT_EQ(refused("resourceVersionMatch=Sometimes&resourceVersion=1"), "FieldValueNotSupported@resourceVersionMatch");
  EXPECT_EQ(refused("watch=1&resourceVersion=1&resourceVersionMatch=Exact"),
            "FieldValueForbidden@resourceVersionMatch FieldValueNotSupported@resourceVersionMatch");
  EXPECT_EQ(refused("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1"),
            "FieldValueForbidden@sendInitialEvents");
}

TEST_F(Reads, AWatchOfTablesHasARowForEachEvent) {
  http::Request request{.method = "GET", .target = config_maps + "?watch=1"};
  request.headers.set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  TestWatch stream(executor_, server_.handle(request));
  post(config_maps, R"({"metadata":{"name":"a"},"data":{"k":"1","l":"2"}})");
  const json::Value event = stream.take();
  EXPECT_EQ(event.at_pointer("/object/kind").as_string(), "Table");
  EXPECT_EQ(json::print(event.at_pointer("/object/rows/0/cells")), R"(["a",2,"0s"])");
}

TEST_F(Reads, YamlAndPrettyFormsAreReturnedOnRequest) {
  post(config_maps, config_map("a"));
  const auto yaml = get(config_maps + "/a", "application/yaml");
  EXPECT_EQ(yaml.headers.get("Content-Type"), "application/yaml");
  EXPECT_NE(yaml.body.find("kind: ConfigMap\n"), std::string::npos);
  EXPECT_NE(get(config_maps + "/a?pretty=true").body.find("\n  \"kind\""), std::string::npos);
  EXPECT_EQ(get(config_maps + "/a").body.find('\n'), std::string::npos);
  EXPECT_EQ(get(config_maps + "/a", "text/html").status, 406);
  EXPECT_EQ(get(config_maps + "/a", "application/vnd.kubernetes.protobuf, application/json;q=0.9").status, 200);
}

}  // namespace
}  // namespace pintle
