// SPDX-License-Identifier: Apache-2.0
// The checks crds, roles, operator and leases.
#include <pintle/json/pointer.hpp>

#include "test_support.hpp"

namespace pintle::doctor {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string crds_action = "greeter --leader-elect --print-crds | kubectl apply --server-side -f -";

class BrokenCrd : public DoctorTest {
 protected:
  // Replaces a part of the CRD that the program prints.
  void print_other(std::string_view pointer, json::Value value) {
    auto crd = json::parse_yaml(crds_).value();
    ASSERT_TRUE(json::set(crd, pointer, std::move(value)));
    crds_ = json::print_yaml(crd);
  }
  // Lines of the check crds.
  std::vector<Line> crd_problems() {
    std::vector<Line> lines = problems();
    std::erase_if(lines, [](const Line& line) { return line.check != "crds"; });
    return lines;
  }
};
using BrokenRoles = DoctorTest;
using BrokenOperator = DoctorTest;
using BrokenLease = DoctorTest;

TEST_F(BrokenCrd, ThatIsMissing) {
  remove(crd_type, {.name = greetings_crd});
  ASSERT_TRUE(simulation_.run_until_idle(1s));
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(failed, "crds", greetings_crd, "is not installed", crds_action)));
}

TEST_F(BrokenCrd, WhoseNamesClash) {
  create(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: salutes.demo.pintle.dev}
spec:
  group: demo.pintle.dev
  scope: Namespaced
  names: {kind: Greeting, plural: salutes}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
)");
  ASSERT_TRUE(simulation_.run_until_idle(1s));
  options_.command.clear();
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(failed, "crds", "salutes.demo.pintle.dev", "NamesAccepted is not True",
                                                 "another CRD of the group has the same names")));
}

TEST_F(BrokenCrd, ThatLacksAVersionOfTheProgram) {
  print_other("/spec/versions/0/name", "v2");
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(failed, "crds", greetings_crd, "lacks version v2", crds_action)));
}

TEST_F(BrokenCrd, ThatDoesNotServeAVersionOfTheProgram) {
  patch(crd_type, {.name = greetings_crd}, R"({spec: {versions: [
    {name: v1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}},
    {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}})");
  EXPECT_THAT(crd_problems(),
              ElementsAre(IsLine(failed, "crds", greetings_crd, "does not serve version v1", crds_action),
                          IsLine(warn, "crds", greetings_crd, "may still be stored in version v1", "migrate-storage")));
}

TEST_F(BrokenCrd, WhoseSchemaLacksAFieldOfTheProgram) {
  print_other("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/tone", {{"type", "string"}});
  EXPECT_THAT(crd_problems(),
              ElementsAre(IsLine(failed, "crds", greetings_crd,
                                 "v1: /schema/openAPIV3Schema/properties/spec/properties/tone", crds_action)));
}

TEST_F(BrokenCrd, WhoseSchemaHasMoreThanTheProgram) {
  auto schema = json::parse_yaml(crds_).value();
  ASSERT_TRUE(json::set(schema, "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/tone",
                        {{"type", "string"}}));
  patch(crd_type, {.name = greetings_crd}, json::print(json::object{{"spec", schema.at("spec")}}));
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(warn, "crds", greetings_crd, "has more than the program",
                                                 "start the newest version of the program")));
}

TEST_F(BrokenCrd, WithAnotherScope) {
  print_other("/spec/scope", "Cluster");
  EXPECT_THAT(crd_problems(),
              ElementsAre(IsLine(failed, "crds", greetings_crd, "the program has kind Greeting with scope Cluster",
                                 "delete the CRD")));
}

TEST_F(BrokenCrd, WhoseOldVersionIsStillStored) {
  auto crd = json::parse_yaml(crds_).value();
  auto& versions = crd.at("spec").at("versions").as_array();
  json::Value old = versions[0];
  old.as_object()["name"] = "v1alpha1";
  old.as_object()["storage"] = false;
  versions.push_back(old);
  patch(crd_type, {.name = greetings_crd}, json::print(json::object{{"spec", crd.at("spec")}}));
  patch(crd_type, {.name = greetings_crd}, R"({status: {storedVersions: [v1alpha1, v1]}})", "status");
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(warn, "crds", greetings_crd, "may still be stored in version v1alpha1",
                                                 "pintle migrate-storage greetings.demo.pintle.dev")));
}

