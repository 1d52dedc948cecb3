// Streaming lists, subresources and the other verbs: requests to a scripted server, and effects on the embedded one.
#include <pintle/client/client.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/testing/simulation.hpp>

#include "client_test_support.hpp"
#include "line_splitter.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const GroupVersionKind pod{"v1", "Pod"};
const GroupVersionKind deployment{"apps/v1", "Deployment"};

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

// A second DELETE could delete a new object of the same name. With a uid it cannot.
TEST(ClientDelete, IsRepeatedOnlyWithAUid) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto unavailable = [] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "1"}}); };
  stage.server.then(unavailable);
  EXPECT_EQ(stage.client.remove(config_map, key_a).error().code, ErrorCode::unavailable);
  stage.server.then(unavailable);
  EXPECT_EQ(stage.client.remove_all(config_map, {.namespace_ = "default"}).error().code, ErrorCode::unavailable);
  EXPECT_THAT(stage.server.requests(), SizeIs(2));

  stage.server.then(unavailable);
  stage.server.then([] { return config_map_response(); });
  EXPECT_TRUE(*stage.client.remove(config_map, key_a, {.uid = "u"}));
  EXPECT_THAT(stage.server.requests(), SizeIs(4));
}

// A DELETE responds with the object or with a Status, both with code 200 (trap 49).
TEST(ClientDelete, SucceedsWithAnObjectAndWithAStatus) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return json_response(200, R"({"kind":"Status","apiVersion":"v1","status":"Success"})"); });

  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
}

TEST(ClientWrite, RequestsFieldValidationAndItsOwnTimeout) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Value(json::object()),
                                 {.field_validation = FieldValidation::strict, .timeout = 3s}));

  EXPECT_EQ(stage.server.requests().at(0).request.target,
            "/api/v1/namespaces/default/configmaps/a?fieldManager=tester&fieldValidation=Strict");
  EXPECT_EQ(stage.server.requests().at(0).request.timeout, 3s);
}

// The three conflicts have different remedies (trap 51).
TEST(ClientWrite, DistinguishesTheThreeConflicts) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const json::Value object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}};
  stage.server.then([] { return status_response(409, "AlreadyExists"); });
  stage.server.then([] { return status_response(409, "Conflict"); });
  stage.server.then([] {
    return status_response(409, "Conflict", {},
                           R"({"causes":[{"reason":"FieldManagerConflict","field":".data.k","message":"m"}]})");
  });

  EXPECT_EQ(stage.client.create(object).error().code, ErrorCode::already_exists);
  const auto stale = stage.client.replace(object);
  EXPECT_EQ(stale.error().code, ErrorCode::conflict);
  EXPECT_THAT(stale.error().causes, IsEmpty());
  const auto owned = stage.client.apply(object);
  EXPECT_EQ(owned.error().code, ErrorCode::conflict);
  EXPECT_THAT(owned.error().causes,
              ElementsAre(StatusCause{.reason = "FieldManagerConflict", .message = "m", .field = ".data.k"}));
}

// A server that stops serving the status of a custom resource responds as if the object did not exist.
TEST(ClientStatus, ReportsASubresourceThatIsNoLongerServed) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const GroupVersionKind space{"v1", "Namespace"};
  const auto not_found = [] { return status_response(404, "NotFound", {}, R"({"name":"a"})"); };
  const auto write = [&] {
    return stage.client.patch(space, {"", "a"}, json::Value(json::object()), {.subresource = "status"});
  };
  stage.server.then(not_found);
  stage.server.then(not_found);  // the object is gone, too
  EXPECT_EQ(write().error().code, ErrorCode::not_found);

  stage.server.then(not_found);
  stage.server.then([] { return json_response(200, R"({"kind":"Namespace","apiVersion":"v1"})"); });
  const auto lost = write();
  EXPECT_EQ(lost.error().code, ErrorCode::unsupported);
  EXPECT_EQ(lost.error().reason, no_subresource);
  EXPECT_EQ(lost.error().to_string(), "patch namespace a: namespaces no longer has a status subresource");
}

