// SPDX-License-Identifier: Apache-2.0
// Records sessions with a server and replays them on another one.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/apiserver/recorder.hpp>
#include <pintle/apiserver/server.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "replayer.hpp"

namespace pintle::conformance {
namespace {

using json::Value;

const std::string config_maps = "/api/v1/namespaces/default/configmaps";
const std::string pods = "/api/v1/namespaces/default/pods";

class RecorderTest : public testing::Test {
 protected:
  ~RecorderTest() override { std::filesystem::remove(path_); }

  Value send(const std::string& method, const std::string& target, const std::string& body = "",
             const std::string& type = "application/json") {
    http::Request request{.method = method, .target = target, .body = body};
    if (!body.empty()) request.headers.set("Content-Type", type);
    request.headers.set("Authorization", "Bearer " + std::string(server_token));
    request.headers.set("Accept-Encoding", "gzip");
    http::Response response = recorder_->handle(request);
    if (response.deferred) response = response.deferred();
    http::read_full_body(response);
    return json::parse(response.body).value_or(Value());
  }
  std::unique_ptr<http::BodyStream> watch(const std::string& target) {
    http::Request request{.target = target};
    request.headers.set("Authorization", "Bearer " + std::string(server_token));
    auto stream = recorder_->handle(request).stream;
    stream->on_ready([] {});
    return stream;
  }
  static std::string text(const Value& body, std::string_view pointer) {
    return std::string(json::find(body, pointer)->as_string());
  }
  std::string file() {
    EXPECT_TRUE(recorder_->finish());
    std::stringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  // Replays the recording on another server. Returns the differences.
  std::vector<std::string> replay(ApiServerOptions options = {}) {
    const auto scenario = json::parse(file());
    EXPECT_TRUE(scenario);
    SimulatedExecutor executor({.seed = 77});
    options.token = std::string(server_token);
    ApiServer other(executor, std::move(options));
    return Replayer(executor, other).run(*scenario);
  }

  const std::string path_ =
      (std::filesystem::path(testing::TempDir()) / ("pintle_recorder_" + std::to_string(::getpid()) + ".json"))
          .string();
  SimulatedExecutor executor_;
  ApiServer server_{executor_, {.token = std::string(server_token)}};
  std::unique_ptr<Recorder> recorder_ = Recorder::open(executor_, server_, path_).value();
};

TEST_F(RecorderTest, ASessionPassesOnAnotherServer) {
  const Value a = send("POST", config_maps, R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  const std::string version = text(a, "/metadata/resourceVersion");
  send("PUT", config_maps + "/a",
       R"({"metadata":{"name":"a","resourceVersion":")" + version + R"("},"data":{"k":"2"}})");
  send("PUT", config_maps + "/a",
       R"({"metadata":{"name":"a","resourceVersion":")" + version + R"("},"data":{"k":"3"}})");  // 409
  send("POST", config_maps, R"({"metadata":{"name":"a"}})");                                     // 409
  const Value made = send("POST", config_maps, R"({"metadata":{"generateName":"x-"}})");
  send("PATCH", config_maps + "/" + text(made, "/metadata/name"), R"({"data":{"k":"1"}})",
       "application/merge-patch+json");
  send("POST", config_maps,
       R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":")" +
           text(a, "/metadata/uid") + R"("}]}})");
  send("PATCH", config_maps + "/applied?fieldManager=me", "apiVersion: v1\nkind: ConfigMap\ndata: {k: v}\n",
       "application/apply-patch+yaml");
  const Value list = send("GET", config_maps + "?limit=2");
  send("GET", config_maps + "?limit=2&continue=" + text(list, "/metadata/continue"));
  auto stream = watch(config_maps + "?watch=1&resourceVersion=" + text(list, "/metadata/resourceVersion"));
  send("DELETE", config_maps + "/a");
  executor_.sleep_for(std::chrono::seconds(2));  // "owned" is garbage-collected
  send("GET", config_maps + "/owned");
  std::string events;
  (void)stream->read(events);
  EXPECT_NE(events.find("DELETED"), std::string::npos);
  stream.reset();
  send("GET", "/api/v1/namespaces/none/configmaps/none");
  EXPECT_EQ(replay(), std::vector<std::string>());
}

TEST_F(RecorderTest, ADifferenceIsFound) {
  send("POST", pods, R"({"metadata":{"name":"a"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})");
  send("DELETE", pods + "/a");
  executor_.sleep_for(std::chrono::seconds(2));
  send("GET", pods + "/a");
  EXPECT_EQ(replay(), std::vector<std::string>());
  EXPECT_NE(replay({.termination_delay = std::chrono::hours(1)}), std::vector<std::string>()) << "the pod still exists";
}

TEST_F(RecorderTest, RecordsNoCredentialsAndNoDiscovery) {
  send("GET", "/apis");
  send("GET", "/openapi/v3");
  send("GET", config_maps);
  const std::string recorded = file();
  EXPECT_EQ(recorded.find(server_token), std::string::npos);
  EXPECT_EQ(json::parse(recorded)->at("steps").as_array().size(), 1U);
}

TEST_F(RecorderTest, TheFileIsCompleteAfterEachStep) {
  for (int i = 0; i < 3; ++i) {
    send("GET", config_maps);
    std::stringstream text;
    text << std::ifstream(path_).rdbuf();
    EXPECT_EQ(json::parse(text.str())->at("steps").as_array().size(), static_cast<std::size_t>(i + 1));
  }
}

TEST_F(RecorderTest, RecordsTheEventsOfOpenWatchesWhenItEnds) {
  const auto stream = watch(config_maps + "?watch=1");
  send("POST", config_maps, R"({"metadata":{"name":"a"}})");
  std::string events;
  (void)stream->read(events);
  const Value scenario = json::parse(file()).value();
  const json::array& steps = scenario.at("steps").as_array();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2].at("events"), "w1");
  EXPECT_EQ(text(steps[2], "/expect/0/object/metadata/uid"), "<uid:1>");
  EXPECT_EQ(replay(), std::vector<std::string>());
}

TEST(RecorderFile, IsReportedIfItCannotBeWritten) {
  SimulatedExecutor executor;
  ApiServer server(executor);
  const auto opened = Recorder::open(executor, server, "/none/x.json");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "/none/x.json: the file cannot be written");
}

}  // namespace
}  // namespace pintle::conformance
