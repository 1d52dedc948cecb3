// SPDX-License-Identifier: Apache-2.0
// Webhooks over TLS: which certificates are trusted, what the messages say, and when a connection is reused.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "http/openssl.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

http::Bio bio_of(const std::string& text) {
  return http::Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Returns a certificate with a signature by SHA-1 instead of its own.
std::string signed_by_sha1(const std::string& certificate, const http::KeyPair& authority) {
  const http::Certificate subject(PEM_read_bio_X509(bio_of(certificate).get(), nullptr, nullptr, nullptr));
  const http::Key key(PEM_read_bio_PrivateKey(bio_of(authority.key).get(), nullptr, nullptr, nullptr));
  EXPECT_NE(X509_sign(subject.get(), key.get(), EVP_sha1()), 0);
  const http::Bio out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(out.get(), subject.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(out.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// Offers a certificate to one client, also a weak one, which http::Server refuses.
class OneHandshake {
 public:
  OneHandshake(Executor& executor, const http::KeyPair& identity) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, any, size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, any, &size), 0);
    url_ = "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    SSL_CTX_set_security_level(context_.get(), 0);
    const http::Certificate certificate(
        PEM_read_bio_X509(bio_of(identity.certificate).get(), nullptr, nullptr, nullptr));
    const http::Key key(PEM_read_bio_PrivateKey(bio_of(identity.key).get(), nullptr, nullptr, nullptr));
    EXPECT_EQ(SSL_CTX_use_certificate(context_.get(), certificate.get()), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey(context_.get(), key.get()), 1);
    thread_ = executor.spawn({.name = "handshake"}, [this] { run(); });
  }
  ~OneHandshake() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  OneHandshake(const OneHandshake&) = delete;
  OneHandshake& operator=(const OneHandshake&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  void run() const {
    const int client = ::accept(socket_, nullptr, nullptr);
    if (client < 0) return;
    const std::unique_ptr<SSL, http::Freer<SSL_free>> session(SSL_new(context_.get()));
    SSL_set_fd(session.get(), client);
    EXPECT_NE(SSL_accept(session.get()), 1);
    ::close(client);
  }

  const int socket_;
  const std::unique_ptr<SSL_CTX, http::Freer<SSL_CTX_free>> context_{SSL_CTX_new(TLS_server_method())};
  std::string url_;
  Thread thread_;
};

// Allows every write.
class Allows final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    const json::Value review = json::parse(request.body).value();
    const json::Value out{{"apiVersion", "admission.k8s.io/v1"},
                          {"kind", "AdmissionReview"},
                          {"response", {{"uid", review.at("request").at("uid")}, {"allowed", true}}}};
    return {.headers = {{"Content-Type", "application/json"}}, .body = json::print(out)};
  }
};

class WebhookTls : public testing::Test {
 protected:
  [[nodiscard]] http::CertificateOptions valid(const std::string& name) const {
    return {.common_name = "test",
            .names = {name},
            .not_before = executor_->wall_now() - std::chrono::hours(1),
            .not_after = executor_->wall_now() + std::chrono::hours(1)};
  }
  void serve(const http::KeyPair& identity) {
    webhooks_ = std::make_unique<http::Server>(
        *executor_, allows_, http::ServerOptions{.certificate = identity.certificate, .key = identity.key});
    ASSERT_TRUE(webhooks_->start());
  }
  void serve() { serve(http::make_server_certificate(authority_, valid("127.0.0.1")).value()); }
  // Stores a configuration with one webhook, which is that of the server unless there is another URL.
  void configure(const std::string& name, const std::string& ca_bundle, const std::string& url = "") {
    json::object config{{"url", (url.empty() ? webhooks_->url() : url) + "/v"}};
    if (!ca_bundle.empty()) config["caBundle"] = Bytes(ca_bundle).to_base64();
    const json::object rule{{"operations", json::array{"CREATE"}},
                            {"apiGroups", json::array{""}},
                            {"apiVersions", json::array{"v1"}},
                            {"resources", json::array{"configmaps"}}};
    const json::object webhook{{"name", name + ".a.dev"},
                               {"clientConfig", config},
                               {"rules", json::array{rule}},
                               {"sideEffects", "None"},
                               {"admissionReviewVersions", json::array{"v1"}}};
    send("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
         json::print({{"metadata", {{"name", name}}}, {"webhooks", json::array{webhook}}}));
  }
  // Creates a ConfigMap, and returns "" or the message of the refusal.
  std::string create(const std::string& name) {
    const json::Value reply =
        send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":")" + name + R"("}})");
    return reply.at("kind") == "Status" ? std::string(reply.at("message").as_string()) : "";
  }
  json::Value send(const char* method, const std::string& target, const std::string& body) {
    http::Response response = server_->handle(
        {.method = method, .target = target, .headers = {{"Content-Type", "application/json"}}, .body = body});
    if (response.deferred) response = response.deferred();
    return json::parse(response.body).value();
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  http::KeyPair authority_ = http::make_authority(valid("authority")).value();
  Allows allows_;
  std::unique_ptr<http::Server> webhooks_;
  std::unique_ptr<ApiServer> server_ = std::make_unique<ApiServer>(
      *executor_, ApiServerOptions{.webhooks = {.transport = http::make_network_transport(*executor_)}});
};

