// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/in_process_network.hpp>

#include <chrono>
#include <set>

#include <gtest/gtest.h>

#include <pintle/http/certificates.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "http/test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class InProcessNetworkTest : public testing::Test {
 protected:
  CertificateOptions options(std::vector<std::string> names = {}) {
    return {.common_name = "test",
            .names = std::move(names),
            .not_before = executor_.wall_now() - 1h,
            .not_after = executor_.wall_now() + 1h};
  }
  KeyPair certificate_for(const std::string& name) {
    return make_server_certificate(authority_, options({name})).value();
  }

  Result<BufferedResponse> ask(const std::string& host, std::uint16_t port, const std::string& server_name = "") {
    const auto endpoint = std::make_shared<const Endpoint>(
        Endpoint{.tls = true, .host = host, .port = port, .ca = authority_.certificate, .server_name = server_name});
    return send(*network_.transport(), {.method = "POST", .target = "/x", .endpoint = endpoint});
  }
  std::unique_ptr<RunningServer> serve(std::string listen, const KeyPair& pair) {
    return network_
        .server_factory()(executor_, handler_,
                          {.listen = std::move(listen), .certificate = pair.certificate, .key = pair.key})
        .value();
  }

  SimulatedExecutor executor_{{.seed = 1}};
  FunctionHandler handler_{[](const Request& request) { return Response{.body = "hello " + request.target}; }};
  KeyPair authority_ = make_authority(options()).value();
  InProcessNetwork network_{executor_};
};

TEST_F(InProcessNetworkTest, FindsAServerByItsAddress) {
  const auto server = serve("10.0.0.1:9443", certificate_for("10.0.0.1"));

  EXPECT_EQ(server->url(), "https://10.0.0.1:9443");
  EXPECT_EQ(ask("10.0.0.1", 9443)->body, "hello /x");
  EXPECT_NE(ask("10.0.0.1", 9444).error().message.find("connection refused"), std::string::npos);
  EXPECT_NE(ask("10.0.0.2", 9443).error().message.find("connection refused"), std::string::npos);
}

TEST_F(InProcessNetworkTest, RefusesAnAddressInUseAndAfterAStop) {
  const KeyPair pair = certificate_for("127.0.0.1");
  const auto server = serve(":9443", pair);

  const auto second = network_.server_factory()(executor_, handler_, {.listen = "127.0.0.1:9443"});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  server->stop();
  EXPECT_NE(ask("127.0.0.1", 9443).error().message.find("connection refused"), std::string::npos);
  EXPECT_EQ(serve(":9443", pair)->url(), "https://127.0.0.1:9443");
}

TEST_F(InProcessNetworkTest, VerifiesTheNameOfTheServer) {
  const auto server = serve(":9443", certificate_for("op.default.svc"));

  EXPECT_EQ(ask("127.0.0.1", 9443).error().reason, untrusted_certificate);
  EXPECT_TRUE(ask("127.0.0.1", 9443, "op.default.svc"));
}

TEST_F(InProcessNetworkTest, VerifiesTheChain) {
  const KeyPair other = make_authority(options()).value();
  const auto server = serve(":9443", make_server_certificate(other, options({"127.0.0.1"})).value());

  EXPECT_EQ(ask("127.0.0.1", 9443).error().reason, untrusted_certificate);
}

// The system does not trust an authority that was made a moment ago.
TEST_F(InProcessNetworkTest, VerifiesWithTheTrustOfTheSystemIfThereIsNoBundle) {
  const auto server = serve(":9443", certificate_for("127.0.0.1"));
  authority_.certificate = "";

  const auto response = ask("127.0.0.1", 9443);

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason, untrusted_certificate);
  EXPECT_NE(response.error().message.find("cannot be verified with the authorities of the system"), std::string::npos)
      << response.error().message;
}

TEST_F(InProcessNetworkTest, VerifiesAgainAfterAChangeOfTheBundle) {
  const auto server = serve(":9443", certificate_for("127.0.0.1"));

  EXPECT_TRUE(ask("127.0.0.1", 9443));
  authority_ = make_authority(options()).value();
  EXPECT_EQ(ask("127.0.0.1", 9443).error().reason, untrusted_certificate);
}

TEST_F(InProcessNetworkTest, VerifiesTheDatesAtTheVirtualTime) {
  const auto server = serve(":9443", certificate_for("127.0.0.1"));

  EXPECT_TRUE(ask("127.0.0.1", 9443));
  executor_.sleep_for(2h);
  EXPECT_EQ(ask("127.0.0.1", 9443).error().reason, untrusted_certificate);
}

