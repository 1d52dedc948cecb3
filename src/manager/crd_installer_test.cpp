// SPDX-License-Identifier: Apache-2.0
#include "crd_installer.hpp"

#include <pintle/http/certificates.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "controller/test_support.hpp"
#include "webhook/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST(SemanticVersions, AreOrderedByTheStandard) {
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
  Result<void> ensure(CrdPolicy policy, const std::string& manager = "ours", const std::string& version = "1.0.0") {
    CrdInstaller installer(simulation.user(), Log(log, simulation.executor()), manager, version, policy, 10s);
    return installer.ensure([&] { return definition; }, Note::type, {});
  }
  void install(json::Value crd) {
    const auto made = simulation.user().create(crd);
    ASSERT_TRUE(made) << made.error().to_string();
  }
  Object installed() { return simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").at(0); }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  json::Value definition = crd_of<Note>();
  testkit::Simulation simulation{{.seed = 3}};
};

TEST_F(CrdInstallerTest, InstallsAMissingCrdAndWaitsUntilItIsServed) {
  const auto done = ensure(CrdPolicy::if_missing);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_TRUE(simulation.user().resource(Note::type));
}

TEST_F(CrdInstallerTest, UsesAForeignCrdThatServesOurVersion) {
  install(definition);
  EXPECT_TRUE(ensure(CrdPolicy::if_missing));
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "");
}

TEST_F(CrdInstallerTest, RefusesOneThatDoesNotServeOurVersion) {
  json::Value other = definition;
  ASSERT_TRUE(json::set(other, "/spec/versions/0/name", "v2"));
  install(other);
  const auto refused = ensure(CrdPolicy::if_missing);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("does not serve v1"), std::string::npos) << refused.error().message;
}

TEST_F(CrdInstallerTest, RefusesOneOfAnotherKindOrScope) {
  json::Value other = definition;
  ASSERT_TRUE(json::set(other, "/spec/scope", "Cluster"));
  install(other);
  EXPECT_NE(ensure(CrdPolicy::if_missing).error().message.find("has scope Cluster, not Namespaced"), std::string::npos);
}

TEST_F(CrdInstallerTest, NeverInstallsWithPolicyNever) {
  const auto refused = ensure(CrdPolicy::never);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_NE(refused.error().message.find("--print-crds"), std::string::npos);
  EXPECT_TRUE(simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").empty());
}

TEST_F(CrdInstallerTest, UpgradesItsOwnToANewerVersion) {
  ASSERT_TRUE(ensure(CrdPolicy::upgrade));
  ASSERT_TRUE(json::set(definition, "/spec/names/shortNames", json::array{"nt"}));
  const auto upgraded = ensure(CrdPolicy::upgrade, "ours", "1.1.0");
  ASSERT_TRUE(upgraded) << upgraded.error().to_string();
  EXPECT_EQ(installed()["/spec/names/shortNames/0"], "nt");
  EXPECT_EQ(installed().annotation("pintle.dev/manager-version"), "1.1.0");
}

TEST_F(CrdInstallerTest, KeepsOneThatIsNewerThanItself) {
  ASSERT_TRUE(ensure(CrdPolicy::upgrade, "ours", "2.0.0"));
  ASSERT_TRUE(json::set(definition, "/spec/names/shortNames", json::array{"nt"}));
  ASSERT_TRUE(ensure(CrdPolicy::upgrade, "ours", "1.9.0"));
  EXPECT_FALSE(installed()["/spec/names/shortNames"].exists());
  EXPECT_TRUE(log->has("a newer version of this operator installed it"));
}

TEST_F(CrdInstallerTest, DoesNotUpgradeTheCrdOfAnotherManager) {
  ASSERT_TRUE(ensure(CrdPolicy::if_missing, "theirs"));
  const auto refused = ensure(CrdPolicy::upgrade, "ours");
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
  ASSERT_TRUE(ensure(CrdPolicy::upgrade));
  std::swap(two, definition);
  const auto refused = ensure(CrdPolicy::upgrade, "ours", "1.1.0");
  EXPECT_NE(refused.error().message.find("version v0, which the CRD of this operator does not have"),
            std::string::npos);
}

// Counts all requests except GET.
class CountsWrites final : public http::Handler {
 public:
  explicit CountsWrites(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    writes += request.method == "GET" ? 0 : 1;
    return server_.handle(request);
  }
  int writes = 0;

 private:
  http::Handler& server_;
};

class SecondStartTest : public CrdInstallerTest {
 protected:
  ~SecondStartTest() override { transport->stop(); }
  Result<void> ensure_again(CrdPolicy policy, const std::string& version = "1.0.0") {
    Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    CrdInstaller installer(client, Log(log, simulation.executor()), "ours", version, policy, 10s);
    return installer.ensure([&] { return definition; }, Note::type, {});
  }

  CountsWrites counting{simulation.server()};
  std::shared_ptr<http::InProcessTransport> transport =
      std::make_shared<http::InProcessTransport>(simulation.executor(), counting);
};

TEST_F(SecondStartTest, WritesNothingWhenNothingChanged) {
  for (const CrdPolicy policy : {CrdPolicy::if_missing, CrdPolicy::upgrade, CrdPolicy::adopt}) {
    ASSERT_TRUE(ensure(policy));
    const Object before = installed();
    ASSERT_TRUE(ensure_again(policy));
    EXPECT_EQ(counting.writes, 0) << static_cast<int>(policy);
    EXPECT_EQ(installed().resource_version(), before.resource_version());
    EXPECT_FALSE(log->has("CRD upgraded"));
  }
}

TEST_F(SecondStartTest, WritesActualChanges) {
  ASSERT_TRUE(ensure(CrdPolicy::upgrade));
  ASSERT_TRUE(json::set(definition, "/spec/versions/0/deprecated", true));
  ASSERT_TRUE(ensure_again(CrdPolicy::upgrade));
  EXPECT_EQ(counting.writes, 1);
  EXPECT_EQ(installed()["/spec/versions/0/deprecated"], true);
  ASSERT_TRUE(ensure_again(CrdPolicy::upgrade, "1.1.0"));
  EXPECT_EQ(counting.writes, 2) << "the annotation with the version";
}

TEST_F(CrdInstallerTest, AdoptsAnUnmarkedCrdAndKeepsItsLabels) {
  json::Value applied = definition;
  ASSERT_TRUE(json::set(applied, "/metadata/labels", json::object{{"app.kubernetes.io/managed-by", "Helm"}}));
  ASSERT_TRUE(json::set(applied, "/spec/names/shortNames", json::array{"old"}));
  install(applied);
  const auto refused = ensure(CrdPolicy::upgrade);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(refused.error().message.find("--crds adopt"), std::string::npos) << refused.error().message;

  const auto adopted = ensure(CrdPolicy::adopt);
  ASSERT_TRUE(adopted) << adopted.error().to_string();
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "ours");
  EXPECT_EQ(installed().annotation("pintle.dev/manager-version"), "1.0.0");
  EXPECT_EQ(installed()["/metadata/labels"].member("app.kubernetes.io/managed-by"), "Helm");
  EXPECT_FALSE(installed()["/spec/names/shortNames"].exists());
  EXPECT_EQ(log->count("CRD adopted"), 1U);
  ASSERT_TRUE(ensure(CrdPolicy::adopt));
  EXPECT_EQ(log->count("CRD adopted"), 1U);
}

