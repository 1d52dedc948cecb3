// SPDX-License-Identifier: Apache-2.0
// Records sessions with a server and replays them on another one.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/apiserver/recorder.hpp>
#include <pintle/apiserver/request_info.hpp>
#include <pintle/apiserver/server.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "http/forwarder.hpp"
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
    http::Response response = recorder_->handle(request);
    if (response.deferred) response = response.deferred();
    response.stream->on_ready([] {});
    return std::move(response.stream);
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
  // Sends requests of many kinds, also some that are refused, and a watch.
  void run_session() {
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
  run_session();
  EXPECT_EQ(replay(), std::vector<std::string>());
}

// A recorder in front of a server that it reaches by a transport, as `pintle record` does.
class ForwardedRecorderTest : public RecorderTest {
 protected:
  ForwardedRecorderTest() {
    recorder_.reset();
    recorder_ = Recorder::open(executor_, forwarder_, path_).value();
  }
  ~ForwardedRecorderTest() override {
    recorder_.reset();
    transport_->stop();
  }
  [[nodiscard]] Result<http::Request> signed_request() const {
    if (credentials_.empty()) return fail(ErrorCode::invalid, "no credentials");
    http::Request request{.endpoint =
                              std::make_shared<http::Endpoint>(http::parse_server_url("http://c", false).value())};
    request.headers.set("Authorization", "Bearer " + credentials_);
    return request;
  }

  std::string credentials_{server_token};
  std::shared_ptr<http::InProcessTransport> transport_ = std::make_shared<http::InProcessTransport>(executor_, server_);
  http::Forwarder forwarder_{{.transport = transport_,
                              .prepare = [this] { return signed_request(); },
                              .streams =
                                  [](const http::Request& request) {
                                    const auto info = request_info(request);
                                    return info && info->verb == "watch";
                                  },
                              .error_response = &ApiServer::error_response}};
};

TEST_F(ForwardedRecorderTest, ASessionPassesOnAnotherServer) {
  run_session();
  EXPECT_EQ(replay(), std::vector<std::string>());
}

TEST_F(ForwardedRecorderTest, SendsTheCredentialsForTheCluster) {
  http::Request request{.target = config_maps};
  request.headers.set("Authorization", "Bearer of-the-client");
  EXPECT_EQ(recorder_->handle(request).deferred().status, 200);
  credentials_ = "wrong";
  EXPECT_EQ(recorder_->handle(request).deferred().status, 401);
  credentials_.clear();
  const http::Response failed = recorder_->handle(request).deferred();
  EXPECT_EQ(failed.status, 502);
  EXPECT_NE(failed.body.find("no credentials"), std::string::npos);
  const std::string recorded = file();
  EXPECT_EQ(recorded.find(server_token), std::string::npos);
  EXPECT_EQ(recorded.find("of-the-client"), std::string::npos);
}

TEST_F(ForwardedRecorderTest, AWatchEndsWithItsClient) {
  auto stream = watch(config_maps + "?watch=1");
  send("POST", config_maps, R"({"metadata":{"name":"a"}})");
  executor_.sleep_for(std::chrono::milliseconds(10));
  std::string events;
  EXPECT_EQ(stream->read(events), http::BodyStream::State::waiting);
  EXPECT_NE(events.find("ADDED"), std::string::npos);
  stream.reset();
  const Value scenario = json::parse(file()).value();
  EXPECT_EQ(scenario.at("steps").as_array().back().at("events"), "w1");
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
