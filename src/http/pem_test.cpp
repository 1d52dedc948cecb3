// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/pem.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <pintle/http/certificates.hpp>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

constexpr WallTime birth = WallTime(1'700'000'000s);

KeyPair pair_until(WallTime not_after) {
  return make_authority({.common_name = "a", .not_before = birth, .not_after = not_after}).value();
}

const KeyPair& a_pair() {
  static const KeyPair pair = pair_until(birth + 24h);
  return pair;
}

// Returns the key in PKCS #1 or SEC 1 form, or with a passphrase, as older tools write it.
std::string rewritten(const std::string& pem, bool is_traditional, const char* passphrase) {
  BIO* from = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(from, nullptr, nullptr, nullptr);
  BIO* to = BIO_new(BIO_s_mem());
  const EVP_CIPHER* cipher = passphrase == nullptr ? nullptr : EVP_aes_128_cbc();
  const auto* bytes = reinterpret_cast<const unsigned char*>(passphrase);
  const int size = passphrase == nullptr ? 0 : static_cast<int>(std::string_view(passphrase).size());
  is_traditional ? PEM_write_bio_PrivateKey_traditional(to, key, cipher, bytes, size, nullptr, nullptr)
                 : PEM_write_bio_PKCS8PrivateKey(to, key, cipher, passphrase, size, nullptr, nullptr);
  char* text = nullptr;
  const long length = BIO_get_mem_data(to, &text);
  std::string made(text, static_cast<std::size_t>(length));
  EVP_PKEY_free(key);
  BIO_free(from);
  BIO_free(to);
  return made;
}

std::string certificates_error(std::string_view text) {
  const auto checked = validate_certificates({"ca.crt", text});
  return checked ? "" : checked.error().message;
}

std::string key_error(std::string_view key) {
  const auto checked = validate_key_pair({"tls.crt", a_pair().certificate}, {"tls.key", key});
  return checked ? "" : checked.error().message;
}

TEST(Pem, CertificatesMayHaveOtherTextAndBlocksBetweenThem) {
  const std::string one = a_pair().certificate;
  std::string windows = one;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) windows.replace(at, 1, "\r\n");

  for (const std::string& text : {one, windows, "subject: a\n" + one + "another: b\n" + one, a_pair().key + one,
                                  one.substr(0, one.size() - 1), one + std::string(3, '\0')}) {
    EXPECT_EQ(certificates_error(text), "");
  }
  EXPECT_EQ(validate_certificates({"", one + windows})->size(), 2U);
}

TEST(Pem, CertificatesThatAreIncompleteOrMalformedAreRefused) {
  const std::string one = a_pair().certificate;
  const std::string none = "ca.crt is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"";
  const std::string first = "ca.crt is not a PEM certificate: certificate 1 in it is truncated or malformed";
  const std::string second = "ca.crt is not a PEM certificate: certificate 2 in it is truncated or malformed";
  std::string joined = one;
  joined.pop_back();  // "-----END CERTIFICATE----------BEGIN CERTIFICATE-----"
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", none},
      {"hello", none},
      {std::string(1000, '\0'), none},
      {"-----BEGIN CERTIFICATE", none},
      {a_pair().key, none},
      {"-----BEGIN CERTIFICATE-----", first},
      {"-----BEGIN CERTIFICATE-----\nMAA=\n", first},
      {"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", first},
      {"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", first},
      {"-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n", first},
      {"x" + one, first},
      {one.substr(0, one.size() / 2), first},
      {one + one.substr(0, one.size() - 5), second},
      {one + "x" + one, second},
      {joined + one, first},
      {one + "-----BEGIN CERTIFICATE-----\nno base64!\n-----END CERTIFICATE-----\n", second},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_TRUE(certificates_error(text).starts_with(error)) << certificates_error(text) << " for " << text;
    EXPECT_EQ(certificates_error(text).find('\n'), std::string::npos);
    EXPECT_EQ(ERR_peek_error(), 0U) << "an error would be reported by the next user of OpenSSL";
  }
}

