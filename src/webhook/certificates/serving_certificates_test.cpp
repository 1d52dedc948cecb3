// SPDX-License-Identifier: Apache-2.0
#include "serving_certificates.hpp"

#include <gmock/gmock.h>

#include "controller/test_support.hpp"
#include "test_support.hpp"
#include "webhook/test_support.hpp"

namespace pintle {
namespace {

using namespace certificates_test;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ServingCertificatesTest : public ::testing::Test {
 protected:
  std::unique_ptr<Instance> instance() {
    return std::make_unique<Instance>(simulation.executor(), server, targets, Log(log, simulation.executor()));
  }
  std::unique_ptr<Instance> started() {
    auto one = instance();
    const auto done = one->start();
    EXPECT_TRUE(done) << done.error().to_string();
    return one;
  }
  Object installed() { return simulation.user().get(validating, {.name = "op"}).value(); }
  Authorities bundle(int webhook = 0) {
    const std::string text(installed()["/webhooks/" + std::to_string(webhook) + "/clientConfig/caBundle"].text());
    return authorities_in(Bytes::from_base64(text).value().data);
  }
  void set_bundle(const std::string& ca) {
    ASSERT_TRUE(simulation.user().patch(
        validating, {.name = "op"},
        json::Patch{}.add("/webhooks/0/clientConfig/caBundle", json::Value(Bytes(ca).to_base64()))));
  }
  std::string failure(const Instance& one) {
    const auto verified = http::verify_server_certificate({"served", one.served.certificate}, {"ca", to_pem(bundle())},
                                                          host, simulation.executor().wall_now());
    return verified ? "" : verified.error().message;
  }
  std::vector<Object> secrets() { return simulation.server().objects("secrets"); }
  CertificateState state() { return read_certificate_state(secrets().at(0)).value(); }
  void remove_secret() {
    const auto removed = simulation.user().remove(Type{"v1", "Secret"}, secret_key);
    ASSERT_TRUE(removed) << removed.error().to_string();
  }
  void let_pass(Duration time) { simulation.executor().sleep_for(time); }

  testkit::Simulation simulation{{.seed = 5}};
  DatedServer server{simulation};
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::vector<BundleTarget> targets{{.kind = validating, .name = "op"}};
};

TEST_F(ServingCertificatesTest, TheFirstInstanceMakesCertificatesForAll) {
  const auto one = instance();
  const auto two = instance();
  Thread first = simulation.executor().spawn({.name = "one"}, [&] { EXPECT_TRUE(one->start()); });
  Thread second = simulation.executor().spawn({.name = "two"}, [&] { EXPECT_TRUE(two->start()); });
  first.join();
  second.join();

  EXPECT_EQ(one->served, two->served);
  ASSERT_THAT(secrets(), SizeIs(1));
  EXPECT_EQ(secrets()[0].annotation("pintle.dev/manager"), "op");
  EXPECT_EQ(secrets()[0]["/type"], "kubernetes.io/tls");
  EXPECT_EQ(one->certificates.bundle(), state().authority.certificate);
  EXPECT_TRUE(one->certificates.check());
}

TEST_F(ServingCertificatesTest, KeepsTheBundleOfItsOwnWebhooksRight) {
  ASSERT_TRUE(simulation.user().create(configuration("no certificate")));
  const auto one = started();
  EXPECT_THAT(bundle(0), ElementsAre(state().authority.certificate));
  EXPECT_THAT(bundle(1), IsEmpty()) << "the webhook of another service";

  const auto foreign = make_certificates(profile(), {}, simulation.executor().wall_now()).value();
  for (const std::string& ca : {foreign.authority.certificate, std::string("x"), std::string()}) {
    set_bundle(ca);
    let_pass(11s);
    EXPECT_THAT(bundle(), ElementsAre(state().authority.certificate)) << ca;
  }
  const std::string version(installed().resource_version());
  let_pass(10min);
  EXPECT_EQ(installed().resource_version(), version);
}

TEST_F(ServingCertificatesTest, KeepsTheBundleOfAConversionRight) {
  Client& user = simulation.user();
  const GroupVersionKind crd_kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const ObjectKey key{.name = std::string(door_crd)};
  const char* pointer = "/spec/conversion/webhook/clientConfig/caBundle";
  ASSERT_TRUE(user.create(Door::versions::crd({.service = "op", .namespace_ = "shop", .path = "/convert"})));
  targets = {{.kind = crd_kind, .name = key.name}};
  const auto one = started();
  const std::string right = Bytes(state().authority.certificate).to_base64();
  EXPECT_EQ(user.get(crd_kind, key).value()[pointer], right);

  // Another client removes the authority, then the text.
  for (const std::string& text : {std::string("eA=="), std::string()}) {
    ASSERT_TRUE(user.patch(crd_kind, key, json::Patch{}.add(pointer, json::Value(text))));
    ASSERT_EQ(user.get(crd_kind, key).value()[pointer].text(), text);
    let_pass(11s);
    EXPECT_EQ(user.get(crd_kind, key).value()[pointer], right);
  }
  const std::string version(user.get(crd_kind, key).value().resource_version());
  let_pass(10min);
  EXPECT_EQ(user.get(crd_kind, key).value().resource_version(), version);
}

TEST_F(ServingCertificatesTest, RenewsEverythingInTime) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto one = started();
  const auto two = started();
  std::vector<std::string> authorities;
  for (int i = 0; i < 3 * 12; ++i) {
    let_pass(5min);
    ASSERT_EQ(failure(*one), "") << i;
    ASSERT_EQ(failure(*two), "") << i;
    ASSERT_LE(bundle().size(), 2U);
    const std::string current = state().authority.certificate;
    if (authorities.empty() || authorities.back() != current) authorities.push_back(current);
  }
  EXPECT_THAT(authorities, SizeIs(2)) << "one every two hours, in 3 hours";
  EXPECT_GE(one->renewals, 3);
  EXPECT_EQ(one->served, two->served);
}

TEST_F(ServingCertificatesTest, AClockThatIsWrongHasNoEffect) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto one = instance();
  one->clock.offset = 24h * 365;
  ASSERT_TRUE(one->start());
  const std::string first = state().authority.certificate;
  for (const Duration offset : {Duration(-1000h), Duration(1000h), Duration(5h)}) {
    one->clock.offset = offset;
    let_pass(1min);
    EXPECT_EQ(failure(*one), "");
    EXPECT_EQ(state().authority.certificate, first);
  }
}