// The API server prevents this; a restored backup may contain it.
TEST_F(BrokenCrd, WhoseStoredVersionIsNotDefined) {
  auto crd = simulation_.user().get(crd_type, {.name = greetings_crd}).value().to_value();
  ASSERT_TRUE(json::set(crd, "/status/storedVersions", json::array{"v1alpha1", "v1"}));
  server_.bodies[std::string("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/") + greetings_crd] =
      json::print(crd);
  EXPECT_THAT(crd_problems(), ElementsAre(IsLine(failed, "crds", greetings_crd, "v1alpha1, which spec.versions lacks",
                                                 "add version v1alpha1")));
}

TEST_F(BrokenRoles, ThatLackARule) {
  const json::array roles = json::parse_yaml_stream(roles_).value();
  const json::Value& role = roles.back();
  ASSERT_EQ(role.at("kind"), "ClusterRole");
  json::array kept;
  for (const json::Value& rule : role.at("rules").as_array()) {
    if (rule.at("resources") != json::array{"configmaps"}) kept.push_back(rule);
  }
  patch({"rbac.authorization.k8s.io/v1", "ClusterRole"}, {.name = "greeter"},
        json::print(json::object{{"rules", kept}}));
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(failed, "roles", "ServiceAccount greeter/greeter",
                                 R"({apiGroups: [""], resources: ["configmaps"], verbs: ["create", "delete", "get", )"
                                 R"("list", "patch", "watch"]} in all namespaces)",
                                 "greeter --leader-elect --print-rbac | kubectl apply -f -")));
}

TEST_F(BrokenRoles, ThatAreNotBound) {
  remove({"rbac.authorization.k8s.io/v1", "ClusterRoleBinding"}, {.name = "greeter"});
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "roles", "ServiceAccount greeter/greeter",
                                             "permissions of ClusterRole greeter",
                                             "kubectl create clusterrolebinding greeter --clusterrole=greeter "
                                             "--serviceaccount=greeter:greeter")));
  create(R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: greeter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: greeter}
subjects: [{kind: Group, name: "system:serviceaccounts:greeter", apiGroup: rbac.authorization.k8s.io}]
)");
  EXPECT_THAT(problems(), IsEmpty());
  remove({"rbac.authorization.k8s.io/v1", "RoleBinding"}, {"greeter", "greeter"});
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "roles", "greeter/greeter", "of Role greeter in namespace greeter",
                                             "kubectl create rolebinding greeter --namespace=greeter --role=greeter")));
}

TEST_F(BrokenRoles, ThatAreBoundInOneNamespaceOnly) {
  remove({"rbac.authorization.k8s.io/v1", "ClusterRoleBinding"}, {.name = "greeter"});
  create(R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: all, namespace: greeter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: greeter}
subjects: [{kind: ServiceAccount, name: greeter, namespace: greeter}]
)");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "roles", "greeter/greeter", "in all namespaces",
                                             "kubectl create clusterrolebinding")));
}

TEST_F(BrokenRoles, ThatCannotBeReadAreReviewedByTheServer) {
  reject("/apis/rbac.authorization.k8s.io/v1/clusterroles", 403, "Forbidden");
  EXPECT_THAT(problems(), IsEmpty());  // the embedded server allows everything
}

TEST_F(BrokenOperator, ThatRestartsBecauseOfItsMemory) {
  patch(pod_type, {"greeter", "greeter-x7"}, R"({status: {containerStatuses: [
    {name: greeter, image: "greeter:1", imageID: x, ready: true, restartCount: 4,
     lastState: {terminated: {reason: OOMKilled, exitCode: 137}}}]}})",
        "status");
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "operator", "Pod greeter/greeter-x7",
                                             "restarted 4 times (last: OOMKilled, exit code 137)",
                                             "kubectl logs --previous -n greeter greeter-x7")));
}

