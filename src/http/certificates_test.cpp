// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/certificates.hpp>

#include <memory>

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

constexpr WallTime begin = WallTime(1'700'000'000s);
constexpr WallTime end = begin + 24h;

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Parsed = std::unique_ptr<X509, FreeCertificate>;

Parsed parse(const KeyPair& identity) {
  BIO* bio = BIO_new_mem_buf(identity.certificate.data(), static_cast<int>(identity.certificate.size()));
  Parsed parsed(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
  BIO_free(bio);
  return parsed;
}

KeyPair authority() {
  return make_authority({.common_name = "test authority", .not_before = begin, .not_after = end}).value();
}

// Returns the X509_V_… result of verifying a certificate for a purpose at a time.
int verify(const KeyPair& trusted, const KeyPair& leaf, int purpose, WallTime at) {
  const Parsed root = parse(trusted);
  const Parsed certificate = parse(leaf);
  X509_STORE* store = X509_STORE_new();
  X509_STORE_add_cert(store, root.get());
  X509_STORE_CTX* context = X509_STORE_CTX_new();
  X509_STORE_CTX_init(context, store, certificate.get(), nullptr);
  X509_STORE_CTX_set_purpose(context, purpose);
  X509_STORE_CTX_set_time(context, 0, std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count());
  X509_verify_cert(context);
  const int result = X509_STORE_CTX_get_error(context);
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
  return result;
}

TEST(Certificates, AServerCertificateIsValidForItsNamesAndTimes) {
  const KeyPair ca = authority();
  const KeyPair server = make_server_certificate(ca, {.common_name = "server",
                                                      .names = {"localhost", "*.example.test", "127.0.0.1", "::1"},
                                                      .not_before = begin + 1h,
                                                      .not_after = begin + 2h})
                             .value();
  const Parsed certificate = parse(server);

  EXPECT_EQ(verify(ca, server, X509_PURPOSE_SSL_SERVER, begin + 90min), X509_V_OK);
  EXPECT_EQ(verify(ca, server, X509_PURPOSE_SSL_SERVER, begin + 30min), X509_V_ERR_CERT_NOT_YET_VALID);
  EXPECT_EQ(verify(ca, server, X509_PURPOSE_SSL_SERVER, begin + 3h), X509_V_ERR_CERT_HAS_EXPIRED);
  EXPECT_NE(verify(ca, server, X509_PURPOSE_SSL_CLIENT, begin + 90min), X509_V_OK);
  EXPECT_NE(verify(authority(), server, X509_PURPOSE_SSL_SERVER, begin + 90min), X509_V_OK);
  EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "a.example.test", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "example.org", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "::1", 0), 1);
}

TEST(Certificates, AClientCertificateNamesUserAndGroups) {
  const KeyPair ca = authority();
  const KeyPair client = make_client_certificate(ca, {.common_name = "jane",
                                                      .organizations = {"system:masters", "admins, of all"},
                                                      .not_before = begin,
                                                      .not_after = end})
                             .value();
  const Parsed certificate = parse(client);
  char subject[256];
  X509_NAME_oneline(X509_get_subject_name(certificate.get()), subject, sizeof(subject));

  EXPECT_EQ(verify(ca, client, X509_PURPOSE_SSL_CLIENT, begin + 1h), X509_V_OK);
  EXPECT_NE(verify(ca, client, X509_PURPOSE_SSL_SERVER, begin + 1h), X509_V_OK);
  EXPECT_STREQ(subject, "/O=system:masters/O=admins, of all/CN=jane");
}

TEST(Certificates, EachHasItsOwnSerialAndKey) {
  const KeyPair ca = authority();
  const CertificateOptions options{.names = {"a"}, .not_before = begin, .not_after = end};
  const KeyPair one = make_server_certificate(ca, options).value();
  const KeyPair two = make_server_certificate(ca, options).value();

  EXPECT_NE(one.key, two.key);
  EXPECT_NE(ASN1_INTEGER_cmp(X509_get_serialNumber(parse(one).get()), X509_get_serialNumber(parse(two).get())), 0);
}

TEST(Certificates, RefusesInvalidOptions) {
  const KeyPair ca = authority();
  const CertificateOptions good{.names = {"a"}, .not_before = begin, .not_after = end};
  const auto message = [](const Result<KeyPair>& made) { return made ? "" : made.error().message; };

  EXPECT_EQ(message(make_server_certificate(ca, {.not_before = begin, .not_after = end})),
            "names of a server certificate must have at least one DNS name or IP address");
  EXPECT_EQ(message(make_server_certificate(ca, {.names = {"a"}, .not_before = end, .not_after = begin})),
            "not_after of a certificate must be later than not_before");
  EXPECT_EQ(message(make_server_certificate(ca, {.names = {"a,DNS:b"}, .not_before = begin, .not_after = end})),
            "\"a,DNS:b\" is neither a DNS name nor an IP address");
  EXPECT_EQ(make_server_certificate({"x", ca.key}, good).error().code, ErrorCode::invalid);
  EXPECT_EQ(make_server_certificate({ca.certificate, "x"}, good).error().code, ErrorCode::invalid);
  EXPECT_EQ(message(make_server_certificate({ca.certificate, authority().key}, good)),
            "the authority's key does not belong to the authority's certificate; use the key of its first certificate");
}

TEST(Certificates, APrivateIdentityIsValidForLoopbackAndTheNamedHost) {
  for (const char* host : {"10.0.0.1", "", "::", "localhost"}) {
    const auto made = make_self_signed_key_pair("op", host, begin);
    ASSERT_TRUE(made) << made.error().message;
    const Parsed certificate = parse(made->server);
    EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
    EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
    EXPECT_EQ(X509_check_ip_asc(certificate.get(), "10.0.0.1", 0), std::string_view(host) == "10.0.0.1" ? 1 : 0);
    EXPECT_EQ(X509_check_ip_asc(certificate.get(), "::", 0), 0);
    EXPECT_EQ(verify({.certificate = made->authority}, made->server, X509_PURPOSE_SSL_SERVER, begin + 24h), X509_V_OK);
  }
}

}  // namespace
}  // namespace pintle::http