// With the clock of the machine, API servers would refuse the certificate.
TEST_F(ServingCertificatesTest, TheFirstCertificatesNeedTheTimeOfTheApiServer) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  server.refuses = [](const http::Request& request) { return request.target == "/version"; };
  const auto one = instance();
  one->clock.offset = -1000h;

  const auto refused = one->start(20s);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("read the time of the API server"));
  EXPECT_THAT(secrets(), IsEmpty());

  server.refuses = nullptr;
  ASSERT_TRUE(one->start());
  EXPECT_EQ(failure(*one), "");
}

TEST_F(ServingCertificatesTest, ReplacesACertificateBeforeItExpiresAlsoByOneThatIsNotDistributed) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  Instance one(simulation.executor(), server, targets, {}, 10h);
  ASSERT_TRUE(one.start());
  const std::string authority = state().authority.certificate;
  let_pass(2h + 58min);
  ASSERT_NE(state().authority.certificate, authority);
  for (Duration passed{}; passed < 3min; passed += 1s) {
    let_pass(1s);
    ASSERT_EQ(failure(one), "") << passed / 1s;
  }
  EXPECT_EQ(one.served, state().serving);
}

TEST_F(ServingCertificatesTest, RemovesNothingWhileTheSecretCannotBeRead) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto one = started();
  const std::string own = state().authority.certificate;
  server.refuses = [](const http::Request& request) { return request.target.find("secrets") != std::string::npos; };
  const auto other = make_certificates(profile(), {}, simulation.executor().wall_now()).value();

  set_bundle(other.authority.certificate);
  let_pass(2min);
  EXPECT_THAT(bundle(), ElementsAre(own, other.authority.certificate));
  EXPECT_EQ(failure(*one), "");

  server.refuses = nullptr;
  let_pass(2min);
  EXPECT_THAT(bundle(), ElementsAre(own));
}

TEST_F(ServingCertificatesTest, ALostSecretIsRestoredWithoutARenewal) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto one = started();
  const auto two = started();
  const CertificateState before = state();
  const std::string version(installed().resource_version());

  remove_secret();
  let_pass(15s);

  ASSERT_THAT(secrets(), SizeIs(1));
  EXPECT_EQ(state(), before);
  EXPECT_EQ(installed().resource_version(), version);
  EXPECT_EQ(one->renewals + two->renewals, 0);
  EXPECT_LE(log->count("restoring the lost Secret"), 2U);
}

TEST_F(ServingCertificatesTest, AMalformedSecretIsRepaired) {
  const auto one = started();
  const CertificateState before = state();
  ASSERT_TRUE(simulation.user().patch(Type{"v1", "Secret"}, secret_key,
                                      json::Value{{"data", {{"tls.crt", Bytes("text").to_base64()}}}}));
  let_pass(15s);
  EXPECT_EQ(state(), before);
  EXPECT_TRUE(log->has("malformed; repairing it"));
}

// The certificates of the previous authority may still be in use by an instance that cannot reach the API server.
TEST_F(ServingCertificatesTest, ANewInstanceContinuesToTrustThePreviousAuthorityOfALostSecret) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  started().reset();
  const std::string previous = state().authority.certificate;
  remove_secret();
  const Instant begin = simulation.executor().now();

  const auto one = started();

  EXPECT_GE(simulation.executor().now() - begin, 30s) << "another instance could restore it";
  EXPECT_NE(state().authority.certificate, previous);
  EXPECT_THAT(bundle(), ElementsAre(state().authority.certificate, previous));
  EXPECT_EQ(failure(*one), "");
}

