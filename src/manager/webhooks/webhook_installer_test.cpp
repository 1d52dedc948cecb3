// SPDX-License-Identifier: Apache-2.0
#include "webhook_installer.hpp"

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "controller/test_support.hpp"
#include "webhook/webhook_configurations.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WebhookInstallerTest : public ::testing::Test {
 protected:
  static json::Value wanted(const std::string& ca, Duration timeout = 10s) {
    const auto admit = [](const Note&, const AdmissionContext&) { return admitted(); };
    return webhook_configurations({erase_type(Admission<Note>{.validate = admit, .timeout = timeout})}, "ours",
                                  {.service = "op", .namespace_ = "op", .ca = ca})
        .at(0);
  }
  Result<void> ensure(const json::Value& configuration, WebhookPolicy policy, const std::string& manager = "ours",
                      const std::string& version = "1.0.0") {
    WebhookInstaller installer(simulation.user(), Log(log, simulation.executor()), manager, version, policy, 10s);
    return installer.ensure([&] { return configuration; }, {});
  }
  Result<void> remove_undeclared(WebhookPolicy policy, const std::string& version = "1.0.0") {
    WebhookInstaller installer(simulation.user(), Log(log, simulation.executor()), "ours", version, policy, 10s);
    return installer.remove_undeclared({"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"}, {});
  }
  std::vector<Object> all() {
    return simulation.server().objects("validatingwebhookconfigurations.admissionregistration.k8s.io");
  }
  std::string ca() { return std::string(all().at(0)["/webhooks/0/clientConfig/caBundle"].text()); }
  std::int64_t timeout() { return all().at(0)["/webhooks/0/timeoutSeconds"].as_integer().value_or(0); }

  const std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation{{.seed = 3}};
};

TEST_F(WebhookInstallerTest, InstallsOnceAndThenWritesNothing) {
  const auto done = ensure(wanted("A"), WebhookPolicy::upgrade);
  ASSERT_TRUE(done) << done.error().to_string();
  const std::string version(all().at(0).resource_version());

  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade));
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  EXPECT_EQ(all().at(0).resource_version(), version);
}

TEST_F(WebhookInstallerTest, NeverInstallsWithPolicyNever) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::never));
  EXPECT_THAT(all(), IsEmpty());
}

TEST_F(WebhookInstallerTest, IfMissingRenewsOnlyTheAuthority) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  const std::string first = ca();
  ASSERT_TRUE(ensure(wanted("B", 3s), WebhookPolicy::if_missing));
  EXPECT_NE(ca(), first);
  EXPECT_EQ(timeout(), 10);
}

TEST_F(WebhookInstallerTest, UpgradesItsOwnUnlessALaterVersionInstalledIt) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade, "ours", "2.0.0"));
  ASSERT_TRUE(ensure(wanted("A", 3s), WebhookPolicy::upgrade, "ours", "1.9.0"));
  EXPECT_EQ(timeout(), 10);
  ASSERT_TRUE(ensure(wanted("A", 3s), WebhookPolicy::upgrade, "ours", "2.0.1"));
  EXPECT_EQ(timeout(), 3);
}

TEST_F(WebhookInstallerTest, KeepsAnAuthorityThatAnotherProgramSet) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade));
  const std::string first = ca();
  ASSERT_TRUE(ensure(wanted("", 3s), WebhookPolicy::upgrade));
  EXPECT_EQ(timeout(), 3);
  EXPECT_EQ(ca(), first);
}

TEST_F(WebhookInstallerTest, DeletesWhatIsNoLongerDeclaredUnlessALaterVersionInstalledIt) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade, "ours", "2.0.0"));
  ASSERT_TRUE(remove_undeclared(WebhookPolicy::upgrade, "1.9.0"));
  EXPECT_EQ(all().size(), 1U);
  EXPECT_TRUE(log->has("calls of them fail configuration=ValidatingWebhookConfiguration ours"));
  ASSERT_TRUE(remove_undeclared(WebhookPolicy::upgrade, "2.0.1"));
  EXPECT_THAT(all(), IsEmpty());
  ASSERT_TRUE(remove_undeclared(WebhookPolicy::upgrade, "2.0.1")) << "nothing is left";
}

TEST_F(WebhookInstallerTest, NeverDeletesThatOfAnotherManager) {
  ASSERT_TRUE(simulation.user().create(wanted("A"))) << "without the annotation of a manager";
  ASSERT_TRUE(remove_undeclared(WebhookPolicy::upgrade));
  EXPECT_EQ(all().size(), 1U);
  EXPECT_EQ(log->lines().size(), 0U);
}

TEST_F(WebhookInstallerTest, IfMissingWarnsOfWhatIsNoLongerDeclared) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  ASSERT_TRUE(remove_undeclared(WebhookPolicy::if_missing));
  EXPECT_EQ(all().size(), 1U);
  EXPECT_TRUE(log->has("calls of them fail configuration=ValidatingWebhookConfiguration ours webhooks=validate.note"));
  EXPECT_TRUE(log->has("start with --webhook-install upgrade"));
}

