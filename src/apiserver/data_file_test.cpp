// SPDX-License-Identifier: Apache-2.0
// A server that continues from a data file.
#include <filesystem>

#include <unistd.h>

#include <pintle/object/bytes.hpp>

#include "test_server.hpp"

namespace pintle {
namespace {

namespace fs = std::filesystem;

class DataFileTest : public testing::Test {
 protected:
  // A server on the data file. Each has an own seed, because uids are random.
  class Server : public ServerTest {
   public:
    Server(SimulatedExecutor& files, const fs::path& path, std::uint64_t seed)
        : ServerTest({.data = DataFile::open(files, path.string()).value(), .controllers = true}, seed) {}
    void TestBody() override {}
    using ServerTest::call;
    using ServerTest::executor_;
    using ServerTest::get;
    using ServerTest::merge;
    using ServerTest::names;
    using ServerTest::post;
    using ServerTest::remove;
    using ServerTest::run_until_idle;
    using ServerTest::server_;
    using ServerTest::watch;
    // The names of the ConfigMaps that the test has made.
    std::string config_map_names() {
      std::string out;
      for (const Object& map : server_.objects("configmaps")) {
        if (map.name() != "kube-root-ca.crt") out += (out.empty() ? "" : " ") + std::string(map.name());
      }
      return out;
    }
  };

  DataFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    start();
  }
  ~DataFileTest() override {
    server_.reset();
    fs::remove_all(folder_);
  }

  void start() { server_ = std::make_unique<Server>(files_, folder_ / "data", ++starts_); }
  void restart() {
    server_.reset();
    start();
  }
  Server& server() { return *server_; }

 private:
  const fs::path folder_ = fs::path(testing::TempDir()) / ("pintle_data_file_" + std::to_string(::getpid()));
  SimulatedExecutor files_;
  std::uint64_t starts_ = 0;
  std::unique_ptr<Server> server_;
};

TEST_F(DataFileTest, KeepsEveryObjectAsItWas) {
  server().post(config_maps, config_map("a", R"("labels":{"app":"x"})"));
  server().call("PATCH", config_maps + "/b?fieldManager=me",
                R"({"apiVersion":"v1","kind":"ConfigMap","data":{"k":"1"}})", "application/apply-patch+yaml");
  server().run_until_idle();
  const std::string before = server().get(config_maps).body;
  const std::string namespaces = server().get("/api/v1/namespaces").at("/items");
  restart();
  EXPECT_EQ(server().get(config_maps).body, before) << "with uids, versions, managedFields and the version of the list";
  EXPECT_EQ(server().get("/api/v1/namespaces").at("/items"), namespaces);
}

TEST_F(DataFileTest, ContinuesTheVersions) {
  server().post(config_maps, config_map("a"));
  server().remove(config_maps + "/a");
  server().run_until_idle();
  const std::uint64_t last = server().server_.resource_version();
  restart();
  EXPECT_EQ(server().server_.resource_version(), last) << "also that of a deletion";
  EXPECT_EQ(server().post(config_maps, config_map("b")).at("/metadata/resourceVersion"), std::to_string(last + 1));
}

TEST_F(DataFileTest, ContinuesAWatchFromTheNewestVersionAndExpiresOlderOnes) {
  const std::string old = server().post(config_maps, config_map("a")).at("/metadata/resourceVersion");
  server().post(config_maps, config_map("b"));
  server().run_until_idle();
  const std::string last = std::to_string(server().server_.resource_version());
  restart();
  auto stale = server().watch(config_maps + "?watch=1&resourceVersion=" + old);
  EXPECT_EQ(stale.take().at("object").at("code").as_int64(), 410);
  auto stream = server().watch(config_maps + "?watch=1&resourceVersion=" + last);
  EXPECT_TRUE(stream.quiet());
  server().post(config_maps, config_map("c"));
  EXPECT_EQ(stream.next(), "ADDED c");
}

TEST_F(DataFileTest, ServesKeptKindsFromTheFirstRequest) {
  server().post(definitions, widget_definition("demo.dev"));
  server().run_until_idle();
  const std::string widgets = "/apis/demo.dev/v1/namespaces/default/widgets";
  ASSERT_EQ(server().post(widgets, R"({"apiVersion":"demo.dev/v1","kind":"Widget","metadata":{"name":"w"}})").status,
            201);
  restart();
  EXPECT_EQ(server().get(widgets + "/w").at("/spec"), "") << "no spec was given";
  EXPECT_EQ(server().get(widgets + "/w").at("/metadata/name"), "w");
  EXPECT_EQ(server().get(definitions + "/widgets.demo.dev").at("/status/storedVersions"), R"(["v1"])");
}

TEST_F(DataFileTest, ContinuesDeletionsAndGarbageCollection) {
  const std::string uid = server().post(config_maps, config_map("owner")).at("/metadata/uid");
  server().post(
      config_maps,
      config_map("owned", R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" + uid +
                              R"("}])"));
  server().post("/api/v1/namespaces", config_map("shop"));
  server().post("/api/v1/namespaces/shop/configmaps", config_map("in-shop"));
  server().run_until_idle();
  server().remove("/api/v1/namespaces/shop");  // the restart comes before its content is deleted
  restart();
  server().run_until_idle();
  EXPECT_EQ(server().get("/api/v1/namespaces/shop").status, 404);
  EXPECT_EQ(server().config_map_names(), "owned owner");
  server().remove(config_maps + "/owner");
  server().run_until_idle();
  EXPECT_EQ(server().config_map_names(), "");
}

