// SPDX-License-Identifier: Apache-2.0
// Errors of Pods, Nodes and NetworkPolicies (server-facts 17).
#include "apiserver/test_server.hpp"

#include <algorithm>

namespace pintle {
namespace {

class Validation : public ServerTest {
 protected:
  TestReply make_pod(const std::string& container, const std::string& spec = "") {
    return post("/api/v1/namespaces/default/pods?dryRun=All", R"({"metadata":{"name":"p"},"spec":{)" + spec +
                                                                  R"("containers":[{"name":"c","image":"i",)" +
                                                                  container + "}]}}");
  }
  TestReply make_policy(const std::string& port) {
    return post("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies?dryRun=All",
                R"({"metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[{"ports":[)" + port + "]}]}}");
  }
};

TEST_F(Validation, TheResourcesOfAContainerAreChecked) {
  const auto negative = make_pod(R"("resources":{"limits":{"cpu":"-1"}})");
  EXPECT_EQ(negative.status, 422);
  EXPECT_NE(negative.causes().find("FieldValueInvalid@spec.containers[0].resources.limits[cpu]"), std::string::npos)
      << negative.body;
  const auto above = make_pod(R"("resources":{"requests":{"cpu":"2"},"limits":{"cpu":"1"}})");
  EXPECT_EQ(above.causes(), "FieldValueInvalid@spec.containers[0].resources.requests");
  EXPECT_EQ(above.at("/details/causes/0/message"),
            "Invalid value: \"2\": must be less than or equal to cpu limit of 1");
  EXPECT_EQ(make_pod(R"("resources":{"requests":{"cpu":"1000m"},"limits":{"cpu":"1"}})").status, 201);
}

TEST_F(Validation, PortsVolumesAndMountsAreChecked) {
  EXPECT_EQ(make_pod(R"("ports":[{"containerPort":0}])").causes(),
            "FieldValueRequired@spec.containers[0].ports[0].containerPort");
  EXPECT_EQ(make_pod(R"("ports":[{"containerPort":65536}])").causes(),
            "FieldValueInvalid@spec.containers[0].ports[0].containerPort");
  const auto unknown = make_pod(R"("volumeMounts":[{"name":"x","mountPath":"/x"}])");
  EXPECT_EQ(unknown.causes(), "FieldValueNotFound@spec.containers[0].volumeMounts[0].name");
  EXPECT_EQ(unknown.at("/details/causes/0/message"), "Not found: \"x\"");
  EXPECT_EQ(
      make_pod(R"("command":[])", R"("volumes":[{"name":"v","emptyDir":{}},{"name":"v","emptyDir":{}}],)").causes(),
      "FieldValueDuplicate@spec.volumes[1].name");
}

