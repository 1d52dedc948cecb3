// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/net_transport.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "http/pem_parts.hpp"
#include "http/test_support.hpp"
#include "test_support.hpp"
#include "transport_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class NetworkTransportTls : public ::testing::Test {
 protected:
  void serve(const KeyPair& identity, ServerOptions options = {}) {
    options.certificate = identity.certificate;
    options.key = identity.key;
    server_ = std::make_unique<Server>(*executor_, handler_, std::move(options));
    const Result<void> started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
    endpoint_ = authority_.endpoint(server_->port());
  }
  void serve() { serve(authority_.server({"127.0.0.1", "::1", "example.test"})); }
  Result<BufferedResponse> send(Request request = {}) {
    if (request.endpoint == nullptr) request.endpoint = endpoint_;
    return http::send(*transport_, std::move(request));
  }
  // Sends a request and returns the message of its error without the address, or "success".
  std::string failure() {
    const auto response = send();
    if (response) return "success";
    EXPECT_EQ(response.error().code, ErrorCode::unreachable);
    const std::string begin = "GET " + endpoint_->url() + "/: ";
    EXPECT_TRUE(response.error().message.starts_with(begin)) << response.error().message;
    return response.error().message.substr(begin.size());
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  TestAuthority authority_{*executor_};
  std::shared_ptr<const CertificateSubject> peer_;  // of the last request
  FunctionHandler handler_{[this](const Request& request) {
    peer_ = request.peer;
    return Response{.body = std::string(request.headers.get("host").value_or("")) + request.body};
  }};
  std::unique_ptr<Server> server_;
  std::shared_ptr<Endpoint> endpoint_;
  std::unique_ptr<Transport> transport_ = make_network_transport(*executor_);
};

using NetworkTransportTlsConcurrency = NetworkTransportTls;

const std::string unknown_authority =
    "the server's certificate is signed by an unknown authority: check certificate-authority-data of the kubeconfig "
    "or, in a pod, ca.crt of its service account";
const std::string refused_client =
    "the server rejected the client certificate, or requires one: check client-certificate-data and client-key-data of "
    "the kubeconfig";

// Returns the certificate of an authority signed by another one instead of by itself.
std::string intermediate(const TestAuthority& authority, const TestAuthority& root) {
  const auto issuer = parse_key_pair({"the root", root.certificate()}, {"its key", root.identity().key}).value();
  const auto subject = parse_certificates({"the authority", authority.certificate()}).value();
  X509* const certificate = subject.front().get();
  EXPECT_EQ(X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificates.front().get())), 1);
  EXPECT_NE(X509_sign(certificate, issuer.key.get(), EVP_sha256()), 0);
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

TEST_F(NetworkTransportTls, TrustsTheGivenAuthority) {
  serve();

  for (int i = 0; i < 20; ++i) ASSERT_EQ(failure(), "success");
  const auto large = send({.method = "PUT", .body = std::string(3'000'000, 'x')});

  ASSERT_TRUE(large);
  EXPECT_GT(large->body.size(), 3'000'000U);
  EXPECT_EQ(server_->stats().accepted, 1U);
}

// Counts the bytes of a body, and is slower than the server.
class ReceivedBytes final : public ExchangeHandler {
 public:
  void on_head(const ResponseHead&) override {}
  void on_body(std::string_view chunk) override {
    count += chunk.size();
    for (int i = 0; i < 20; ++i) sum = std::accumulate(chunk.begin(), chunk.end(), sum);
  }
  void on_end(Result<void>) override {}

  std::size_t count = 0;
  unsigned sum = 0;
};

// A turn of the I/O thread must not become longer while a stream always has data.
TEST_F(NetworkTransportTls, ABusyStreamReceivesALimitedAmountInATurn) {
  constexpr std::size_t turn = 65'536;
  handler_ = FunctionHandler([](const Request&) { return Response{.stream = std::make_unique<EndlessBody>()}; });
  serve();
  const auto received = std::make_shared<ReceivedBytes>();
  Gate done(*executor_);
  std::size_t before = 0;
  std::size_t most = 0;
  int left = 60;
  std::function<void()> tick = [&] {
    if (received->count > before) --left;
    most = std::max(most, received->count - before);
    before = received->count;
    if (left == 0) return done.open();
    transport_->start_timer(executor_->now(), tick);
  };

  transport_->start_timer(executor_->now(), tick);  // first, so that no turn is missed
  const auto id = transport_->start({.endpoint = endpoint_, .timeout = 0s}, received);
  done.wait();
  transport_->cancel(id);
  transport_->stop();

  EXPECT_LE(most, 2 * turn);
}