http::Response pods_with_log() {
  return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"pods","namespaced":true,"kind":"Pod"},{"name":"pods/log","namespaced":true,"kind":"Pod"}]})");
}

TEST(ClientLog, PassesEachLineWhileTheLogArrives) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return pods_with_log(); });
  stage.server.then([] { return http::Response{.body = "one\n\ntwo\nthree"}; });
  std::vector<std::string> lines;

  const auto end = stage.client.read_log(key_a,
                                         {.container = "c",
                                          .follow = true,
                                          .previous = true,
                                          .timestamps = true,
                                          .since = 60s,
                                          .tail_lines = 0,
                                          .max_bytes = 9},
                                         [&](std::string_view line) {
                                           lines.emplace_back(line);
                                           return true;
                                         });

  ASSERT_TRUE(end) << end.error().to_string();
  EXPECT_THAT(lines, ElementsAre("one", "", "two", "three"));
  const http::Request sent = stage.server.requests().at(0).request;
  EXPECT_EQ(sent.target,
            "/api/v1/namespaces/default/pods/a/log?container=c&follow=true&previous=true&timestamps=true"
            "&sinceSeconds=60&tailLines=0&limitBytes=9");
  EXPECT_EQ(sent.timeout, Duration::zero()) << "a log that is followed may be silent for any time";
  EXPECT_EQ(sent.idle_timeout, Duration::zero());
}

TEST(ClientLog, ReportsAnErrorOfTheServerAndEndsOnRequest) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return pods_with_log(); });
  stage.server.then([] { return status_response(400, "BadRequest"); });
  stage.server.then([] { return http::Response{.body = "one\ntwo\n"}; });
  int lines = 0;
  const auto first_only = [&](std::string_view) { return ++lines != 1; };

  EXPECT_EQ(stage.client.read_log(key_a, {}, first_only).error().to_string(),
            "read log of pod default/a: it is so (400 BadRequest)");
  EXPECT_TRUE(stage.client.read_log(key_a, {}, first_only));
  EXPECT_EQ(lines, 1);
}

TEST(LineSplitter, BoundsTheMemoryOfALineThatDoesNotEnd) {
  std::vector<std::string> lines;
  const std::function<bool(std::string_view)> keep = [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  };
  LineSplitter splitter(keep);
  for (int i = 0; i < 100'000; ++i) EXPECT_TRUE(splitter.add("x"));
  EXPECT_TRUE(splitter.add("\n"));
  splitter.finish();

  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].size(), 65'536U);
  EXPECT_EQ(lines[1].size(), 100'000U - 65'536U);
}