TEST_F(ServingCertificatesTest, TheSecretOfAnotherProgramIsNotChanged) {
  ASSERT_TRUE(simulation.user().create(json::Value{{"apiVersion", "v1"},
                                                   {"kind", "Secret"},
                                                   {"metadata", {{"name", "op-webhooks"}, {"namespace", "default"}}},
                                                   {"data", {{"password", "c2VjcmV0"}}}}));
  const auto refused = instance()->start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_owned);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("Secret default/op-webhooks was not made by a manager"));
  EXPECT_THAT(refused.error().to_string(), HasSubstr("--webhook-foreign-secret"));
}

TEST_F(ServingCertificatesTest, AnEmptySecretIsFilled) {
  ASSERT_TRUE(simulation.user().create(json::Value{
      {"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", "op-webhooks"}, {"namespace", "default"}}}}));
  const auto one = started();
  EXPECT_EQ(state().serving, one->served);
}

TEST_F(ServingCertificatesTest, PermanentFailuresCauseFewRequests) {
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto one = started();
  const std::pair<const char*, std::function<bool(const http::Request&)>> failures[] = {
      {"all requests", [](const http::Request&) { return true; }},
      {"writes", [](const http::Request& request) { return request.method != "GET"; }},
  };
  for (const auto& [what, refuses] : failures) {
    server.refuses = refuses;
    remove_secret();
    const int before = server.requests;
    let_pass(1h);
    EXPECT_LE(server.requests - before, 400) << what;
    EXPECT_GE(server.requests - before, 60) << what;
    server.refuses = nullptr;
    let_pass(2min);
    EXPECT_THAT(secrets(), SizeIs(1)) << what;
  }
}

TEST_F(ServingCertificatesTest, ReportsAnExpiredCertificate) {
  const auto one = started();
  server.refuses = [](const http::Request&) { return true; };
  let_pass(59min);
  EXPECT_TRUE(one->certificates.check());
  let_pass(3min);
  const auto checked = one->certificates.check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("the certificate of the webhooks expired at "));
  EXPECT_EQ(log->count("cannot check the certificates"), 1U);

  server.refuses = nullptr;
  let_pass(2min);
  EXPECT_TRUE(one->certificates.check());
}

// A Secret of cert-manager: its authority changes together with the certificate.
TEST_F(ServingCertificatesTest, TheSecretOfAnotherProgramIsReadAgain) {
  const auto given = [&](const CertificateState& of) {
    return json::Value{{"apiVersion", "v1"},
                       {"kind", "Secret"},
                       {"metadata", {{"name", "theirs"}, {"namespace", "default"}}},
                       {"data",
                        {{"tls.crt", Bytes(of.serving.certificate).to_base64()},
                         {"tls.key", Bytes(of.serving.key).to_base64()},
                         {"ca.crt", Bytes(of.authority.certificate).to_base64()}}}};
  };
  const WallTime now = simulation.executor().wall_now();
  const CertificateState first = make_certificates({.names = {host}}, {}, now).value();
  const CertificateState second = make_certificates({.names = {host}}, {}, now).value();
  ASSERT_TRUE(simulation.user().create(configuration()));
  const auto transport = std::make_shared<http::InProcessTransport>(simulation.executor(), server);
  {
    Client client({.transport = transport});
    ServingCertificates certificates(client, given_secret_source(client, {"default", "theirs"}),
                                     {.address = address, .targets = targets});
    const auto missing = certificates.wait_until_ready(10s, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);

    ASSERT_TRUE(simulation.user().create(given(first)));
    http::KeyPair served = certificates.wait_until_ready(10s, {}).value();
    certificates.start([&](const http::KeyPair& next) -> Result<void> { return served = next, Result<void>(); });
    EXPECT_EQ(served, first.serving);
    EXPECT_THAT(bundle(), ElementsAre(first.authority.certificate));

    ASSERT_TRUE(simulation.user().replace(given(second)));
    let_pass(15s);
    EXPECT_EQ(served, first.serving) << "API servers may not know the new authority yet";
    EXPECT_THAT(bundle(), ElementsAre(second.authority.certificate, first.authority.certificate));
    let_pass(40s);
    EXPECT_EQ(served, second.serving);
    let_pass(62min);
    EXPECT_THAT(bundle(), ElementsAre(second.authority.certificate));
  }
  transport->stop();
}

TEST(ServerClockTest, ParsesTheDateOfAResponse) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), parse_time("1994-11-06T08:49:37Z").value());
  EXPECT_EQ(http_date(parse_time("1994-11-06T08:49:37Z").value()), "Sun, 06 Nov 1994 08:49:37 GMT");
  for (const char* wrong :
       {"", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Xxx 1994 08:49:37 GMT", "Sun, 06 Nov 9999 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace pintle