// The server sends only its own certificate.
TEST_F(NetworkTransportTls, TrustsAnIntermediateAuthority) {
  serve();
  endpoint_->ca = intermediate(authority_, TestAuthority(*executor_, "root"));

  EXPECT_EQ(failure(), "success");
}

TEST_F(NetworkTransportTls, TrustsTheCertificateOfTheServer) {
  const KeyPair identity = authority_.server({"127.0.0.1"});
  serve(identity);
  endpoint_->ca = identity.certificate;
  EXPECT_EQ(failure(), "success");

  endpoint_ = authority_.endpoint(server_->port());
  endpoint_->ca = authority_.server({"127.0.0.1"}).certificate;
  EXPECT_EQ(failure(), unknown_authority);
}

TEST_F(NetworkTransportTls, AServerTrustsAnIntermediateAuthorityOrTheCertificateOfTheClient) {
  const KeyPair jane = authority_.client("jane");
  for (const std::string& client_ca : {intermediate(authority_, TestAuthority(*executor_, "root")), jane.certificate}) {
    serve(authority_.server({"127.0.0.1"}), {.client_ca = client_ca});
    endpoint_->client_certificate = jane.certificate;
    endpoint_->client_key = jane.key;
    EXPECT_EQ(failure(), "success");

    endpoint_ = std::make_shared<Endpoint>(*endpoint_);
    const KeyPair stranger = TestAuthority(*executor_, "another").client("jane");
    endpoint_->client_certificate = stranger.certificate;
    endpoint_->client_key = stranger.key;
    EXPECT_EQ(failure(), refused_client);
  }
}

TEST_F(NetworkTransportTls, RefusesAnotherAuthority) {
  serve();
  const TestAuthority other(*executor_, "another");
  ASSERT_EQ(failure(), "success");  // leaves an open connection that must not be used again

  endpoint_ = other.endpoint(server_->port());

  EXPECT_EQ(failure(), unknown_authority);
}

TEST_F(NetworkTransportTls, RefusesAnotherAuthorityOfTheSameName) {
  serve();
  const TestAuthority other(*executor_);

  endpoint_ = other.endpoint(server_->port());

  EXPECT_EQ(failure(), unknown_authority);
}

TEST_F(NetworkTransportTls, RefusesTheSystemsAuthoritiesForAPrivateOne) {
  serve();
  endpoint_->ca.clear();

  EXPECT_EQ(failure(), unknown_authority);
}

TEST_F(NetworkTransportTls, RefusesAnExpiredCertificate) {
  serve(authority_.expired_server());

  EXPECT_EQ(failure(), "the server's certificate has expired: renew it, or check the clock of this machine");
}

TEST_F(NetworkTransportTls, RefusesACertificateForAnotherName) {
  serve(authority_.server({"example.test", "127.0.0.2"}));

  EXPECT_EQ(failure(),
            "the server's certificate is not valid for \"127.0.0.1\": use a name in the certificate, or set "
            "tls-server-name in the kubeconfig");
}

TEST_F(NetworkTransportTls, ExpectsTheServerNameWhenGiven) {
  serve(authority_.server({"example.test"}));
  endpoint_->server_name = "example.test";

  const auto response = send();

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "127.0.0.1:" + std::to_string(server_->port()));
  endpoint_ = std::make_shared<Endpoint>(*endpoint_);
  endpoint_->server_name = "other.test";
  EXPECT_EQ(failure(),
            "the server's certificate is not valid for \"other.test\": use a name in the certificate, or set "
            "tls-server-name in the kubeconfig");
}

TEST_F(NetworkTransportTls, InsecureAcceptsAnyCertificate) {
  serve(TestAuthority(*executor_, "another").expired_server());
  endpoint_->insecure = true;
  ASSERT_EQ(failure(), "success");

  endpoint_ = authority_.endpoint(server_->port());

  EXPECT_NE(failure(), "success");
}