TEST_F(BrokenOperator, WhosePodIsNotReady) {
  patch(pod_type, {"greeter", "greeter-x7"}, R"({status: {conditions: [{type: Ready, status: "False"}],
    containerStatuses: [{name: greeter, image: "greeter:1", imageID: x, ready: false, restartCount: 0,
     state: {waiting: {reason: ImagePullBackOff, message: no such image}}}]}})",
        "status");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "operator", "greeter-x7", "ImagePullBackOff: no such image",
                                             "kubectl describe pod -n greeter greeter-x7")));
}

TEST_F(BrokenOperator, WhosePodHasAnotherImage) {
  patch(deployment_type, {"greeter", "greeter"},
        R"({spec: {template: {spec: {containers: [{name: greeter, image: "greeter:2"}]}}}})");
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(warn, "operator", "greeter-x7",
                                 "runs image greeter:1, but its Deployment has greeter:2", "rollout status")));
}

TEST_F(BrokenOperator, WithoutPods) {
  patch(deployment_type, {"greeter", "greeter"}, "{spec: {replicas: 2}}");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "operator", "Deployment greeter/greeter", "has 1 of 2 Pods",
                                             "kubectl describe")));
  patch(deployment_type, {"greeter", "greeter"}, "{spec: {replicas: 0}}");
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(warn, "operator", "Deployment greeter/greeter", "has 0 replicas", "--replicas=1")));
}

TEST_F(BrokenOperator, WithAnEvictedPodIsHealthy) {
  create_with_status(R"(
apiVersion: v1
kind: Pod
metadata: {name: greeter-x6, namespace: greeter, labels: {app.kubernetes.io/name: greeter}}
spec:
  containers: [{name: greeter, image: "greeter:0"}]
status: {phase: Failed, reason: Evicted}
)");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(BrokenOperator, ThatIsNotDeployed) {
  remove(deployment_type, {"greeter", "greeter"});
  EXPECT_THAT(problems(),
              ElementsAre(IsLine(skip, "operator", "Deployment", "app.kubernetes.io/name=greeter", "--print-deploy")));
}

TEST_F(BrokenLease, WhoseHolderDoesNotRenewIt) {
  simulation_.executor().sleep_for(1min);
  EXPECT_THAT(problems(),
              ElementsAre(AllOf(IsLine(failed, "leases", "Lease greeter/greeter", "held by greeter-x7_",
                                       "kubectl logs -n greeter greeter-x7"),
                                Field(&Line::detail, HasSubstr("renewed it 1m ago, but must do so every 15s")))));
}

TEST_F(BrokenLease, WhoseHolderIsGone) {
  patch({"coordination.k8s.io/v1", "Lease"}, {"greeter", "greeter"}, "{spec: {holderIdentity: greeter-x6_1}}");
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "leases", "Lease greeter/greeter",
                                             "held by greeter-x6_1 (no such Pod or Node)", "wait 15s")));
  simulation_.executor().sleep_for(1min);
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "leases", "Lease greeter/greeter", "no instance leads",
                                             "start the operator")));
}

TEST_F(BrokenLease, OfTheControlPlaneNeedsNoPod) {
  const std::string now = format_micro_time(simulation_.executor().wall_now());
  for (const char* place : {"name: scheduler, namespace: kube-system", "name: agent, namespace: greeter"}) {
    create("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {" + std::string(place) +
           "}, spec: {holderIdentity: node-1_2, leaseDurationSeconds: 15, renewTime: '" + now + "'}}");
  }
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "leases", "greeter/agent", "held by node-1_2 (no such", "wait")));
  create("{apiVersion: v1, kind: Node, metadata: {name: node-1}}");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(BrokenLease, OfANodeIsNotAnElection) {
  create(R"(
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: node-1, namespace: kube-node-lease}
spec: {holderIdentity: node-1, leaseDurationSeconds: 40, renewTime: "2020-01-01T00:00:00.000000Z"}
)");
  EXPECT_THAT(problems(), IsEmpty());
}

}  // namespace
}  // namespace pintle::doctor