TEST_F(Validation, HostPortsProbesAndVariablesAreChecked) {
  const std::string at = "@spec.containers[0].";
  EXPECT_EQ(make_pod(R"("ports":[{"containerPort":80,"hostPort":70000}])").causes(),
            "FieldValueInvalid" + at + "ports[0].hostPort");
  EXPECT_EQ(make_pod(R"("livenessProbe":{"httpGet":{"port":0},"periodSeconds":-1,"successThreshold":2})").causes(),
            "FieldValueInvalid" + at + "livenessProbe.httpGet.port FieldValueInvalid" + at +
                "livenessProbe.periodSeconds FieldValueInvalid" + at + "livenessProbe.successThreshold");
  EXPECT_EQ(make_pod(R"("readinessProbe":{"periodSeconds":1})").causes(), "FieldValueRequired" + at + "readinessProbe");
  EXPECT_EQ(make_pod(R"("startupProbe":{"exec":{},"grpc":{"port":80}})").causes(),
            "FieldValueRequired" + at + "startupProbe.exec.command FieldValueForbidden" + at + "startupProbe.grpc");
  EXPECT_EQ(make_pod(R"("env":[{"name":""},{"name":"a=b"},{"name":"A","valueFrom":{}}])").causes(),
            "FieldValueRequired" + at + "env[0].name FieldValueInvalid" + at + "env[1].name FieldValueInvalid" + at +
                "env[2].valueFrom");
  EXPECT_EQ(make_pod(R"("livenessProbe":{"tcpSocket":{"port":"http"}},"readinessProbe":{"grpc":{"port":1},
      "successThreshold":2},"env":[{"name":"a b.c","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}])")
                .causes(),
            "");
}

TEST_F(Validation, TheNamesAndTimesOfAPodAreChecked) {
  EXPECT_EQ(make_pod(R"("command":[])", R"("hostname":"A.b","subdomain":"_","activeDeadlineSeconds":0,)").causes(),
            "FieldValueInvalid@spec.activeDeadlineSeconds FieldValueInvalid@spec.hostname "
            "FieldValueInvalid@spec.subdomain");

  const std::string pods = "/api/v1/namespaces/default/pods";
  const auto make = [&](const std::string& name, const std::string& seconds) {
    post(pods, R"({"metadata":{"name":")" + name + R"("},"spec":{"terminationGracePeriodSeconds":)" + seconds +
                   R"(,"activeDeadlineSeconds":9,"containers":[{"name":"c","image":"i"}]}})");
  };
  make("a", "30");
  make("b", "-5");
  const std::string one_second = R"({"spec":{"terminationGracePeriodSeconds":1}})";
  EXPECT_EQ(merge(pods + "/a", one_second).causes(), "FieldValueForbidden@spec");
  EXPECT_EQ(merge(pods + "/b", one_second).status, 200);
  EXPECT_EQ(merge(pods + "/a", R"({"spec":{"activeDeadlineSeconds":8}})").status, 200);
  for (const char* seconds : {"9", "null"}) {
    EXPECT_EQ(merge(pods + "/a", R"({"spec":{"activeDeadlineSeconds":)" + std::string(seconds) + "}}").causes(),
              "FieldValueInvalid@spec.activeDeadlineSeconds");
  }
}

TEST_F(Validation, TheLimitsOfALimitRangeAreChecked) {
  const auto make = [&](const std::string& limits) {
    return post("/api/v1/namespaces/default/limitranges?dryRun=All",
                R"({"metadata":{"name":"l"},"spec":{"limits":[)" + limits + "]}}");
  };
  EXPECT_EQ(
      make(R"({"type":"Container","min":{"cpu":"1"},"max":{"cpu":"2"},"maxLimitRequestRatio":{"cpu":"2"}})").status,
      201);
  const auto order = make(R"({"type":"Container","min":{"cpu":"2"},"max":{"cpu":"1"},"default":{"cpu":"5"}})");
  EXPECT_EQ(order.causes(),
            "FieldValueInvalid@spec.limits[0].min[cpu] FieldValueInvalid@spec.limits[0].defaultRequest[cpu] "
            "FieldValueInvalid@spec.limits[0].default[cpu]");
  EXPECT_EQ(order.at("/details/causes/0/message"), "Invalid value: \"2\": min value 2 is greater than max value 1");
  EXPECT_EQ(make(R"({"type":"Pod","default":{"cpu":"1"}},{"type":"Pod"},{"type":"Node"})").causes(),
            "FieldValueForbidden@spec.limits[0].default FieldValueDuplicate@spec.limits[1].type "
            "FieldValueInvalid@spec.limits[2].type");
  EXPECT_EQ(make(R"({"type":"PersistentVolumeClaim","default":{"storage":"1"}})").causes(),
            "FieldValueRequired@spec.limits[0].limits");
  EXPECT_EQ(make(R"({"type":"Pod","min":{"cpu":"1"},"max":{"cpu":"2"},"maxLimitRequestRatio":{"cpu":"4"}})")
                .at("/details/causes/0/message"),
            "Invalid value: \"4\": ratio 4 is greater than max/min = 2.000000");
}

TEST_F(Validation, TheAmountsAndScopesOfAQuotaAreChecked) {
  const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
  const auto make = [&](const std::string& spec) {
    return post(quotas + "?dryRun=All", R"({"metadata":{"name":"q"},"spec":{)" + spec + "}}").causes();
  };
  EXPECT_EQ(make(R"("hard":{"pods":"1","requests.cpu":"1500m","count/jobs.batch":"3","requests.nvidia.com/gpu":"4",)"
                 R"("hugepages-2Mi":"1Gi","gold.storageclass.storage.k8s.io/requests.storage":"1Gi"})"),
            "");
  EXPECT_EQ(make(R"("hard":{"pods":"-1","secrets":"1500m","count/jobs.batch":"0.5"})"),
            "FieldValueInvalid@spec.hard[pods] FieldValueInvalid@spec.hard[secrets] "
            "FieldValueInvalid@spec.hard[count/jobs.batch]");
  EXPECT_EQ(make(R"("hard":{"foo":"1"})"), "FieldValueInvalid@spec.hard[foo] FieldValueInvalid@spec.hard[foo]");
  EXPECT_EQ(make(R"("hard":{"pods":"1"},"scopes":["BestEffort","NotBestEffort"])"), "FieldValueInvalid@spec.scopes");
  EXPECT_EQ(make(R"("hard":{"cpu":"1"},"scopes":["BestEffort"])"), "FieldValueInvalid@spec.scopes");

  post(quotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"1"}}})");
  EXPECT_EQ(merge(quotas + "/q", R"({"spec":{"scopes":["BestEffort"]}})").causes(), "FieldValueInvalid@spec.scopes");
}

