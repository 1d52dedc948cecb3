// SPDX-License-Identifier: Apache-2.0
#include "oidc.hpp"

#include <memory>
#include <string>
#include <vector>

#include <pintle/client/interceptors.hpp>
#include <pintle/client/write_recorder.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

#include "client/client_test_support.hpp"

namespace pintle {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class OidcTest : public ::testing::Test {
 protected:
  ~OidcTest() override { transport_->stop(); }

  [[nodiscard]] std::string token_until(WallTime expires, const std::string& name) const {
    const auto since = std::chrono::duration_cast<seconds>(expires.time_since_epoch()).count();
    std::string claims = Bytes(json::print(json::object{{"exp", since}, {"sub", name}})).to_base64();
    while (claims.ends_with('=')) claims.pop_back();
    return "e30." + claims + ".c2ln";
  }
  [[nodiscard]] std::string token_for(Duration lifetime, const std::string& name) const {
    return token_until(executor_.wall_now() + lifetime, name);
  }
  // Responds to the next two requests: discovery and refresh.
  void serve(int status, const std::string& body) {
    server_.then(
        [] { return json_response(200, R"({"token_endpoint":"https://login.example:8443/token?tenant=a"})"); });
    server_.then([status, body] { return json_response(status, body); });
  }
  [[nodiscard]] OidcSession session(OidcProvider provider) {
    provider.issuer_url = "https://idp.example/realm/";
    provider.client_id = "pintle";
    return OidcSession(std::move(provider), executor_, transport_, Log(sink_, executor_), "context dev of F");
  }

  SimulatedExecutor executor_;
  ScriptedServer server_{executor_};
  std::shared_ptr<LineSink> sink_ = std::make_shared<LineSink>(executor_);
  std::shared_ptr<http::InProcessTransport> transport_ = std::make_shared<http::InProcessTransport>(executor_, server_);
};

TEST_F(OidcTest, UsesTheTokenOfTheConfigurationWhileItIsValid) {
  const std::string token = token_for(hours(1), "first");
  OidcSession made = session({.id_token = token});

  const auto obtained = made.obtain({});

  ASSERT_TRUE(obtained) << obtained.error().message;
  EXPECT_EQ(obtained->token, token);
  EXPECT_EQ(obtained->expires, executor_.wall_now() + hours(1) - seconds(10));
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(OidcTest, RefreshesAnExpiredToken) {
  const std::string token = token_for(hours(1), "second");
  serve(200, json::print(json::object{{"id_token", token}, {"access_token", "x"}}));
  OidcSession made =
      session({.client_secret = "s&p", .id_token = token_for(seconds(5), "old"), .refresh_token = "r/1"});

  const auto obtained = made.obtain({});

  ASSERT_TRUE(obtained) << obtained.error().message;
  EXPECT_EQ(obtained->token, token);
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(line_of(requests[0]), "GET /realm/.well-known/openid-configuration");
  EXPECT_EQ(requests[0].request.endpoint->url(), "https://idp.example:443");
  EXPECT_EQ(line_of(requests[1]), "POST /token?tenant=a");
  EXPECT_EQ(requests[1].request.endpoint->url(), "https://login.example:8443");
  EXPECT_EQ(requests[1].request.body, "grant_type=refresh_token&refresh_token=r%2F1");
  EXPECT_EQ(requests[1].request.headers.get("Authorization"), "Basic " + Bytes("pintle:s%26p").to_base64());
}

// A session is used again after the server rejected its token, so it returns the token of the configuration only once.
TEST_F(OidcTest, RefreshesATokenThatWasRejected) {
  OidcSession made = session({.id_token = token_for(hours(1), "first"), .refresh_token = "r"});
  ASSERT_TRUE(made.obtain({}));
  const std::string token = token_for(hours(1), "second");
  serve(200, json::print(json::object{{"id_token", token}}));

  EXPECT_EQ(made.obtain({})->token, token);
  EXPECT_EQ(server_.requests().at(1).request.body, "grant_type=refresh_token&refresh_token=r&client_id=pintle");
}

TEST_F(OidcTest, KeepsANewRefreshTokenInMemoryAndSaysSo) {
  serve(200, json::print(json::object{{"id_token", token_for(hours(1), "a")}, {"refresh_token", "next"}}));
  serve(200, json::print(json::object{{"id_token", token_for(hours(1), "b")}, {"refresh_token", "third"}}));
  OidcSession made = session({.refresh_token = "first"});

  ASSERT_TRUE(made.obtain({}));
  ASSERT_TRUE(made.obtain({}));

  EXPECT_THAT(server_.requests().at(3).request.body, HasSubstr("refresh_token=next&"));
  EXPECT_THAT(sink_->lines(), ElementsAre(HasSubstr("is kept in memory only")));
}

TEST_F(OidcTest, SendsTheSecretInTheBodyIfTheHeaderIsRefused) {
  serve(401, R"({"error":"invalid_client"})");
  const std::string token = token_for(hours(1), "a");
  server_.then([token] { return json_response(200, json::print(json::object{{"id_token", token}})); });
  OidcSession made = session({.client_secret = "s", .refresh_token = "r"});

  ASSERT_TRUE(made.obtain({}));

  EXPECT_EQ(server_.requests().at(2).request.body,
            "grant_type=refresh_token&refresh_token=r&client_id=pintle&client_secret=s");
  EXPECT_FALSE(server_.requests().at(2).request.headers.get("Authorization"));
}

TEST_F(OidcTest, NamesAFailure) {
  const auto failure = [&](OidcProvider provider) {
    const auto obtained = session(std::move(provider)).obtain({});
    return obtained ? "it did not fail" : obtained.error().message;
  };

  EXPECT_EQ(failure({}),
            "the OpenID Connect provider of context dev of F gave no token: the id-token is missing or has expired, "
            "and there is no refresh-token; log in again");
  serve(400, R"({"error":"invalid_grant","error_description":"hidden"})");
  EXPECT_EQ(failure({.refresh_token = "r"}),
            "the OpenID Connect provider of context dev of F gave no token: https://login.example:8443/token?tenant=a "
            "responds with status 400, error \"invalid_grant\"; log in again, or correct the client-id and secret");
  serve(200, R"({"access_token":"hidden"})");
  EXPECT_THAT(failure({.refresh_token = "r"}), HasSubstr("has no usable id_token"));
  serve(200, R"({"id_token":"hidden"})");
  EXPECT_THAT(failure({.refresh_token = "r"}), HasSubstr("its id_token is not a JSON web token"));
  server_.then([] { return json_response(200, R"({"token_endpoint":"http://plain.example/token"})"); });
  EXPECT_THAT(failure({.refresh_token = "r"}), HasSubstr("must begin with https://"));
  server_.then([] { return json_response(200, "{}"); });
  EXPECT_THAT(failure({.refresh_token = "r"}), HasSubstr("contains no token_endpoint"));
}

TEST_F(OidcTest, ItsRequestsAreNeitherInterceptedNorRecorded) {
  const std::string token = token_for(hours(1), "a");
  serve(200, json::print(json::object{{"id_token", token}}));
  server_.then([] { return config_map_response(); });
  const OidcProvider provider{.issuer_url = "https://idp.example",
                              .client_id = "c",
                              .id_token = token_for(seconds(5), "old"),
                              .refresh_token = "r"};
  std::vector<std::string> seen;
  const auto transport = intercept(std::make_shared<WriteRecorder>(transport_), [&](http::Request& request) {
    seen.push_back(request.method + " " + request.target);
    return Result<void>();
  });
  Client client({.transport = transport, .cluster = {.oidc = std::make_shared<const OidcProvider>(provider)}});

  const auto read = client.get(config_map, key_a);

  ASSERT_TRUE(read) << read.error().to_string();
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(line_of(requests[1]), "POST /token?tenant=a");
  EXPECT_EQ(requests[1].request.body, "grant_type=refresh_token&refresh_token=r&client_id=c");
  EXPECT_EQ(requests[2].request.headers.get("Authorization"), "Bearer " + token);
  EXPECT_THAT(seen, Each(StartsWith("GET /api")));
}

// From the provider to the request, through a client.
TEST_F(OidcTest, IdentifiesAClient) {
  const std::string token = token_for(hours(1), "a");
  serve(200, json::print(json::object{{"id_token", token}}));
  server_.then([] { return config_map_response(); });
  const OidcProvider provider{.issuer_url = "https://idp.example", .client_id = "c", .refresh_token = "r"};
  Client client({.transport = transport_, .cluster = {.oidc = std::make_shared<const OidcProvider>(provider)}});

  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_EQ(server_.requests().at(2).request.headers.get("Authorization"), "Bearer " + token);
}

}  // namespace
}  // namespace pintle