TEST_F(InProcessNetworkTest, UsesTheCertificateInForce) {
  const auto server = serve(":9443", certificate_for("elsewhere.example"));
  EXPECT_FALSE(ask("127.0.0.1", 9443));

  EXPECT_TRUE(server->set_key_pair(certificate_for("127.0.0.1")));
  EXPECT_TRUE(ask("127.0.0.1", 9443));
  EXPECT_FALSE(server->set_key_pair({.certificate = "no", .key = "no"})) << "and the old certificate stays";
  EXPECT_TRUE(ask("127.0.0.1", 9443));
}

TEST_F(InProcessNetworkTest, FindsTheServersOfAServiceUntilTheyCrash) {
  const auto start = [&](const std::string& host) {
    const KeyPair pair = certificate_for(host);
    return network_
        .server_factory({.host = host, .service = "op.shop"})(
            executor_, handler_, {.listen = "0.0.0.0:9443", .certificate = pair.certificate, .key = pair.key})
        .value();
  };
  const auto one = start("10.0.0.1");
  const auto two = start("10.0.0.2");
  std::set<std::string> found;
  for (int i = 0; i < 50; ++i) found.insert(network_.find_service("op.shop").value_or("none"));
  EXPECT_EQ(found, (std::set<std::string>{"https://10.0.0.1:9443", "https://10.0.0.2:9443"}));
  EXPECT_FALSE(network_.find_service("other.shop"));

  network_.crash("10.0.0.1");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(network_.find_service("op.shop"), "https://10.0.0.2:9443");
  EXPECT_NE(ask("10.0.0.1", 9443).error().message.find("connection refused"), std::string::npos);
  EXPECT_TRUE(ask("10.0.0.2", 9443));
  const auto again = start("10.0.0.1");
  one->stop();  // does not take the address from the server that has it now
  EXPECT_TRUE(ask("10.0.0.1", 9443));
}

TEST_F(InProcessNetworkTest, FindsOnlyServersThatAreReadyOrDrain) {
  bool is_ready = false;
  const KeyPair pair = certificate_for("10.0.0.1");
  const auto server =
      network_
          .server_factory({.host = "10.0.0.1", .service = "op.shop"})(executor_, handler_,
                                                                      {.listen = "0.0.0.0:9443",
                                                                       .certificate = pair.certificate,
                                                                       .key = pair.key,
                                                                       .is_ready = [&] { return is_ready; }})
          .value();
  EXPECT_FALSE(network_.find_service("op.shop"));
  is_ready = true;
  EXPECT_EQ(network_.find_service("op.shop"), "https://10.0.0.1:9443");
  server->drain();
  is_ready = false;
  EXPECT_EQ(network_.find_service("op.shop"), "https://10.0.0.1:9443") << "there is no other one";
  const auto other =
      network_
          .server_factory({.host = "10.0.0.2", .service = "op.shop"})(
              executor_, handler_, {.listen = "0.0.0.0:9443", .certificate = pair.certificate, .key = pair.key})
          .value();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(network_.find_service("op.shop"), "https://10.0.0.2:9443");
}

TEST_F(InProcessNetworkTest, SelectsAFreePort) {
  const KeyPair pair = certificate_for("127.0.0.1");
  const auto fixed = serve(":20000", pair);
  const auto free = serve(":0", pair);
  EXPECT_EQ(free->url(), "https://127.0.0.1:20001");
}

TEST_F(InProcessNetworkTest, AStopEndsRequestsInProgressAndThoseThatFindNoServer) {
  const auto server = serve(":9443", certificate_for("127.0.0.1"));
  network_.set_faults({{.effect = Delay{.duration = 1h}}});
  Thread stopping = executor_.spawn({.name = "stopping"}, [&] {
    executor_.sleep_for(1s);
    server->stop();
    network_.transport()->stop();
  });

  const Instant begin = executor_.now();
  EXPECT_FALSE(ask("127.0.0.1", 9443));
  EXPECT_LT(executor_.now() - begin, 2s);
  executor_.sleep_for(2s);
  EXPECT_EQ(ask("127.0.0.1", 9443).error().code, ErrorCode::cancelled);
}

TEST_F(InProcessNetworkTest, InjectsFaultsIntoAllServers) {
  const auto server = serve(":9443", certificate_for("127.0.0.1"));

  network_.set_faults({{.effect = ErrorResponse{.status = 503}, .times = 1}});
  EXPECT_EQ(ask("127.0.0.1", 9443)->status, 503);
  EXPECT_EQ(ask("127.0.0.1", 9443)->status, 200);
  EXPECT_EQ(network_.injected_faults(), 1U);
}

}  // namespace
}  // namespace pintle::http