TEST_F(Validation, AStatefulSetMountsItsClaims) {
  const auto made = post("/apis/apps/v1/namespaces/default/statefulsets?dryRun=All",
                         R"({"metadata":{"name":"s"},"spec":{"selector":{"matchLabels":{"a":"b"}},"serviceName":"s",
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i",
      "volumeMounts":[{"name":"data","mountPath":"/d"}]}]}},"volumeClaimTemplates":[{"metadata":{"name":"data"},
      "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}})");
  EXPECT_EQ(made.status, 201) << made.body;
}

TEST_F(Validation, ThePortsOfANetworkPolicyAreChecked) {
  const auto message = [&](const std::string& port) { return make_policy(port).at("/details/causes/0/message"); };
  EXPECT_EQ(make_policy(R"({"endPort":90})").causes(), "FieldValueInvalid@spec.ingress[0].ports[0].endPort");
  EXPECT_EQ(message(R"({"endPort":90})"), "Invalid value: 90: may not be specified when `port` is not specified");
  EXPECT_EQ(message(R"({"port":"web","endPort":90})"),
            "Invalid value: 90: may not be specified when `port` is non-numeric");
  EXPECT_EQ(message(R"({"port":80,"endPort":79})"), "Invalid value: 80: must be greater than or equal to `port`");
  EXPECT_EQ(make_policy(R"({"port":80,"endPort":90})").status, 201);
}

TEST_F(Validation, TheAddressRangeOfANodeIsChecked) {
  const auto make_node = [&](const std::string& spec) {
    return post("/api/v1/nodes?dryRun=All", R"({"metadata":{"name":"n"},"spec":{)" + spec + "}}");
  };
  const auto refused = make_node(R"("podCIDR":"x")");
  EXPECT_EQ(refused.causes(), "FieldValueInvalid@spec.podCIDRs[0]");
  EXPECT_EQ(refused.at("/details/causes/0/message"),
            "Invalid value: \"x\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  EXPECT_EQ(make_node(R"("podCIDR":"10.1.0.0/33")").status, 422);
  EXPECT_EQ(make_node(R"("podCIDR":"10.1.0.0/24","podCIDRs":["10.1.0.0/24","fd00::/64"])").status, 201);
}

TEST_F(Validation, IntegersBeyondTheirTypeAreRefused) {
  const std::string above = "18446744073709551615";
  const auto message = [&](const std::string& collection, const std::string& body) {
    const auto refused = post(collection, body);
    EXPECT_EQ(refused.status, 400) << refused.body;
    const std::string text = refused.at("/message");
    return text.substr(std::min(text.find("json: "), text.size()));
  };
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  EXPECT_EQ(message(leases, R"({"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":)" + above + "}}"),
            "json: cannot unmarshal number " + above +
                " into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32");
  EXPECT_EQ(
      message(leases, R"({"metadata":{"name":"l"},"spec":{"leaseTransitions":)" + above + "}}"),
      "json: cannot unmarshal number " + above + " into Go struct field LeaseSpec.spec.leaseTransitions of type int32");
  EXPECT_EQ(message("/apis/events.k8s.io/v1/namespaces/default/events",
                    R"({"metadata":{"name":"e","namespace":"default"},"type":"Normal","action":"a","reason":"r",
                        "reportingController":"a.dev/b","reportingInstance":"i","note":"n",
                        "eventTime":"2026-01-01T00:00:00.000000Z","regarding":{"namespace":"default"},
                        "series":{"count":)" +
                        above + R"(,"lastObservedTime":"2026-01-01T00:00:00.000000Z"}})"),
            "json: cannot unmarshal number " + above + " into Go struct field EventSeries.series.count of type int32");
}

TEST_F(Validation, IntegersOf32BitsHaveTheirRange) {
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  const auto deployment = [](const std::string& name, const std::string& spec) {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}},)" +
           spec + "}}";
  };
  const std::string why =
      "json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32";
  const auto refused = post(deployments, deployment("e", R"("replicas":2147483648)"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.at("/message").ends_with(why)) << refused.body;
  EXPECT_EQ(post(deployments, deployment("e", R"("replicas":-2147483649)")).status, 400);
  EXPECT_EQ(post(deployments, deployment("e", R"("strategy":{"rollingUpdate":{"maxSurge":2147483648}})")).status, 400);

  ASSERT_EQ(post(deployments, deployment("d", R"("replicas":2147483647)")).status, 201);
  const auto patched = merge(deployments + "/d", R"({"spec":{"replicas":2147483648}})");
  EXPECT_EQ(patched.status, 422) << "as for every patch whose result has a wrong type";
  EXPECT_TRUE(patched.at("/message").ends_with(why)) << patched.body;
  const std::string scale = R"({"metadata":{"name":"d"},"spec":{"replicas":2147483648}})";
  EXPECT_EQ(put(deployments + "/d/scale", scale).status, 400);
  EXPECT_EQ(merge(deployments + "/d/scale", scale).status, 400);
  EXPECT_EQ(get(deployments + "/d").at("/spec/replicas"), "2147483647");
}

}  // namespace
}  // namespace pintle