TEST_F(NetworkTransportTls, ShowsItsClientCertificate) {
  serve(authority_.server({"127.0.0.1"}), {.client_ca = authority_.certificate()});
  const KeyPair jane = authority_.client("jane");

  EXPECT_EQ(failure(), refused_client);
  endpoint_->client_certificate = jane.certificate;
  endpoint_->client_key = jane.key;
  EXPECT_EQ(failure(), "success");
  endpoint_ = authority_.endpoint(server_->port());
  EXPECT_EQ(failure(), refused_client);

  const KeyPair stranger = TestAuthority(*executor_, "another").client("jane");
  endpoint_->client_certificate = stranger.certificate;
  endpoint_->client_key = stranger.key;
  EXPECT_EQ(failure(), refused_client);
}

TEST_F(NetworkTransportTls, PassesTheSubjectOfTheClientCertificateToTheHandler) {
  serve(authority_.server({"127.0.0.1"}), {.client_ca = authority_.certificate()});
  const KeyPair jane = authority_.client("jane", {"writers",
                                                  "r\xc3\xa9"
                                                  "aders"});
  endpoint_->client_certificate = jane.certificate;
  endpoint_->client_key = jane.key;

  ASSERT_EQ(failure(), "success");

  ASSERT_NE(peer_, nullptr);
  EXPECT_EQ(peer_->common_name, "jane");
  EXPECT_EQ(peer_->organizations, (std::vector<std::string>{"writers",
                                                            "r\xc3\xa9"
                                                            "aders"}));
}

TEST_F(NetworkTransportTls, AClientWithoutACertificateHasNoName) {
  serve();
  ASSERT_EQ(failure(), "success");
  EXPECT_EQ(peer_, nullptr);
}

TEST_F(NetworkTransportTls, SharesConnectionsOnlyBetweenEqualCredentials) {
  serve(authority_.server({"127.0.0.1"}), {.client_ca = authority_.certificate()});
  const auto endpoint_of = [&](const KeyPair& identity) {
    auto endpoint = authority_.endpoint(server_->port());
    endpoint->client_certificate = identity.certificate;
    endpoint->client_key = identity.key;
    return endpoint;
  };
  const KeyPair jane = authority_.client("jane");
  const KeyPair john = authority_.client("john");

  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(send({.endpoint = endpoint_of(jane)}));
    ASSERT_TRUE(send({.endpoint = endpoint_of(john)}));
  }

  EXPECT_EQ(server_->stats().accepted, 2U);
}

// Otherwise connections with an old client certificate, which may be revoked, stay open for minutes.
TEST_F(NetworkTransportTls, ClosesIdleConnectionsOfReplacedCertificates) {
  serve(authority_.server({"127.0.0.1"}), {.client_ca = authority_.certificate()});
  const auto endpoint_of = [&](const std::string& name) {
    const KeyPair identity = authority_.client(name);
    auto made = std::make_shared<Endpoint>(*authority_.endpoint(server_->port()));
    made->client_certificate = identity.certificate;
    made->client_key = identity.key;
    return made;
  };
  endpoint_ = endpoint_of("old");
  ASSERT_TRUE(send());
  endpoint_ = endpoint_of("new");
  endpoint_->replaced_at = executor_->now();
  ASSERT_TRUE(send());
  EXPECT_EQ(peer_->common_name, "new");

  const Instant limit = executor_->now() + 20s;
  while (server_->stats().open != 1 && executor_->now() < limit) {
    executor_->sleep_for(20ms);
    ASSERT_TRUE(send());
  }

  EXPECT_EQ(server_->stats().open, 1U);
  EXPECT_EQ(peer_->common_name, "new");
}

TEST_F(NetworkTransportTls, ReportsInvalidPemOfTheEndpoint) {
  serve();
  const KeyPair jane = authority_.client("jane");
  const KeyPair john = authority_.client("john");
  struct Case {
    std::string ca, certificate, key, expected;
  };
  const std::vector<Case> cases = {
      {"not PEM", "", "", "certificate-authority-data of the kubeconfig contains no certificate"},
      {authority_.certificate(), "not PEM", jane.key, "client-certificate-data and client-key-data"},
      {authority_.certificate(), jane.certificate, "not PEM", "client-certificate-data and client-key-data"},
      {authority_.certificate(), jane.certificate, john.key, "client-certificate-data and client-key-data"},
  };
  for (const Case& c : cases) {
    auto endpoint = authority_.endpoint(server_->port());
    endpoint->ca = c.ca;
    endpoint->client_certificate = c.certificate;
    endpoint->client_key = c.key;
    const auto response = send({.endpoint = endpoint});
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::invalid);
    EXPECT_NE(response.error().message.find(c.expected), std::string::npos) << response.error().message;
  }
}