TEST(Pem, EachChangedByteOfACertificateIsNoticedOrHarmless) {
  const std::string one = a_pair().certificate;
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::string changed = one;
    changed[i] = '!';
    const auto checked = validate_key_pair({"tls.crt", changed}, {"tls.key", a_pair().key});
    if (checked) {
      EXPECT_EQ(checked->not_after, birth + 24h) << i;
    }
  }
}

TEST(Pem, AKeyBelongsToTheFirstCertificate) {
  const KeyPair other = pair_until(birth + 48h);
  const std::string mismatch = "tls.key does not belong to tls.crt; use the key of its first certificate";

  EXPECT_EQ(validate_key_pair({"", a_pair().certificate + other.certificate}, {"", a_pair().key})->not_after,
            birth + 24h);
  EXPECT_EQ(key_error(other.key), mismatch);
  const auto wrong_order =
      validate_key_pair({"tls.crt", other.certificate + a_pair().certificate}, {"tls.key", a_pair().key});
  EXPECT_EQ(wrong_order.error().message, mismatch);
}

TEST(Pem, AKeyMayHaveAnyUsualForm) {
  EXPECT_EQ(key_error(rewritten(a_pair().key, true, nullptr)), "");
  EXPECT_EQ(key_error(a_pair().certificate + a_pair().key), "") << "certificate and key in one file";
  EXPECT_EQ(key_error("text before\n" + a_pair().key), "");
}

// Without this check OpenSSL would wait for the passphrase on the terminal.
TEST(Pem, AKeyWithAPassphraseIsRefused) {
  const std::string encrypted = "tls.key is encrypted, and its passphrase cannot be entered; decrypt the key";

  EXPECT_EQ(key_error(rewritten(a_pair().key, false, "secret")), encrypted);
  EXPECT_EQ(key_error(rewritten(a_pair().key, true, "secret")), encrypted);
}

TEST(Pem, AKeyThatIsIncompleteOrSomethingElseIsRefused) {
  const std::string& key = a_pair().key;
  for (const std::string& text : {std::string(), std::string("hello"), a_pair().certificate, key.substr(0, 60),
                                  std::string("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"),
                                  key.substr(0, key.size() - 10)}) {
    const std::string error = key_error(text);
    EXPECT_TRUE(error.starts_with("tls.key is not a PEM private key: ")) << error << " for " << text;
    EXPECT_EQ(ERR_peek_error(), 0U);
  }
}

TEST(Pem, DatesAreThoseOfTheCertificate) {
  const Validity validity = validate_certificates({"", a_pair().certificate})->front();

  EXPECT_EQ(validity.not_before, birth);
  EXPECT_EQ(validity.not_after, birth + 24h);
  EXPECT_FALSE(validity.has_begun(birth - 1s));
  EXPECT_TRUE(validity.has_begun(birth));
  EXPECT_FALSE(validity.has_ended(birth + 24h));
  EXPECT_TRUE(validity.has_ended(birth + 24h + 1s));
}

// RFC 5280 uses the year 9999 for certificates without an end; nanoseconds since 1970 end in 2262.
TEST(Pem, ADateThatIsTooFarAwayIsTheLastOne) {
  // Valid from 1950-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  const std::string endless = R"(-----BEGIN CERTIFICATE-----
MIIBBjCBraADAgECAgEBMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAWEwIBcNNTAw
MTAxMDAwMDAwWhgPOTk5OTEyMzEyMzU5NTlaMAwxCjAIBgNVBAMMAWEwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASP8Lbw05A6BV8woB3TA8sAPrq8dBGjkqcjTEp6
3pbsJPzEoJt5P5ASa8o2h355sNs1/huXOvwJhis11Rz+d2C4MAoGCCqGSM49BAMC
A0gAMEUCIBHPNiEk6tZVBJijreReUemGOC6ZtdNYee7vfFGC6jKzAiEAvnIkwix9
4SSmZOwZqbrfE7yuT9CPrkK5EldYahGYGts=
-----END CERTIFICATE-----
)";
  const Validity validity = validate_certificates({"", endless})->front();

  EXPECT_EQ(validity.not_after, WallTime::max());
  EXPECT_EQ(validity.not_before, WallTime(std::chrono::sys_days(std::chrono::year(1950) / 1 / 1)));
}

}  // namespace
}  // namespace pintle::http
