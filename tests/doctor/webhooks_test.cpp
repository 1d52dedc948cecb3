// SPDX-License-Identifier: Apache-2.0
// The check webhooks.
#include <pintle/json/pointer.hpp>

#include "test_support.hpp"

namespace pintle::doctor {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* own_webhook = "ValidatingWebhookConfiguration greeter: validate.";

class BrokenWebhook : public DoctorTest {
 protected:
  // Changes members of the webhook of the operator.
  void change_webhook(const std::string& pointer, const std::string& yaml) {
    const auto there = simulation_.user().get(validating_type, {.name = "greeter"});
    ASSERT_TRUE(there) << there.error().to_string();
    json::Value next = there->to_value();
    ASSERT_TRUE(json::set(next, "/webhooks/0" + pointer, json::parse_yaml(yaml).value()));
    const auto replaced = simulation_.user().replace(next);
    ASSERT_TRUE(replaced) << replaced.error().to_string();
  }
  // Creates a webhook of another program in the namespace of the operator.
  void create_other(const std::string& members) {
    create(R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy}
webhooks:
- name: check.policy.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {service: {name: greeter, namespace: greeter}, caBundle: )" +
           trust_bundle_ + "}\n" + members);
  }
};

TEST_F(BrokenWebhook, WhoseServiceIsMissing) {
  remove({"v1", "Service"}, {"greeter", "greeter"});
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(failed, "webhooks", own_webhook, "service greeter/greeter, which does not exist",
                                 "remove the webhook if the program was removed")));
  change_webhook("/failurePolicy", "Ignore");
  EXPECT_THAT(problems(),
              Contains(IsLine(warn, "webhooks", own_webhook, "which does not exist", "install the program")));
}

TEST_F(BrokenWebhook, WhoseServiceHasNoReadyEndpoint) {
  patch({"discovery.k8s.io/v1", "EndpointSlice"}, {"greeter", "greeter-1"},
        "{endpoints: [{addresses: [10.0.0.1], conditions: {ready: false}}]}");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", own_webhook, "which has no ready endpoint",
                                             "kubectl get pods -n greeter -l 'app.kubernetes.io/name=greeter'")));
}

TEST_F(BrokenWebhook, WhoseServiceLacksThePort) {
  change_webhook("/clientConfig/service/port", "8443");
  EXPECT_THAT(problems(), Contains(IsLine(failed, "webhooks", own_webhook, "calls port 8443 of service greeter/greeter",
                                          "kubectl edit service -n greeter greeter")));
}

TEST_F(BrokenWebhook, WithoutATrustBundle) {
  change_webhook("/clientConfig/caBundle", "\"\"");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", own_webhook, "empty caBundle",
                                             "kubectl edit validatingwebhookconfigurations greeter")));
}

TEST_F(BrokenWebhook, WhoseTrustBundleHasExpired) {
  const WallTime now = simulation_.executor().wall_now();
  change_webhook("/clientConfig/caBundle", trust_bundle_until(now - 1h));
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", own_webhook, "caBundle that expired at 2025-12-31",
                                             "renew the authority")));
  change_webhook("/clientConfig/caBundle", trust_bundle_until(now + 48h));
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "webhooks", own_webhook, "caBundle that expires at", "renew")));
}

TEST_F(BrokenWebhook, ThatWouldLockTheCluster) {
  create_other(R"(  rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}])");
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(failed, "webhooks", "policy: check.policy.example.com",
                                 "would lock the cluster: with failurePolicy Fail it receives pods, leases, "
                                 "nodes, namespaces, endpointslices,",
                                 "operator: NotIn, values: [greeter]")));
}

TEST_F(BrokenWebhook, ThatReceivesThePodsOfItsOwnNamespaceWouldLock) {
  create_other(R"(  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: greeter}})");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", "policy", "it receives pods, also those",
                                             "set failurePolicy: Ignore")));
}

TEST_F(BrokenWebhook, ThatReceivesSubresourcesWithoutWhichNoPodStartsWouldLock) {
  create_other(R"(  rules:
  - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods/binding, serviceaccounts/token]}
  - {operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/status"]})");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", "policy",
                                             "it receives pods/binding, pods/status, nodes/status, "
                                             "serviceaccounts/token, also those",
                                             "set failurePolicy: Ignore")));
}

TEST_F(BrokenWebhook, ThatExcludesItsOwnNamespaceDoesNotLock) {
  create_other(R"(  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  namespaceSelector:
    matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [greeter]}])");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(BrokenWebhook, ThatReceivesOnlyDeletionsOrSubresourcesDoesNotLock) {
  create_other(R"(  rules:
  - {operations: [DELETE], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}
  - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods/exec]})");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(BrokenWebhook, OfTheProgramThatIsNotInstalled) {
  remove_webhook();
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "webhooks", "ValidatingWebhookConfiguration greeter",
                                             "is not installed", "--webhook-install upgrade")));
}

TEST_F(BrokenWebhook, ThatDiffersFromTheProgram) {
  change_webhook("/failurePolicy", "Ignore");
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "webhooks", "ValidatingWebhookConfiguration greeter",
                                             "differs from the program at /webhooks/0/failurePolicy",
                                             "--webhook-install upgrade")));
}

TEST_F(BrokenWebhook, OfAConversionWithoutAService) {
  patch(crd_type, {.name = greetings_crd},
        R"({spec: {conversion: {strategy: Webhook, webhook: {
    conversionReviewVersions: [v1], clientConfig: {service: {name: gone, namespace: greeter}, caBundle: )" +
            trust_bundle_ + "}}}}}");
  EXPECT_THAT(problems(), Contains(IsLine(failed, "webhooks", "conversion of CRD greetings.demo.pintle.dev",
                                          "service greeter/gone, which does not exist", "install the program")));
}

}  // namespace
}  // namespace pintle::doctor
