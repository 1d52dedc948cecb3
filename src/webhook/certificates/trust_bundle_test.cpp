// SPDX-License-Identifier: Apache-2.0
#include "trust_bundle.hpp"

#include <gmock/gmock.h>

#include <pintle/object/bytes.hpp>

#include "certificate_state.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr WallTime made_then = WallTime(std::chrono::seconds(1'700'000'000));

std::string any_authority() { return make_certificates({.names = {"a"}}, {}, made_then)->authority.certificate; }

Object definition(const std::string& strategy, const std::string& ca) {
  return Object(json::Value{
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "CustomResourceDefinition"},
      {"metadata", {{"name", "as.example.com"}, {"resourceVersion", "7"}}},
      {"spec",
       {{"conversion",
         {{"strategy", strategy},
          {"webhook",
           {{"clientConfig",
             {{"service", {{"name", "op"}, {"namespace", "shop"}}}, {"caBundle", Bytes(ca).to_base64()}}}}}}}}}});
}

TEST(TrustBundle, FindsTheConversionWebhookOfADefinition) {
  const std::string one = any_authority();
  const WebhookAddress ours{.service = "op", .namespace_ = "shop"};
  const auto found = client_configs(definition("Webhook", one + "text\n" + one), ours);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].pointer, "/spec/conversion/webhook/clientConfig");
  EXPECT_THAT(found[0].trusted, ElementsAre(one));
  EXPECT_THAT(client_configs(definition("None", one), ours), IsEmpty());
  EXPECT_THAT(client_configs(definition("Webhook", one), {.service = "op", .namespace_ = "other"}), IsEmpty());
  EXPECT_THAT(client_configs(definition("Webhook", "text"), ours)[0].trusted, IsEmpty());
}

TEST(TrustBundle, FindsTheWebhooksOfAnAddress) {
  const auto webhook = [](const char* url) { return json::Value{{"clientConfig", {{"url", url}}}}; };
  const Object object(json::Value{
      {"kind", "MutatingWebhookConfiguration"},
      {"webhooks", json::array{webhook("https://a:10/x"), webhook("https://a:1/x"), webhook("https://a:1")}}});
  const auto found = client_configs(object, {.url = "https://a:1"});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].pointer, "/webhooks/1/clientConfig");
}

TEST(TrustBundle, ChangesABundleOnlyIfItDiffers) {
  const std::string one = any_authority();
  const std::string two = any_authority();
  const WebhookAddress ours{.service = "op", .namespace_ = "shop"};
  const auto bundle_after = [&](const std::string& before, const Authorities& wanted, bool removes) {
    const Object object = definition("Webhook", before);
    const json::Patch patch = bundle_patch(object, client_configs(object, ours), wanted, removes);
    if (patch.empty()) return Authorities{"unchanged"};
    json::Value changed = object.to_value();
    EXPECT_TRUE(json::apply_patch(changed, patch.operations));
    json::Value other = changed;
    other.at("metadata").as_object()["resourceVersion"] = "8";
    EXPECT_FALSE(json::apply_patch(other, patch.operations)) << "another version";
    return client_configs(Object(changed), ours).at(0).trusted;
  };
  EXPECT_THAT(bundle_after(one + two, {two, one}, true), ElementsAre("unchanged"));
  EXPECT_THAT(bundle_after(one + two, {one}, false), ElementsAre("unchanged"));
  EXPECT_THAT(bundle_after(one, {}, true), ElementsAre("unchanged")) << "an empty bundle would trust all authorities";
  EXPECT_THAT(bundle_after(one + two, {one}, true), ElementsAre(one));
  EXPECT_THAT(bundle_after(one, {two}, false), UnorderedElementsAre(one, two));
  EXPECT_THAT(bundle_after("text", {two}, true), ElementsAre(two));
}

}  // namespace
}  // namespace pintle
