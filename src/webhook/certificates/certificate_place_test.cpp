// SPDX-License-Identifier: Apache-2.0
#include "certificate_place.hpp"

#include <gmock/gmock.h>

namespace pintle {
namespace {

using ::testing::ElementsAre;

TEST(CertificatePlace, IsASecretUnlessThereAreFilesOrAUrl) {
  const std::pair<WebhookOptions, bool> cases[] = {
      {{}, true},
      {{.certificate_file = "a", .key_file = "b"}, false},
      {{.url = "https://a:1"}, false},
      {{.secret = "s", .url = "https://a:1"}, true},
      {{.foreign_secret = "s", .url = "https://a:1"}, true},
  };
  for (const auto& [options, expected] : cases) EXPECT_EQ(is_certificate_in_secret(options), expected) << options.url;
  EXPECT_TRUE(are_authorities_kept({}));
  EXPECT_TRUE(are_authorities_kept({.certificate_file = "a", .key_file = "b", .ca_file = "c"}));
  EXPECT_FALSE(are_authorities_kept({.certificate_file = "a", .key_file = "b"}));
  EXPECT_EQ(own_secret_name({}, "op"), "op-webhooks");
  EXPECT_EQ(own_secret_name({.secret = "s"}, "op"), "s");
}

TEST(CertificatePlace, TheHostsAreThoseOfTheUrlAndOfTheService) {
  const WebhookAddress address{.service = "op", .namespace_ = "shop"};
  EXPECT_THAT(certificate_hosts({}, address), ElementsAre("op.shop.svc"));
  EXPECT_THAT(certificate_hosts({.url = "https://op.example.com:9443"}, address), ElementsAre("op.example.com"));
  EXPECT_THAT(certificate_hosts({.url = "https://op.example.com.:9443", .service_namespace = "shop"}, address),
              ElementsAre("op.example.com", "op.shop.svc"));
  EXPECT_THAT(certificate_hosts({.url = "https://[2001:db8::1]:9443"}, address), ElementsAre("2001:db8::1"));
}

}  // namespace
}  // namespace pintle