TEST_F(CrdInstallerTest, KeepsAForeignConversion) {
  const json::Value conversion{
      {"strategy", "Webhook"},
      {"webhook", {{"conversionReviewVersions", json::array{"v1"}}, {"clientConfig", {{"url", "https://a/convert"}}}}}};
  json::Value converted = definition;
  ASSERT_TRUE(json::set(converted, "/spec/conversion", conversion));
  install(converted);
  const auto adopted = ensure(CrdPolicy::adopt);
  ASSERT_TRUE(adopted) << adopted.error().to_string();
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "ours");
  EXPECT_EQ(json::parse(installed()["/spec/conversion"].print()).value(), conversion);
}

// cert-manager and others set the caBundle if the operator has a certificate without its authorities.
TEST_F(CrdInstallerTest, AnUpgradeKeepsTheAuthoritiesOfAConversion) {
  Client& client = simulation.user();
  const char* pointer = "/spec/conversion/webhook/clientConfig/caBundle";
  const auto upgrade = [&](const std::string& ca, const std::string& version) {
    CrdInstaller installer(client, Log(log, simulation.executor()), "ours", version, CrdPolicy::upgrade, 10s);
    const json::Value crd = Door::versions::crd({.url = "https://a/convert", .ca_bundle = ca});
    const auto done = installer.ensure([&] { return crd; }, Door::type, {});
    EXPECT_TRUE(done) << done.error().to_string();
    return std::string(client.get(crd_kind, {.name = std::string(door_crd)}).value()[pointer].text());
  };
  EXPECT_EQ(upgrade("", "1.0.0"), "");
  const WallTime now = simulation.executor().wall_now();
  const auto others = http::make_self_signed_key_pair("test", "a", now);
  const auto own = http::make_self_signed_key_pair("test", "a", now);
  ASSERT_TRUE(others && own);
  const std::string authority = Bytes(others->authority).to_base64();
  const auto patched =
      client.patch(crd_kind, {.name = std::string(door_crd)}, json::Patch{}.add(pointer, authority.c_str()));
  ASSERT_TRUE(patched) << patched.error().to_string();
  EXPECT_EQ(upgrade("", "1.1.0"), authority);
  EXPECT_EQ(upgrade(own->authority, "1.2.0"), Bytes(own->authority).to_base64());
}

