#include "crd_installer.hpp"

#include <pintle/json/pointer.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST(SemanticVersions, AreOrderedAsTheStandardSays) {
  const std::vector<const char*> ascending{"0.9.0",        "1.0.0-alpha",   "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                           "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",    "1.0.0",
                                           "1.0.10",       "2.0.0"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(compare_semantic_versions(ascending[i], ascending[j]), i <=> j) << ascending[i] << " " << ascending[j];
    }
  }
  EXPECT_EQ(compare_semantic_versions("v1.0.0+build", "1.0.0"), std::strong_ordering::equal);
}

const GroupVersionKind crd_kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");

class CrdInstallerTest : public ::testing::Test {
 protected:
  Result<void> ensure(Crds policy, const std::string& manager = "ours", const std::string& version = "1.0.0") {
    CrdInstaller installer(simulation.user(), Log(log, simulation.runtime()), manager, version, policy, 10s);
    return installer.ensure(definition, Note::type, {});
  }
  void install(json::Value crd) {
    const auto made = simulation.user().create(crd);
    ASSERT_TRUE(made) << made.error().to_string();
  }
  Object installed() { return simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").at(0); }

  std::shared_ptr<KeptLog> log = std::make_shared<KeptLog>();
  json::Value definition = crd_of<Note>();
  testing::Simulation simulation{{.seed = 3}};
};

TEST_F(CrdInstallerTest, InstallsWhatIsMissingAndWaitsUntilItIsServed) {
  const auto done = ensure(Crds::if_missing);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_TRUE(simulation.user().resource(Note::type));
}

TEST_F(CrdInstallerTest, UsesWhatSomebodyElseInstalledIfItServesOurVersion) {
  install(definition);
  EXPECT_TRUE(ensure(Crds::if_missing));
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "");
}

TEST_F(CrdInstallerTest, RefusesOneThatDoesNotServeOurVersion) {
  json::Value other = definition;
  ASSERT_TRUE(json::set(other, "/spec/versions/0/name", "v2"));
  install(other);
  const auto refused = ensure(Crds::if_missing);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("does not serve v1"), std::string::npos) << refused.error().message;
}

TEST_F(CrdInstallerTest, RefusesOneOfAnotherKindOrScope) {
  json::Value other = definition;
  ASSERT_TRUE(json::set(other, "/spec/scope", "Cluster"));
  install(other);
  EXPECT_NE(ensure(Crds::if_missing).error().message.find("has scope Cluster, ours Namespaced"), std::string::npos);
}

TEST_F(CrdInstallerTest, NeverInstallsWhenToldSo) {
  const auto refused = ensure(Crds::never);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_NE(refused.error().message.find("--print-crds"), std::string::npos);
  EXPECT_TRUE(simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").empty());
}

TEST_F(CrdInstallerTest, UpgradesItsOwnToANewerVersion) {
  ASSERT_TRUE(ensure(Crds::upgrade));
  ASSERT_TRUE(json::set(definition, "/spec/names/shortNames", json::array{"nt"}));
  const auto upgraded = ensure(Crds::upgrade, "ours", "1.1.0");
  ASSERT_TRUE(upgraded) << upgraded.error().to_string();
  EXPECT_EQ(installed()["/spec/names/shortNames/0"], "nt");
  EXPECT_EQ(installed().annotation("pintle.dev/manager-version"), "1.1.0");
}

TEST_F(CrdInstallerTest, KeepsOneThatIsNewerThanItself) {
  ASSERT_TRUE(ensure(Crds::upgrade, "ours", "2.0.0"));
  ASSERT_TRUE(json::set(definition, "/spec/names/shortNames", json::array{"nt"}));
  ASSERT_TRUE(ensure(Crds::upgrade, "ours", "1.9.0"));
  EXPECT_FALSE(installed()["/spec/names/shortNames"].exists());
  EXPECT_TRUE(log->has("newer than this operator"));
}

TEST_F(CrdInstallerTest, DoesNotUpgradeWhatBelongsToAnotherManager) {
  ASSERT_TRUE(ensure(Crds::if_missing, "theirs"));
  const auto refused = ensure(Crds::upgrade, "ours");
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("belongs to manager theirs, not to ours"), std::string::npos)
      << refused.error().message;
}

TEST_F(CrdInstallerTest, NeverRemovesAVersionThatIsServedOrStored) {
  json::Value two = definition;
  json::Value old = two.at("spec").at("versions").at(0);
  old.as_object()["name"] = "v0";
  old.as_object()["storage"] = false;
  two.at("spec").at("versions").as_array().push_back(old);
  std::swap(two, definition);
  ASSERT_TRUE(ensure(Crds::upgrade));
  std::swap(two, definition);
  const auto refused = ensure(Crds::upgrade, "ours", "1.1.0");
  EXPECT_NE(refused.error().message.find("version v0, which ours would remove"), std::string::npos);
}

// Lets everything through but the creation of definitions.
class MayNotInstall final : public http::Handler {
 public:
  explicit MayNotInstall(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    if (request.method != "POST") return server_.handle(request);
    return {.status = 403,
            .headers = {{"Content-Type", "application/json"}},
            .body = R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no","code":403})"};
  }

 private:
  http::Handler& server_;
};

TEST_F(CrdInstallerTest, WithoutTheRightToInstallItSaysSoAndWaits) {
  MayNotInstall refusing(simulation.server());
  const auto transport = std::make_shared<http::MemoryTransport>(simulation.runtime(), refusing);
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  bool served = false;
  Thread start = simulation.runtime().spawn({.name = "start"}, [&] {
    CrdInstaller installer(client, Log(log, simulation.runtime()), "ours", "1.0.0", Crds::if_missing, 10s);
    served = installer.ensure(definition, Note::type, {}).has_value();
  });
  simulation.runtime().sleep_for(1h);
  EXPECT_FALSE(served);
  EXPECT_TRUE(log->has("no right to install the definition"));
  install(definition);
  start.join();
  EXPECT_TRUE(served);
  transport->shutdown();
}

}  // namespace
}  // namespace pintle
