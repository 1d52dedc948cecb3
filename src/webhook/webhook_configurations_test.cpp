// SPDX-License-Identifier: Apache-2.0
#include "webhook_configurations.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

AdmissionVerdict admit(const Greeting&, const AdmissionContext&) { return admitted(); }
AdmissionVerdict keep(Greeting&, const AdmissionContext&) { return admitted(); }
AdmissionVerdict admit_object(const Object&, const AdmissionContext&) { return admitted(); }

const WebhookAddress in_cluster{.service = "op-webhook", .namespace_ = "op", .ca = "CA"};

std::string member_of(const json::Value& configuration, const char* pointer) {
  const json::Value* found = json::find(configuration, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

TEST(WebhookConfigurations, ContainAllMembersOfTheDeclaration) {
  const auto made = webhook_configurations(
      {erase_type(Admission<Greeting>{.operations = {AdmissionOperation::create, AdmissionOperation::delete_},
                                      .subresources = {"status"},
                                      .mutate = keep,
                                      .validate = admit,
                                      .side_effects = SideEffects::none_on_dry_run,
                                      .failure_policy = FailurePolicy::ignore,
                                      .timeout = std::chrono::seconds(3),
                                      .match_policy = MatchPolicy::exact,
                                      .reinvocation = Reinvocation::if_needed,
                                      .scope = AdmissionScope::namespaced,
                                      .namespace_selector = "team in (a,b)",
                                      .object_selector = "!legacy",
                                      .match_conditions = {{"by-user", "request.userInfo.username != 'x'"}}})},
      "op", in_cluster);

  ASSERT_THAT(made, SizeIs(2));
  EXPECT_EQ(
      json::print(made[0]),
      R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",)"
      R"("metadata":{"name":"op"},"webhooks":[{"name":"mutate.greeting.example.com","clientConfig":{"service":)"
      R"({"name":"op-webhook","namespace":"op","path":"/mutate/greeting","port":443},"caBundle":"Q0E="},"rules":[)"
      R"({"operations":["CREATE"],"apiGroups":["example.com"],"apiVersions":["v1"],"resources":["greetings",)"
      R"("greetings/status"],"scope":"Namespaced"}],"failurePolicy":"Ignore","matchPolicy":"Exact",)"
      R"("namespaceSelector":{"matchExpressions":[{"key":"team","operator":"In","values":["a","b"]},)"
      R"({"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["op"]}]},)"
      R"("objectSelector":{"matchExpressions":[{"key":"legacy","operator":"DoesNotExist"}]},)"
      R"("sideEffects":"NoneOnDryRun","timeoutSeconds":3,"admissionReviewVersions":["v1"],"matchConditions":[)"
      R"({"name":"by-user","expression":"request.userInfo.username != 'x'"}],"reinvocationPolicy":"IfNeeded"}]})");
  EXPECT_EQ(member_of(made[1], "/kind"), "\"ValidatingWebhookConfiguration\"");
  EXPECT_EQ(member_of(made[1], "/webhooks/0/rules/0/operations"), R"(["CREATE","DELETE"])");
  EXPECT_EQ(member_of(made[1], "/webhooks/0/reinvocationPolicy"), "missing");
}

TEST(WebhookConfigurations, ThereIsNoneWithoutAFunction) {
  EXPECT_THAT(webhook_configurations({}, "op", in_cluster), IsEmpty());
  const auto only_mutating =
      webhook_configurations({erase_type(Admission<Greeting>{.mutate = keep})}, "op", in_cluster);
  ASSERT_THAT(only_mutating, SizeIs(1));
  EXPECT_EQ(member_of(only_mutating[0], "/kind"), "\"MutatingWebhookConfiguration\"");
}

TEST(WebhookConfigurations, ADeletionIsNotSentToAMutatingWebhook) {
  const auto made = webhook_configurations(
      {erase_type(Admission<Greeting>{.operations = {AdmissionOperation::delete_}, .mutate = keep, .validate = admit})},
      "op", in_cluster);
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(member_of(made[0], "/kind"), "\"ValidatingWebhookConfiguration\"");
}

TEST(WebhookConfigurations, IncludeTheOwnNamespaceOnlyOnRequest) {
  const auto made = webhook_configurations(
      {erase_type(Admission<Greeting>{.validate = admit, .include_own_namespace = true})}, "op", in_cluster);
  EXPECT_EQ(member_of(made[0], "/webhooks/0/namespaceSelector"), "{}");
}

