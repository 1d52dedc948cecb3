// SPDX-License-Identifier: Apache-2.0
// Conversion by webhooks, beyond the recorded scenarios: watches, failures and slow webhooks.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/test_server.hpp"
#include "apiserver/test_webhooks.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Moves /spec/host to /spec/address in v2 and back.
class HostConverter final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    ++calls;
    const json::Value review = json::parse(request.body).value();
    const json::Value& asked = review.at("request");
    json::array converted;
    for (json::Value object : asked.at("objects").as_array()) {
      review_version = json::print(review.at("apiVersion"));
      const bool is_new = asked.at("desiredAPIVersion") == "a.dev/v2";
      json::object& spec = object.at("spec").as_object();
      if (json::Value* from = spec.if_contains(is_new ? "host" : "address")) {
        const json::Value host = *from;
        spec.erase(is_new ? "host" : "address");
        spec[is_new ? "address" : "host"] = host;
      }
      if (!labels.is_null()) object.at("metadata").as_object()["labels"] = labels;
      object.as_object()["apiVersion"] = asked.at("desiredAPIVersion");
      converted.push_back(std::move(object));
    }
    const json::Value response{{"uid", keeps_identity ? asked.at("uid") : json::Value("another")},
                               {"result", {{"status", fails ? "Failure" : "Success"}, {"message", "no"}}},
                               {"convertedObjects", std::move(converted)}};
    json::object out{{"response", response}};
    if (keeps_identity) {
      out["apiVersion"] = review.at("apiVersion");
      out["kind"] = "ConversionReview";
    }
    return {.headers = {{"Content-Type", "application/json"}}, .body = json::print(out)};
  }

  bool fails = false;
  json::Value labels;  // of the converted objects, unless null
  int calls = 0;
  bool keeps_identity = true;  // of the review: its type and uid
  std::string review_version;  // of the last one
};

class ConverterTest : public testing::Test {
 protected:
  inline static const std::string things = "/namespaces/default/things";
  inline static const std::string v1 = "/apis/a.dev/v1" + things;
  inline static const std::string v2 = "/apis/a.dev/v2" + things;

  void SetUp() override {
    const auto version = [](const char* name, const char* member, bool is_stored) -> json::Value {
      return {
          {"name", name},
          {"served", true},
          {"storage", is_stored},
          {"schema",
           {{"openAPIV3Schema",
             {{"type", "object"},
              {"properties", {{"spec", {{"type", "object"}, {"properties", {{member, {{"type", "string"}}}}}}}}}}}}}};
    };
    const json::Value crd{
        {"metadata", {{"name", "things.a.dev"}}},
        {"spec",
         {{"group", "a.dev"},
          {"scope", "Namespaced"},
          {"names", {{"plural", "things"}, {"kind", "Thing"}}},
          {"versions", json::array{version("v1", "host", true), version("v2", "address", false)}},
          {"conversion",
           {{"strategy", "Webhook"},
            {"webhook",
             {{"clientConfig", {{"url", "https://127.0.0.1:9443/convert"}, {"caBundle", webhooks_.ca_bundle}}},
              {"conversionReviewVersions", json::array{"v1"}}}}}}}}};
    ASSERT_EQ(call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json::print(crd)).status, 201);
    for (int i = 0; i < 100 && call("GET", v2).status != 200; ++i) executor_.sleep_for(10ms);
    ASSERT_EQ(call("GET", v2).status, 200);
  }

  http::Response respond(const http::Request& request) {
    http::Response response = server_->handle(request);
    return response.deferred ? response.deferred() : std::move(response);
  }
  TestReply call(std::string method, std::string target, std::string body = "") {
    http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    if (!request.body.empty()) request.headers.set("Content-Type", "application/json");
    http::Response response = respond(request);
    http::read_full_body(response);
    TestReply reply{.status = response.status, .headers = response.headers, .body = response.body};
    if (auto parsed = json::parse(reply.body)) reply.json = std::move(*parsed);
    return reply;
  }
  int create(const std::string& name) {
    const std::string type = R"("apiVersion":"a.dev/v1","kind":"Thing",)";
    return call("POST", v1, "{" + type + R"("metadata":{"name":")" + name + R"("},"spec":{"host":"h"}})").status;
  }
  // Changes the definition, and waits until the change has an effect.
  void patch_definition(const std::string& operations) {
    http::Request request{.method = "PATCH",
                          .target = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.dev",
                          .headers = {{"Content-Type", "application/json-patch+json"}},
                          .body = operations};
    const http::Response response = respond(request);
    ASSERT_EQ(response.status, 200) << response.body;
    for (int i = 0; i < 100 && !server_->is_idle(); ++i) executor_.sleep_for(10ms);
  }
  void accept_reviews(const json::array& versions) {
    patch_definition(json::print(json::array{
        {{"op", "replace"}, {"path", "/spec/conversion/webhook/conversionReviewVersions"}, {"value", versions}}}));
  }
  // Opens a watch in v2 for all changes from now on.
  TestWatch watch_v2() {
    const std::string version = std::to_string(server_->resource_version());
    return TestWatch(executor_, respond({.target = v2 + "?watch=1&resourceVersion=" + version}));
  }

  SimulatedExecutor executor_{{.seed = 1}};
  HostConverter converter_;
  TestWebhooks webhooks_{executor_, converter_};
  std::unique_ptr<ApiServer> server_ = std::make_unique<ApiServer>(
      executor_, ApiServerOptions{.webhooks = {.transport = webhooks_.network.transport()}});
};