TEST_F(WebhookTls, TheAuthorityOfTheConfigurationIsTrusted) {
  serve();
  configure("m", authority_.certificate);
  EXPECT_EQ(create("a"), "");
}

TEST_F(WebhookTls, WithoutAnAuthorityThoseOfTheSystemAreTrusted) {
  serve();
  configure("m", "");
  EXPECT_THAT(create("a"), HasSubstr("tls: failed to verify certificate: x509: "));
}

TEST_F(WebhookTls, AnUntrustedCertificateIsExplainedByTheConfiguration) {
  serve();
  configure("m", http::make_authority(valid("other")).value().certificate);
  const std::string why = create("a");
  EXPECT_THAT(why, HasSubstr("the server's certificate is signed by an unknown authority: check caBundle in the "
                             "clientConfig, and the certificate of the webhook"));
  EXPECT_THAT(why, Not(HasSubstr("kubeconfig")));
}

TEST_F(WebhookTls, ACertificateForAnotherNameIsRefused) {
  serve(http::make_server_certificate(authority_, valid("other.dev")).value());
  configure("m", authority_.certificate);
  const std::string why = create("a");
  EXPECT_THAT(why, HasSubstr("the server's certificate is not valid for \"127.0.0.1\": check caBundle"));
  EXPECT_THAT(why, Not(HasSubstr("kubeconfig")));
}

TEST_F(WebhookTls, ASignatureBySha1IsRefused) {
  http::KeyPair identity = http::make_server_certificate(authority_, valid("127.0.0.1")).value();
  identity.certificate = signed_by_sha1(identity.certificate, authority_);
  const OneHandshake weak(*executor_, identity);
  configure("m", authority_.certificate, weak.url());
  const std::string why = create("a");
  EXPECT_THAT(why, HasSubstr("tls: failed to verify certificate: x509: "));
  EXPECT_THAT(why, Not(HasSubstr("kubeconfig")));
}

// The content of caBundle is not checked when a configuration is stored.
TEST_F(WebhookTls, ACaBundleWithoutCertificatesFailsAtTheCall) {
  serve();
  configure("m", "hello");
  const std::string begin =
      "Internal error occurred: failed calling webhook \"m.a.dev\": could not get REST client: unable to load root "
      "certificates: ";
  EXPECT_EQ(create("a"), begin + "unable to parse bytes as PEM block");
  send("DELETE", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/m", "");
  configure("m", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  EXPECT_THAT(create("a"), HasSubstr(begin + "failed to parse certificate: caBundle"));
}

TEST_F(WebhookTls, CallsWithTheSameAddressAndAuthorityShareAConnection) {
  serve();
  configure("m", authority_.certificate);
  configure("n", authority_.certificate);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(create(name), "");
  EXPECT_EQ(webhooks_->stats().requests, 6U);
  EXPECT_EQ(webhooks_->stats().accepted, 1U);

  configure("o", authority_.certificate + http::make_authority(valid("other")).value().certificate);
  EXPECT_EQ(create("d"), "");
  EXPECT_EQ(webhooks_->stats().accepted, 2U);
}

}  // namespace
}  // namespace pintle
