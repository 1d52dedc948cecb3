// SPDX-License-Identifier: Apache-2.0
// Start of the server: listen addresses and certificates.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "server_test_support.hpp"

namespace pintle::http {
namespace {

TEST_F(ServerTest, ReportsWhyItCannotListen) {
  Server& first = serve(echo);
  const std::string taken = "127.0.0.1:" + std::to_string(first.port());
  const auto error_of = [&](const std::string& listen) {
    Server server(*executor_, *handler_, {.listen = listen});
    const Result<void> started = server.start();
    return started ? Error{} : started.error();
  };

  EXPECT_EQ(error_of(taken).code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(taken).message,
            "cannot listen on " + taken +
                ": the port is in use: stop the program that uses it, or choose another port (0 picks a free one)");
  EXPECT_EQ(error_of("192.0.2.1:0").message, "cannot listen on 192.0.2.1:0: this machine does not have this address");
  for (const std::string listen : {"", "localhost", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:8x"}) {
    EXPECT_EQ(error_of(listen).message, "cannot listen on \"" + listen + "\": use HOST:PORT, such as 127.0.0.1:8443");
  }
}

TEST_F(ServerTest, ListensOnNamesAndOnEveryAddress) {
  for (const std::string listen : {"localhost:0", ":0", "0.0.0.0:0"}) {
    Server& server = serve(echo, {.listen = listen});
    RawPeer peer = connect();
    peer.send(get);
    EXPECT_TRUE(peer.read_until("\r\n").starts_with("HTTP/1.1 200")) << listen << server.url();
  }
}

class RecordedLines final : public LogSink {
 public:
  void write(const LogRecord& record) override { lines.emplace_back(record.message); }
  std::vector<std::string> lines;
};

std::string rsa_key(unsigned bits) {
  EVP_PKEY* key = EVP_RSA_gen(bits);
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  EVP_PKEY_free(key);
  return pem;
}

TEST_F(ServerTest, ReportsWhyItsCertificateCannotBeUsed) {
  const TestAuthority authority(*executor_);
  const KeyPair one = authority.server({"a"});
  const KeyPair two = authority.server({"a"});
  FunctionHandler handler(echo);
  const auto message = [&](ServerOptions options) {
    Server server(*executor_, handler, std::move(options));
    return server.start().error().message;
  };

  const std::string mismatch =
      "the server's key does not belong to the server's certificate; use the key of its first certificate";

  EXPECT_EQ(message({.certificate = "x", .key = one.key}),
            "the server's certificate is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
  EXPECT_TRUE(
      message({.certificate = one.certificate, .key = "x"}).starts_with("the server's key is not a PEM private key: "));
  EXPECT_EQ(message({.certificate = one.certificate, .key = two.key}), mismatch);
  EXPECT_EQ(message({.certificate = one.certificate, .key = rsa_key(2048)}), mismatch);
  EXPECT_EQ(message({.certificate = one.certificate, .key = one.key, .client_ca = "x"}),
            "the server's client CA is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
}

TEST_F(ServerTest, LogsThatItsCertificateIsOutsideItsDates) {
  const TestAuthority authority(*executor_);
  FunctionHandler handler(echo);
  const auto sink = std::make_shared<RecordedLines>();
  const KeyPair expired = authority.expired_server();
  const KeyPair good = authority.server({"a"});

  Server server(*executor_, handler,
                {.certificate = expired.certificate, .key = expired.key, .log = Log(sink, *executor_)});
  ASSERT_TRUE(server.start());
  EXPECT_EQ(sink->lines,
            std::vector<std::string>{"the certificate of the server has expired, so clients reject it; renew it"});

  ASSERT_TRUE(server.set_key_pair(good));
  EXPECT_EQ(sink->lines.size(), 1U);
}

}  // namespace
}  // namespace pintle::http