TEST_F(WebhookInstallerTest, IfMissingWarnsOfAWebhookThatIsNoLongerDeclared) {
  json::Value before = wanted("A");
  json::Value more = before.at("webhooks").at(0);
  more.as_object()["name"] = "old.note.example.com";
  before.at("webhooks").as_array().push_back(more);
  ASSERT_TRUE(ensure(before, WebhookPolicy::if_missing));
  EXPECT_FALSE(log->has("old.note.example.com"));
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  EXPECT_TRUE(log->has("webhooks=old.note.example.com"));
}

TEST_F(WebhookInstallerTest, IfMissingWarnsOfAWebhookThatIsNotInstalledAsDeclared) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  ASSERT_TRUE(ensure(wanted("B"), WebhookPolicy::if_missing));
  EXPECT_FALSE(log->has("differs from this operator")) << "only the authority differs";

  json::Value more = wanted("A", 3s);
  json::Value added = more.at("webhooks").at(0);
  added.as_object()["name"] = "new.note.example.com";
  more.at("webhooks").as_array().push_back(added);
  ASSERT_TRUE(ensure(more, WebhookPolicy::if_missing));
  EXPECT_TRUE(log->has("(timeoutSeconds), new.note.example.com (missing)"));
  EXPECT_TRUE(log->has("start with --webhook-install upgrade, or apply the output of --print-webhooks"));
}

TEST_F(WebhookInstallerTest, IfMissingWarnsOfAConditionThatIsNotDeclared) {
  json::Value before = wanted("A");
  ASSERT_TRUE(json::set(before, "/webhooks/0/matchConditions",
                        json::array{json::object{{"name", "no"}, {"expression", "false"}}}));
  ASSERT_TRUE(ensure(before, WebhookPolicy::if_missing));
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  EXPECT_TRUE(log->has("(matchConditions)"));
}

TEST_F(WebhookInstallerTest, AnEarlierVersionWarnsThatItsWebhooksDiffer) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade, "ours", "2.0.0"));
  ASSERT_TRUE(ensure(wanted("A", 3s), WebhookPolicy::upgrade, "ours", "1.9.0"));
  EXPECT_TRUE(log->has("(timeoutSeconds)"));
  EXPECT_TRUE(log->has("none, if a later version of the operator runs"));
}

// For example, an operator that ran in the cluster is started by a developer with --webhook-url.
TEST_F(WebhookInstallerTest, IfMissingWarnsOfAnotherAddress) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::if_missing));
  ASSERT_TRUE(ensure(wanted("B", 3s), WebhookPolicy::if_missing));
  EXPECT_FALSE(log->has("another address")) << "only the authority and the time limit differ";

  const std::string first = ca();
  json::Value moved = wanted("C");
  const json::Value own_ca = *json::find(moved, "/webhooks/0/clientConfig/caBundle");
  ASSERT_TRUE(
      json::set(moved, "/webhooks/0/clientConfig", {{"url", "https://127.0.0.1:9443/validate"}, {"caBundle", own_ca}}));
  ASSERT_TRUE(ensure(moved, WebhookPolicy::if_missing));
  EXPECT_EQ(ca(), first) << "the installed webhook is served with a certificate of its own authority";
  EXPECT_TRUE(log->has("at another address configuration=ValidatingWebhookConfiguration ours webhooks=validate.note"));
  ASSERT_TRUE(ensure(moved, WebhookPolicy::upgrade));
  EXPECT_EQ(all().at(0)["/webhooks/0/clientConfig/url"].text(), "https://127.0.0.1:9443/validate");
}

// The authorities may change between two attempts.
TEST_F(WebhookInstallerTest, EachAttemptWritesTheCurrentConfiguration) {
  Client client({.transport = simulation.connect({{.effect = http::ErrorResponse{.status = 503}, .times = 1}})});
  WebhookInstaller installer(client, Log(log, simulation.executor()), "ours", "1.0.0", WebhookPolicy::upgrade, 10s);
  int calls = 0;

  const auto done = installer.ensure([&] { return wanted("authority " + std::to_string(++calls)); }, {});

  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(calls, 3) << "for the name, for the attempt that failed, and for the next one";
  EXPECT_EQ(ca(), Bytes("authority 3").to_base64());
}

TEST_F(WebhookInstallerTest, NeverChangesThatOfAnotherManager) {
  ASSERT_TRUE(ensure(wanted("A"), WebhookPolicy::upgrade, "theirs"));
  const auto refused = ensure(wanted("B"), WebhookPolicy::upgrade);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_owned);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("belongs to manager theirs"));
}

}  // namespace
}  // namespace pintle