// The same calls against the embedded API server.
class VerbsTest : public ::testing::Test {
 protected:
  void create_pods(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto made =
          client.create({{"apiVersion", "v1"},
                         {"kind", "Pod"},
                         {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", {{"app", "web"}}}}},
                         {"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}});
      ASSERT_TRUE(made) << made.error().to_string();
    }
  }
  std::vector<std::string> pods() {
    std::vector<std::string> names;
    const auto read = client.for_each(pod, {.namespace_ = "default"}, [&](const Object& object) {
      EXPECT_EQ(object.group_version_kind(), pod);
      names.emplace_back(object.name());
      return true;
    });
    EXPECT_TRUE(read) << read.error().to_string();
    return names;
  }

  testing::Simulation simulation{{.seed = 1}};
  Client& client = simulation.user();
};

TEST_F(VerbsTest, AListGoesOnAfterTheServerDroppedItsVersion) {
  create_pods({"a", "b", "c", "d", "e"});
  std::vector<std::string> names;
  const auto read = client.for_each(pod, {.namespace_ = "default", .limit = 2}, [&](const Object& object) {
    names.emplace_back(object.name());
    if (object.name() == "b") {
      EXPECT_TRUE(*client.remove(pod, {"default", "a"}, {.grace_period = 0s}));
      simulation.server().compact();
    }
    return true;
  });

  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(VerbsTest, RemoveAllDeletesTheSelectedObjects) {
  create_pods({"a", "b"});
  ASSERT_TRUE(client.patch(pod, {"default", "b"}, json::Value{{"metadata", {{"labels", {{"app", "other"}}}}}}));

  ASSERT_TRUE(client.remove_all(pod, {.namespace_ = "default", .label_selector = "app=web"}, {.dry_run = true}));
  EXPECT_THAT(pods(), ElementsAre("a", "b"));
  ASSERT_TRUE(client.remove_all(pod, {.namespace_ = "default", .label_selector = "app=web"}, {.grace_period = 0s}));
  EXPECT_THAT(pods(), ElementsAre("b"));
  EXPECT_EQ(client.remove_all(pod, {}).error().code, ErrorCode::invalid) << "a namespaced kind needs a namespace";
}

TEST_F(VerbsTest, ScalesAnyKindWithAScale) {
  const json::Value labels{{"app", "web"}};
  const auto made =
      client.create({{"apiVersion", "apps/v1"},
                     {"kind", "Deployment"},
                     {"metadata", {{"name", "web"}, {"namespace", "default"}}},
                     {"spec",
                      {{"replicas", 2},
                       {"selector", {{"matchLabels", labels}}},
                       {"template",
                        {{"metadata", {{"labels", labels}}},
                         {"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}}}}}});
  ASSERT_TRUE(made) << made.error().to_string();
  const ObjectKey web{"default", "web"};

  auto scale = client.get_scale(deployment, web);
  ASSERT_TRUE(scale) << scale.error().to_string();
  EXPECT_EQ(scale->spec.replicas, 2);
  EXPECT_EQ(scale->status.selector, "app=web");
  EXPECT_EQ(client.set_replicas(deployment, web, 5)->spec.replicas, 5);

  scale->spec.replicas = 7;
  EXPECT_EQ(client.replace_scale(deployment, *scale).error().code, ErrorCode::conflict);
  scale->metadata.resource_version.clear();
  EXPECT_TRUE(client.replace_scale(deployment, *scale, {.dry_run = true}));
  EXPECT_EQ(client.replace_scale(deployment, *scale)->spec.replicas, 7);
  EXPECT_EQ(client.get(deployment, web)->root()["/spec/replicas"], 7);
  EXPECT_EQ(client.set_replicas(config_map, web, 1).error().reason, no_subresource);
}

TEST_F(VerbsTest, EvictsAPodUnlessABudgetForbidsIt) {
  create_pods({"a"});
  const ObjectKey a{"default", "a"};
  ASSERT_TRUE(client.patch(pod, a, json::Value{{"status", {{"phase", "Running"}}}}, {.subresource = "status"}));
  ASSERT_TRUE(client.create({{"apiVersion", "policy/v1"},
                             {"kind", "PodDisruptionBudget"},
                             {"metadata", {{"name", "b"}, {"namespace", "default"}}},
                             {"spec", {{"minAvailable", 1}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}}));
  const Instant begun = simulation.executor().now();

  const auto refused = client.evict(a);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(refused.error().retry_after, 5s);
  EXPECT_EQ(refused.error().causes.at(0).reason, "DisruptionBudget");
  EXPECT_LT(simulation.executor().now() - begun, 1s) << "the caller decides when to try again";
  ASSERT_TRUE(client.patch({"policy/v1", "PodDisruptionBudget"}, {"default", "b"},
                           json::Value{{"status", {{"disruptionsAllowed", 1}}}}, {.subresource = "status"}));
  EXPECT_TRUE(*client.evict(a, {.dry_run = true}));
  EXPECT_THAT(pods(), ElementsAre("a"));
  EXPECT_TRUE(*client.evict(a, {.grace_period = 0s}));
  EXPECT_FALSE(*client.evict(a));
}

TEST_F(VerbsTest, AnEvictionThatABudgetDelaysIsNotRepeated) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) {
    return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"pods","namespaced":true,"kind":"Pod"},{"name":"pods/eviction","namespaced":true,"kind":"Eviction"}]})");
  });
  stage.server.then([] {
    return status_response(429, "TooManyRequests", {{"Retry-After", "10"}},
                           R"({"causes":[{"reason":"DisruptionBudget"}]})");
  });

  EXPECT_EQ(stage.client.evict(key_a).error().retry_after, 10s);
  EXPECT_THAT(stage.server.requests(), SizeIs(1));
}

TEST_F(VerbsTest, PatchesListsByKey) {
  create_pods({"a"});
  const json::Value patch{{"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "new"}}}}}}};

  const auto patched = client.strategic_patch(pod, {"default", "a"}, patch);

  ASSERT_TRUE(patched) << patched.error().to_string();
  EXPECT_EQ(patched->root()["/spec/containers/0/image"], "new");
  EXPECT_EQ(patched->root()["/spec/containers/0/imagePullPolicy"].text(), "Always") << "the container is merged";
}

TEST_F(VerbsTest, ReadsTables) {
  create_pods({"a", "b"});

  const auto table = client.table(pod, {.namespace_ = "default", .limit = 1});

  ASSERT_TRUE(table) << table.error().to_string();
  ASSERT_FALSE(table->columns.empty());
  EXPECT_EQ(table->columns[0].name, "Name");
  EXPECT_EQ(table->columns[0].format, "name");
  ASSERT_THAT(table->rows, SizeIs(1));
  EXPECT_EQ(table->rows[0].cells.size(), table->columns.size());
  EXPECT_EQ(table->rows[0].cells[0], json::Value("a"));
  EXPECT_EQ(table->rows[0].object.name(), "a");
  EXPECT_FALSE(table->continue_.empty());
}

TEST_F(VerbsTest, ReadsMetadataAlone) {
  create_pods({"a"});

  const auto object = client.get(pod, {"default", "a"}, {.metadata_only = true});

  ASSERT_TRUE(object) << object.error().to_string();
  EXPECT_EQ(object->group_version_kind(), pod);
  EXPECT_EQ(object->label("app"), "web");
  EXPECT_FALSE(object->root().member("spec").exists());
}

TEST_F(VerbsTest, StrictValidationNamesTheUnknownFields) {
  const auto create = [&](FieldValidation validation) {
    return client.create({{"apiVersion", "v1"},
                          {"kind", "ConfigMap"},
                          {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                          {"dota", {{"k", "v"}}}},
                         {.field_validation = validation});
  };

  const auto refused = create(FieldValidation::strict);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_THAT(refused.error().message, HasSubstr(R"(unknown field "dota")"));
  EXPECT_TRUE(create(FieldValidation::warn));
}

TEST_F(VerbsTest, SubresourcesOfOtherKindsAreReadAndWritten) {
  create_pods({"a"});

  const auto bound =
      client.create(pod, {"default", "a"}, {{"apiVersion", "v1"}, {"kind", "Binding"}, {"target", {{"name", "n1"}}}},
                    {.subresource = "binding"});
  ASSERT_TRUE(bound) << bound.error().to_string();
  EXPECT_EQ(client.get(pod, {"default", "a"})->root()["/spec/nodeName"], "n1");
  EXPECT_EQ(client.get(pod, {"default", "a"}, {.subresource = "status"})->name(), "a");
  EXPECT_THAT(client.create(pod, {"default", "a"}, json::Value(json::object()), {}).error().message,
              HasSubstr("set WriteOptions::subresource"));
}

}  // namespace
}  // namespace pintle