TEST_F(CrdInstallerTest, AdoptionDropsNoVersionAndTakesNoCrdOfAnotherManager) {
  json::Value two = definition;
  json::Value old = two.at("spec").at("versions").at(0);
  old.as_object()["name"] = "v0";
  old.as_object()["storage"] = false;
  two.at("spec").at("versions").as_array().push_back(old);
  install(two);
  const auto refused = ensure(CrdPolicy::adopt);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("version v0, which the CRD of this operator does not have"),
            std::string::npos);
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "");
  ASSERT_TRUE(simulation.user().remove(crd_kind, {.name = std::string(installed().name())}));
  simulation.executor().sleep_for(1min);
  ASSERT_TRUE(ensure(CrdPolicy::if_missing, "theirs"));
  const auto of_theirs = ensure(CrdPolicy::adopt, "ours");
  ASSERT_FALSE(of_theirs);
  EXPECT_EQ(of_theirs.error().code, ErrorCode::conflict);
}

TEST_F(CrdInstallerTest, ConflictsAreRetriedWithAPause) {
  ASSERT_TRUE(ensure(CrdPolicy::upgrade));
  const auto transport =
      simulation.connect({{.effect = http::conflict_response(),
                           .only = [](const http::Request& request) { return request.method == "PUT"; }}});
  Client client({.transport = transport});
  CrdInstaller installer(client, Log(log, simulation.executor()), "ours", "2.0.0", CrdPolicy::upgrade, 2min);
  const auto refused = installer.ensure([&] { return definition; }, Note::type, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().http_status, 409);
  EXPECT_LE(transport->calls(), 60U);
  transport->stop();
}

struct Foreign {
  static constexpr Type type{"test.pintle.dev/v1", "Foreign"};
  static constexpr bool foreign = true;
  struct Spec {
    std::string text{};
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text)); }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST_F(CrdInstallerTest, AForeignCrdIsAwaitedAndNeverInstalled) {
  definition = crd_of<Foreign>();
  for (const CrdPolicy policy : {CrdPolicy::never, CrdPolicy::if_missing, CrdPolicy::upgrade, CrdPolicy::adopt}) {
    CrdInstaller installer(simulation.user(), Log(log, simulation.executor()), "ours", "1.0.0", policy, 10s);
    const auto missing = installer.ensure([&] { return definition; }, Foreign::type, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::unsupported);
    EXPECT_NE(missing.error().message.find("foreigns.test.pintle.dev is not installed"), std::string::npos)
        << missing.error().message;
    EXPECT_TRUE(simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").empty());
  }
  EXPECT_TRUE(log->has("waiting until its owner installs it crd=foreigns.test.pintle.dev"));

  json::Value theirs = definition;
  theirs.at("metadata").as_object().erase("annotations");
  ASSERT_TRUE(json::set(theirs, "/spec/names/shortNames", json::array{"fo"}));
  Thread owner = simulation.executor().spawn({.name = "owner"}, [&] {
    simulation.executor().sleep_for(5s);
    EXPECT_TRUE(simulation.user().create(theirs));
  });
  CrdInstaller installer(simulation.user(), Log(log, simulation.executor()), "ours", "1.0.0", CrdPolicy::adopt, 1min);
  EXPECT_TRUE(installer.ensure([&] { return definition; }, Foreign::type, {}));
  owner.join();
  EXPECT_EQ(installed()["/spec/names/shortNames/0"], "fo");
  EXPECT_EQ(installed().annotation("pintle.dev/manager"), "");
}

TEST(ForeignTypes, AreNeitherPrintedNorInARole) {
  Manager manager({.name = "ours"});
  manager.add(Controller<Foreign>{.reconcile = [](const Foreign&, Context&) -> Outcome { return done; }});
  manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  EXPECT_EQ(manager.print_crds().value().find("foreigns"), std::string::npos);
  EXPECT_NE(manager.print_crds().value().find("notes.test.pintle.dev"), std::string::npos);
  for (const RbacRole& role : manager.roles()) {
    for (const RbacRule& rule : role.rules) {
      if (rule.group != "apiextensions.k8s.io") continue;
      EXPECT_EQ(std::count(rule.names.begin(), rule.names.end(), "foreigns.test.pintle.dev"), 0);
    }
  }
}

// Refuses to create CRDs, and forwards all other requests.
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

TEST_F(CrdInstallerTest, WithoutThePermissionItLogsAndWaits) {
  MayNotInstall refusing(simulation.server());
  const auto transport = std::make_shared<http::InProcessTransport>(simulation.executor(), refusing);
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  bool served = false;
  Thread start = simulation.executor().spawn({.name = "start"}, [&] {
    CrdInstaller installer(client, Log(log, simulation.executor()), "ours", "1.0.0", CrdPolicy::if_missing, 10s);
    served = installer.ensure([&] { return definition; }, Note::type, {}).has_value();
  });
  simulation.executor().sleep_for(1h);
  EXPECT_FALSE(served);
  EXPECT_TRUE(log->has("no permission to install the CRD"));
  install(definition);
  start.join();
  EXPECT_TRUE(served);
  transport->stop();
}

}  // namespace
}  // namespace pintle