TEST(WebhookConfigurations, NameAUrlInsteadOfAService) {
  const auto made = webhook_configurations({erase_type(Admission<Greeting>{.validate = admit})}, "op",
                                           {.url = "https://10.0.0.1:9443"});
  EXPECT_EQ(member_of(made[0], "/webhooks/0/clientConfig"), R"({"url":"https://10.0.0.1:9443/validate/greeting"})");
}

TEST(WebhookReach, RefusesWhatCouldLockTheCluster) {
  const auto check = [](Admission<Object> admission) {
    return validate_webhook_reach({erase_type(std::move(admission))}, in_cluster);
  };
  const auto message = [&](Admission<Object> admission) {
    const auto errors = check(std::move(admission));
    return errors.size() == 1 ? errors[0].message : "errors: " + std::to_string(errors.size());
  };

  EXPECT_THAT(message({.kind = {"v1", "Pod"}, .validate = admit_object}), HasSubstr("admission pod: while"));
  EXPECT_THAT(message({.kind = {"coordination.k8s.io/v1", "Lease"}, .validate = admit_object}), HasSubstr("leases"));
  EXPECT_THAT(message({.kind = {"apps/v1", "A"}, .resource = "*", .validate = admit_object}),
              HasSubstr("no deployments, replicasets, daemonsets and 1 other could be written"));
  EXPECT_THAT(message({.kind = {"*/v1", "A"}, .resource = "pods", .validate = admit_object}), HasSubstr("no pods"));
  EXPECT_THAT(message({.kind = {"v1", "A"}, .resource = "*/*", .validate = admit_object}),
              HasSubstr("no pods, pods/binding, pods/status and "));
  EXPECT_THAT(message({.kind = {"v1", "Pod"}, .resource = "pods/*", .validate = admit_object}),
              HasSubstr("no pods, pods/binding"));
  EXPECT_THAT(message({.kind = {"rbac.authorization.k8s.io/v1", "ClusterRole"}, .validate = admit_object}),
              HasSubstr("no clusterroles"));
  EXPECT_THAT(message({.kind = {"authentication.k8s.io/v1", "TokenReview"}, .validate = admit_object}),
              HasSubstr("no tokenreviews"));
  const std::pair<const char*, const char*> subresources[] = {
      {"ServiceAccount", "token"}, {"Pod", "binding"}, {"Node", "status"}, {"Namespace", "finalize"}};
  for (const auto& [kind, subresource] : subresources) {
    EXPECT_THAT(
        message(
            {.kind = {"v1", kind}, .subresources = {subresource}, .only_subresources = true, .validate = admit_object}),
        HasSubstr(std::string("/") + subresource + " could be written"));
  }
  // The selector does not apply to cluster-scoped objects, except a Namespace.
  EXPECT_THAT(message({.kind = {"v1", "Node"}, .validate = admit_object, .namespace_selector = "team"}),
              HasSubstr("(.namespace_selector does not apply to nodes)"));
  EXPECT_THAT(message({.kind = {"v1", "Pod"},
                       .validate = admit_object,
                       .namespace_selector = "team",
                       .include_own_namespace = true}),
              HasSubstr("in namespace op could not be written"));
  EXPECT_THAT(message({.kind = {"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"},
                       .validate = admit_object,
                       .failure_policy = FailurePolicy::ignore}),
              HasSubstr("remove the admission"));

  EXPECT_THAT(check({.kind = {"v1", "Pod"}, .validate = admit_object, .failure_policy = FailurePolicy::ignore}),
              IsEmpty());
  EXPECT_THAT(check({.kind = {"v1", "Pod"}, .validate = admit_object, .namespace_selector = "team"}), IsEmpty());
  EXPECT_THAT(check({.kind = {"v1", "Namespace"}, .validate = admit_object, .namespace_selector = "team"}), IsEmpty());
  EXPECT_THAT(check({.kind = {"v1", "Node"}, .validate = admit_object, .object_selector = "team"}), IsEmpty());
  EXPECT_THAT(check({.kind = {"v1", "Node"}, .validate = admit_object, .scope = AdmissionScope::namespaced}),
              IsEmpty());
  EXPECT_THAT(
      check({.kind = {"v1", "Pod"}, .subresources = {"exec"}, .only_subresources = true, .validate = admit_object}),
      IsEmpty());
  EXPECT_THAT(check({.kind = {"example.com/v1", "Greeting"}, .validate = admit_object}), IsEmpty());
  EXPECT_THAT(check({.kind = {"example.com/v1", "A"}, .resource = "*", .validate = admit_object}), IsEmpty());
}

}  // namespace
}  // namespace pintle
