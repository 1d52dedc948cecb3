// SPDX-License-Identifier: Apache-2.0
#include "certificate_info.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <pintle/http/certificates.hpp>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

constexpr WallTime first_day = WallTime(1'700'000'000s);

KeyPair named_authority(const std::string& name) {
  return make_authority({.common_name = name, .not_before = first_day, .not_after = first_day + 48h}).value();
}
KeyPair leaf_of(const KeyPair& authority) {
  return make_server_certificate(authority, {.common_name = "leaf",
                                             .names = {"op.shop.svc", "10.0.0.1", "fd00::1"},
                                             .not_before = first_day,
                                             .not_after = first_day + 24h})
      .value();
}
std::string failure_of(const KeyPair& leaf, const std::string& trusted, const std::string& host, WallTime now) {
  const auto verified = verify_server_certificate({"the leaf", leaf.certificate}, {"the bundle", trusted}, host, now);
  EXPECT_EQ(ERR_peek_error(), 0U);
  return verified ? "" : verified.error().message;
}

TEST(CertificateInfo, DescribesEachCertificate) {
  const KeyPair authority = named_authority("ours");
  const KeyPair leaf = leaf_of(authority);

  const auto all = describe_certificates({"", "text\r\n" + leaf.certificate + "\n\n" + authority.certificate}).value();

  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].pem, leaf.certificate);
  EXPECT_EQ(all[0].common_name, "leaf");
  EXPECT_EQ(all[0].names, (std::vector<std::string>{"op.shop.svc", "10.0.0.1", "fd00:0:0:0:0:0:0:1"}));
  EXPECT_EQ(all[0].validity.not_after, first_day + 24h);
  EXPECT_EQ(all[1].common_name, "ours");
  EXPECT_TRUE(all[1].names.empty());
  EXPECT_FALSE(describe_certificates({"", "text"}));
}

TEST(CertificateInfo, FindsTheSignerAndTheHosts) {
  const KeyPair authority = named_authority("same name");
  const KeyPair other = named_authority("same name");
  const std::string leaf = leaf_of(authority).certificate;

  EXPECT_TRUE(is_signed_by(leaf, authority.certificate));
  EXPECT_FALSE(is_signed_by(leaf, other.certificate));
  EXPECT_FALSE(is_signed_by(leaf, "text"));
  for (const char* host : {"op.shop.svc", "10.0.0.1", "fd00::1"}) EXPECT_TRUE(is_valid_for_host(leaf, host)) << host;
  for (const char* host : {"op.shop", "10.0.0.2", "leaf", ""}) EXPECT_FALSE(is_valid_for_host(leaf, host)) << host;
}

// A bundle may have two authorities of the same name during a renewal.
TEST(CertificateInfo, VerifiesAsAClientDoes) {
  const KeyPair authority = named_authority("same name");
  const KeyPair other = named_authority("same name");
  const KeyPair leaf = leaf_of(authority);
  const std::string both = other.certificate + authority.certificate;

  EXPECT_EQ(failure_of(leaf, both, "op.shop.svc", first_day + 1h), "");
  EXPECT_EQ(failure_of(leaf, both, "10.0.0.1", first_day + 1h), "");
  EXPECT_EQ(failure_of(leaf, both, "op.other.svc", first_day + 1h), "the leaf is not valid for op.other.svc");
  EXPECT_EQ(failure_of(leaf, both, "op.shop.svc", first_day - 1s),
            "the leaf cannot be verified with the bundle: certificate is not yet valid");
  EXPECT_EQ(failure_of(leaf, both, "op.shop.svc", first_day + 25h),
            "the leaf cannot be verified with the bundle: certificate has expired");
  EXPECT_NE(failure_of(leaf, other.certificate, "op.shop.svc", first_day + 1h), "");
  EXPECT_NE(failure_of(leaf, "", "op.shop.svc", first_day + 1h), "");
  EXPECT_NE(failure_of(authority, both, "op.shop.svc", first_day + 1h), "") << "an authority is no server";
}

}  // namespace
}  // namespace pintle::http