TEST_F(NetworkTransportTls, ANewIdentityIsForNewConnections) {
  serve();
  ASSERT_EQ(failure(), "success");  // on a connection that stays open
  const TestAuthority other(*executor_, "another");

  ASSERT_TRUE(server_->set_key_pair(other.server({"127.0.0.1"})));

  EXPECT_EQ(failure(), "success");
  EXPECT_EQ(server_->stats().accepted, 1U);
  endpoint_ = other.endpoint(server_->port());
  EXPECT_EQ(failure(), "success");
  endpoint_ = authority_.endpoint(server_->port());
  transport_ = make_network_transport(*executor_);
  EXPECT_EQ(failure(), unknown_authority);
}

TEST_F(NetworkTransportTls, AnInvalidIdentityChangesNothing) {
  serve();
  const KeyPair one = authority_.server({"127.0.0.1"});
  const KeyPair two = authority_.server({"127.0.0.1"});

  const auto mixed = server_->set_key_pair({.certificate = one.certificate, .key = two.key});

  ASSERT_FALSE(mixed);
  EXPECT_TRUE(mixed.error().message.starts_with("the server's key does not belong to")) << mixed.error().message;
  EXPECT_EQ(failure(), "success");
  Server plain(*executor_, handler_, {});
  EXPECT_EQ(plain.set_key_pair(one).error().message, "the server was created without TLS");
}

TEST_F(NetworkTransportTls, ReportsThatOneSideDoesNotUseTls) {
  serve();
  endpoint_->tls = false;
  EXPECT_EQ(failure(),
            "the server closed the connection without a response; if the server expects TLS, its address begins with "
            "https://");

  Server plain(*executor_, handler_, {});
  ASSERT_TRUE(plain.start());
  endpoint_ = authority_.endpoint(plain.port());
  EXPECT_EQ(failure(), "the server does not use TLS on this port: check whether its address begins with http://");
}

TEST_F(NetworkTransportTlsConcurrency, StreamsAreCancelledOverTls) {
  const auto feed = std::make_shared<Feed>(*executor_);
  handler_ = FunctionHandler([&](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
  serve();
  const auto response = std::make_shared<Recorder>(*executor_);

  const auto id = transport_->start({.endpoint = endpoint_, .timeout = 0s}, response);
  feed->push("one");
  EXPECT_EQ(response->wait_for_body(3), "one");
  feed->push("two");
  EXPECT_EQ(response->wait_for_body(6), "onetwo");
  transport_->cancel(id);

  EXPECT_EQ(response->code(), ErrorCode::cancelled);
  feed->wait_until_closed();
}

TEST_F(NetworkTransportTlsConcurrency, StopEndsAStreamOverTlsCleanly) {
  const auto feed = std::make_shared<Feed>(*executor_);
  handler_ = FunctionHandler([&](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
  serve();
  const auto response = std::make_shared<Recorder>(*executor_);
  transport_->start({.endpoint = endpoint_, .timeout = 0s}, response);
  feed->push("one");
  response->wait_for_body(3);

  server_->stop();

  EXPECT_TRUE(response->wait_for_end());
  EXPECT_EQ(response->body(), "one");
}

// A body without an end, so that only the peer can close the connection.
class Unending final : public BodyStream {
 public:
  State read(std::string& out) override {
    out.append(65536, 'x');
    return State::more;
  }
  void on_ready(std::function<void()>) override {}
};

// The server closes while the client writes, and the client while the server writes. SIGPIPE must not end the process.
TEST_F(NetworkTransportTlsConcurrency, SurvivesAPeerThatClosesBeforeAWrite) {
  serve(authority_.server({"127.0.0.1"}), {.max_body_size = 1000, .stop_timeout = 0s});
  for (int i = 0; i < 10; ++i) {
    const auto response = send({.method = "POST", .body = std::string(8'000'000, 'x')});
    if (response) {
      EXPECT_EQ(response->status, 413);
    } else {
      EXPECT_EQ(response.error().code, ErrorCode::unreachable) << response.error().message;
    }
  }

  handler_ = FunctionHandler([](const Request&) { return Response{.stream = std::make_unique<Unending>()}; });
  for (int i = 0; i < 10; ++i) {
    const auto response = std::make_shared<Recorder>(*executor_);
    const auto id = transport_->start({.endpoint = endpoint_}, response);
    response->wait_for_body(1);
    transport_->cancel(id);
    EXPECT_EQ(response->code(), ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace pintle::http