TEST_F(ConverterTest, AnObjectOfAnotherVersionIsConvertedInEachKindOfRead) {
  ASSERT_EQ(create("a"), 201);

  EXPECT_EQ(call("GET", v2 + "/a").at("/spec/address"), "h");
  EXPECT_EQ(call("GET", v2).at("/items/0/spec/address"), "h");
  EXPECT_EQ(call("GET", v1 + "/a").at("/spec/host"), "h");
  EXPECT_EQ(server_->objects("things.a.dev").front().api_version(), "a.dev/v1");
}

TEST_F(ConverterTest, AWatchConvertsChangesThatWereNotConvertedAtTheWrite) {
  webhooks_.network.set_faults({{.effect = http::Drop{}, .times = 1}});  // hits the conversion at the write
  TestWatch watch = watch_v2();
  ASSERT_EQ(create("a"), 201);

  const json::Value event = watch.take();
  ASSERT_FALSE(event.is_null());
  EXPECT_EQ(event.at("type"), "ADDED");
  EXPECT_EQ(event.at("object").at("spec").at("address"), "h");
  EXPECT_EQ(webhooks_.network.injected_faults(), 1U);
}

TEST_F(ConverterTest, ASlowConversionDelaysItsWatchAndNoOtherRequest) {
  TestWatch watch = watch_v2();
  webhooks_.network.set_faults({{.effect = http::Delay{.duration = 5s}}});
  const Instant begin = executor_.now();
  ASSERT_EQ(create("a"), 201);
  EXPECT_LE(executor_.now() - begin, 1100ms) << "a write waits for at most a second";

  EXPECT_TRUE(watch.quiet());
  EXPECT_EQ(call("GET", v1 + "/a").status, 200);
  EXPECT_LE(executor_.now() - begin, 1100ms);
  EXPECT_EQ(watch.next(), "ADDED a");
  EXPECT_GE(executor_.now() - begin, 5s);
}

TEST_F(ConverterTest, AFailedConversionEndsAWatchWithAnErrorEvent) {
  TestWatch watch = watch_v2();
  converter_.fails = true;
  ASSERT_EQ(create("a"), 201);

  const json::Value event = watch.take();
  ASSERT_FALSE(event.is_null());
  EXPECT_EQ(event.at("type"), "ERROR");
  EXPECT_EQ(event.at("object").at("message"), "conversion webhook for a.dev/v1, Kind=Thing failed: no");
  EXPECT_TRUE(watch.quiet());
  EXPECT_TRUE(watch.ended);
}

// The bookmark of a watch is due once a minute; a stream that is read for it again and again would use a whole CPU, and
// virtual time would stand still.
TEST_F(ConverterTest, AWatchThatWaitsForAConversionIsNotReadForItsBookmark) {
  const std::string version = std::to_string(server_->resource_version());
  http::Response response = respond({.target = v2 + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version});
  response.stream->on_ready([] {});
  std::string text;
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);
  executor_.sleep_for(55s);
  webhooks_.network.set_faults({{.effect = http::Delay{.duration = 20s}}});
  ASSERT_EQ(create("a"), 201);
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);

  executor_.sleep_for(10s);
  EXPECT_GT(response.stream->next_deadline(), executor_.now());
  executor_.sleep_for(20s);
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::waiting);
  EXPECT_NE(text.find(R"("type":"ADDED")"), std::string::npos);
  EXPECT_NE(text.find(R"("type":"BOOKMARK")"), std::string::npos);
}