TEST_F(DataFileTest, ContinuesTheWorkOfControllers) {
  const std::string deployments_of_apps = "/apis/apps/v1/namespaces/default/deployments";
  server().post(deployments_of_apps, R"({"metadata":{"name":"d"},"spec":{"replicas":3,
    "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
    "spec":{"containers":[{"name":"c","image":"one"}]}}}})");
  server().run_until_idle();
  const std::string pods = server().names("pods");
  server().merge(deployments_of_apps + "/d/scale", R"({"spec":{"replicas":4}})");  // before its Pod exists
  restart();
  server().run_until_idle();
  EXPECT_EQ(server().get(deployments_of_apps + "/d").at("/status/availableReplicas"), "4");
  EXPECT_EQ(server().server_.objects("pods").size(), 4U);
  EXPECT_EQ(server().server_.objects("replicasets.apps").size(), 1U);
  for (std::size_t at = 0; at < pods.size(); at = pods.find(' ', at) + 1) {
    const std::string name = pods.substr(at, pods.find(' ', at) - at);
    EXPECT_EQ(server().get("/api/v1/namespaces/default/pods/" + name).status, 200) << "the Pods of before remain";
    if (pods.find(' ', at) == std::string::npos) break;
  }
}

TEST_F(DataFileTest, TokensOfServiceAccountsStayValid) {
  server().post("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"robot"}})");
  server().post("/api/v1/namespaces/default/secrets",
                R"({"metadata":{"name":"s","annotations":{"kubernetes.io/service-account.name":"robot"}},
                    "type":"kubernetes.io/service-account-token"})");
  const std::string token =
      server().post("/api/v1/namespaces/default/serviceaccounts/robot/token", "{}").at("/status/token");
  server().run_until_idle();
  const std::string keys = server().get("/openid/v1/jwks").body;
  const auto is_valid = [&](const std::string& given) {
    return server()
               .post("/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{"token":")" + given + R"("}})")
               .at("/status/authenticated") == "true";
  };
  EXPECT_TRUE(is_valid(token));
  const std::uint64_t last = server().server_.resource_version();
  restart();
  server().run_until_idle();
  EXPECT_TRUE(is_valid(token));
  EXPECT_EQ(server().get("/openid/v1/jwks").body, keys);
  EXPECT_EQ(server().server_.resource_version(), last) << "nothing was written again";
  const auto secret = Bytes::from_base64(server().get("/api/v1/namespaces/default/secrets/s").at("/data/token"));
  ASSERT_TRUE(secret);
  EXPECT_TRUE(is_valid(secret->data));
}

TEST_F(DataFileTest, KeepsARewind) {
  server().post(config_maps, config_map("a"));
  server().run_until_idle();
  const std::uint64_t backup = server().server_.resource_version();
  server().post(config_maps, config_map("b"));
  ASSERT_TRUE(server().server_.rewind(backup));
  restart();
  EXPECT_EQ(server().config_map_names(), "a");
  EXPECT_EQ(server().server_.resource_version(), backup);
}

}  // namespace
}  // namespace pintle