TEST_F(ConverterTest, LabelsThatAreNoTextsAreAFailedConversion) {
  ASSERT_EQ(create("a"), 201);
  const std::vector<std::pair<json::Value, std::string>> cases{
      {5, "invalid metadata.labels of type int64 in converted object"},
      {json::Value{{"a", 5}}, "metadata.labels[a] must be a string, but is int64 in converted object"}};
  for (const auto& [labels, error] : cases) {
    converter_.labels = labels;
    const auto refused = call("GET", v2 + "/a");
    EXPECT_EQ(refused.status, 500);
    EXPECT_EQ(refused.at("/message"),
              "conversion webhook for a.dev/v1, Kind=Thing returned invalid metadata: " + error);
  }
}

TEST_F(ConverterTest, AConverterThatDoesNotRespondDelaysOneWrite) {
  webhooks_.network.set_faults({{.effect = http::Delay{.duration = 1h}}});
  ASSERT_EQ(create("a"), 201);
  const Instant begin = executor_.now();
  for (const char* name : {"b", "c", "d"}) ASSERT_EQ(create(name), 201);
  EXPECT_LT(executor_.now() - begin, 100ms);
}

TEST_F(ConverterTest, AConverterThatAlwaysFailsIsCalledOnceForEachWrite) {
  converter_.fails = true;
  converter_.calls = 0;
  for (int i = 0; i < 50; ++i) ASSERT_EQ(create("a" + std::to_string(i)), 201);
  executor_.sleep_for(1h);

  EXPECT_GE(converter_.calls, 1);
  EXPECT_LE(converter_.calls, 50);
}

// The type and the uid of a v1beta1 review are not checked.
TEST_F(ConverterTest, AReviewOfV1beta1IsLessStrict) {
  ASSERT_EQ(create("a"), 201);
  converter_.keeps_identity = false;
  EXPECT_EQ(call("GET", v2 + "/a").status, 500);
  EXPECT_EQ(converter_.review_version, "\"apiextensions.k8s.io/v1\"");

  accept_reviews({"v2", "v1beta1", "v1"});  // the first known version counts
  const auto read = call("GET", v2 + "/a");
  EXPECT_EQ(read.at("/spec/address"), "h") << read.body;
  EXPECT_EQ(converter_.review_version, "\"apiextensions.k8s.io/v1beta1\"");

  converter_.fails = true;
  EXPECT_NE(call("GET", v2 + "/a").at("/message").find("failed: no"), std::string::npos);
}

// The default belongs to the stored version, so it is applied before the conversion.
TEST_F(ConverterTest, ADefaultThatIsAddedLaterIsConverted) {
  const std::string type = R"("apiVersion":"a.dev/v1","kind":"Thing",)";
  ASSERT_EQ(call("POST", v1, "{" + type + R"("metadata":{"name":"a"},"spec":{}})").status, 201);
  patch_definition(
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/host/default",
                        "value":"localhost"}])");
  EXPECT_EQ(call("GET", v1 + "/a").at("/spec/host"), "localhost");
  EXPECT_EQ(call("GET", v2 + "/a").at("/spec/address"), "localhost");
  EXPECT_EQ(call("GET", v2).at("/items/0/spec/address"), "localhost");
}

TEST_F(ConverterTest, AWatchThatWaitsForAConversionMayBeClosed) {
  {
    TestWatch watch = watch_v2();
    webhooks_.network.set_faults({{.effect = http::Delay{.duration = 5s}}});
    ASSERT_EQ(create("a"), 201);
    EXPECT_TRUE(watch.quiet());  // starts the conversion
  }
  executor_.sleep_for(10s);
  webhooks_.network.set_faults({});
  EXPECT_EQ(call("GET", v2 + "/a").status, 200);
}

TEST_F(ConverterTest, AStopDoesNotWaitForASlowConversion) {
  TestWatch watch = watch_v2();
  webhooks_.network.set_faults({{.effect = http::Delay{.duration = 25s}}});
  ASSERT_EQ(create("a"), 201);
  EXPECT_TRUE(watch.quiet());  // starts the conversion
  const Instant begin = executor_.now();

  server_->stop();
  EXPECT_LE(executor_.now() - begin, 1s);
}

}  // namespace
}  // namespace pintle
