// SPDX-License-Identifier: Apache-2.0
// The rules of Services, workloads, Jobs, claims, Secrets and quotas, with the texts of kube-apiserver.
#include "../../test_server.hpp"

namespace pintle {
namespace {

class KindRules : public ServerTest {
 protected:
  // The message of a refusal without its first words; "" if the request is accepted.
  static std::string why(const TestReply& reply) {
    if (reply.status < 300) return "";
    const std::string message = reply.at("/message");
    const std::size_t at = message.find(" is invalid: ");
    return at == std::string::npos ? message : message.substr(at + 13);
  }
  std::string make(const std::string& collection, const std::string& rest, const std::string& name = "x") {
    return why(post(collection + "?dryRun=All", R"({"metadata":{"name":")" + name + R"("},)" + rest + "}"));
  }
  std::string service(const std::string& spec) { return make(services, R"("spec":{)" + spec + "}"); }
  std::string workload(const std::string& plural, const std::string& more) {
    return make("/apis/apps/v1/namespaces/default/" + plural,
                R"("spec":{"selector":{"matchLabels":{"a":"b"}},)" + made + "," + more + "}");
  }

  const std::string services = "/api/v1/namespaces/default/services";
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  const std::string claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const std::string made =
      R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";
  const std::string ending = R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}})";
};

TEST_F(KindRules, OfServices) {
  EXPECT_EQ(service(R"("ports":[{"port":80,"name":"A"},{"port":81}])").substr(0, 60),
            "[spec.ports[0].name: Invalid value: \"A\": a lowercase RFC 112");
  EXPECT_EQ(service(R"("ports":[{"port":80,"name":"a"},{"port":80,"name":"b"}])"),
            "spec.ports[1]: Duplicate value: "
            R"({"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0})");
  EXPECT_EQ(
      service(R"("ports":[{"port":80,"targetPort":"Web"}])"),
      "spec.ports[0].targetPort: Invalid value: \"Web\": must contain only alpha-numeric characters (a-z, 0-9), and "
      "hyphens (-)");
  EXPECT_EQ(service(R"("ports":[{"port":80,"nodePort":30080}])"),
            "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'");
  EXPECT_EQ(service(R"("type":"NodePort","clusterIP":"None","ports":[{"port":80}])"),
            "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services");
  EXPECT_EQ(service(R"("ports":[{"port":80}],"externalTrafficPolicy":"Local")"),
            "spec.externalTrafficPolicy: Invalid value: \"Local\": may only be set for externally-accessible services");
  EXPECT_EQ(service(R"("ports":[{"port":80}],"type":"Cluster")"),
            "spec.type: Unsupported value: \"Cluster\": supported values: \"ClusterIP\", \"ExternalName\", "
            "\"LoadBalancer\", \"NodePort\"");
  EXPECT_EQ(service(R"("ports":[{"port":80}],"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":
      {"timeoutSeconds":86401}})"),
            "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less "
            "than 86400");
  EXPECT_EQ(service(R"("ports":[{"port":80}],"loadBalancerClass":"a/b")"),
            "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'");
}

TEST_F(KindRules, AServiceMayChangeItsType) {
  post(services, R"({"metadata":{"name":"s"},"spec":{"type":"LoadBalancer","ports":[{"port":80}]}})");

  EXPECT_EQ(why(merge(services + "/s", R"({"spec":{"clusterIP":"10.96.77.7"}})")),
            R"(spec.clusterIPs[0]: Invalid value: ["10.96.77.7"]: may not change once set)");
  const auto inner = merge(services + "/s", R"({"spec":{"type":"ClusterIP"}})");
  EXPECT_EQ(inner.status, 200) << inner.body;
  EXPECT_EQ(inner.at("/spec/ports/0/nodePort") + inner.at("/spec/externalTrafficPolicy"), "");
  const auto name = merge(services + "/s", R"({"spec":{"type":"ExternalName","externalName":"a.dev"}})");
  EXPECT_EQ(name.status, 200) << name.body;
  EXPECT_EQ(name.at("/spec/clusterIP") + name.at("/spec/clusterIPs"), "");
}

TEST_F(KindRules, OfDeployments) {
  const std::string rolling = "spec.strategy.rollingUpdate.";
  const auto with = [&](const std::string& unavailable, const std::string& surge) {
    return workload("deployments", R"("strategy":{"rollingUpdate":{"maxUnavailable":)" + unavailable +
                                       R"(,"maxSurge":)" + surge + "}}");
  };
  EXPECT_EQ(with("0", "\"0%\""), rolling + "maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0");
  EXPECT_EQ(with("\"101%\"", "1"), rolling + "maxUnavailable: Invalid value: \"101%\": must not be greater than 100%");
  EXPECT_EQ(with("1", "\"1x\""),
            rolling +
                "maxSurge: Invalid value: \"1x\": a valid percent string must be a numeric string followed by an "
                "ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')");
  EXPECT_EQ(
      workload("deployments", R"("strategy":{"type":"Recreate","rollingUpdate":{}})"),
      rolling.substr(0, rolling.size() - 1) + ": Forbidden: may not be specified when strategy `type` is 'Recreate'");
  EXPECT_EQ(workload("deployments", R"("progressDeadlineSeconds":5,"minReadySeconds":5)"),
            "spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds");
}

TEST_F(KindRules, OfOtherWorkloads) {
  EXPECT_EQ(workload("statefulsets", R"("updateStrategy":{"type":"OnDelete","rollingUpdate":{"partition":1}})"),
            "spec.updateStrategy.rollingUpdate: Invalid value: {\"partition\":1}: only allowed for updateStrategy "
            "'RollingUpdate'");
  EXPECT_EQ(workload("statefulsets", R"("replicas":-1)"),
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0");
  EXPECT_EQ(workload("daemonsets", R"("updateStrategy":{"rollingUpdate":{"maxUnavailable":1,"maxSurge":1}})"),
            "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is "
            "non-zero");
  EXPECT_EQ(workload("daemonsets", R"("updateStrategy":{"rollingUpdate":{"maxUnavailable":0}})"),
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0");
  const std::string sets = "/apis/apps/v1/namespaces/default/statefulsets";
  post(sets,
       R"({"metadata":{"name":"s"},"spec":{"serviceName":"s","selector":{"matchLabels":{"a":"b"}},)" + made + "}}");
  EXPECT_EQ(
      why(merge(sets + "/s", R"({"spec":{"podManagementPolicy":"Parallel"}})")),
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
      "forbidden");
  EXPECT_EQ(why(merge(sets + "/s", R"({"spec":{"revisionHistoryLimit":2,"minReadySeconds":1}})")), "");
}

TEST_F(KindRules, OfJobs) {
  const auto job = [&](const std::string& more) { return make(jobs, R"("spec":{)" + ending + more + "}"); };
  EXPECT_EQ(
      job(R"(,"backoffLimit":-1,"completions":-2)"),
      "[spec.completions: Invalid value: -2: must be greater than or equal to 0, spec.backoffLimit: Invalid value: "
      "-1: must be greater than or equal to 0]");
  EXPECT_EQ(make(jobs, R"("spec":{"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}})"),
            "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
  EXPECT_EQ(job(R"(,"completionMode":"Indexed","parallelism":2)"),
            "spec.completions: Required value: when completion mode is Indexed");
  EXPECT_EQ(job(R"(,"backoffLimitPerIndex":1)"),
            "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode");
  EXPECT_NE(job(R"(,"selector":{"matchLabels":{"a":"b"}})").find("`selector` not auto-generated"), std::string::npos);
  EXPECT_EQ(job(R"(,"manualSelector":true)"),
            "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not "
            "match template `labels`]");
}

TEST_F(KindRules, OfTheFailurePolicyOfAJob) {
  const auto rules = [&](const std::string& list, const std::string& more = "") {
    return make(jobs, R"("spec":{"podFailurePolicy":{"rules":[)" + list + "]}," + more +
                          R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}})");
  };
  const std::string at = "spec.podFailurePolicy.rules[0]";
  EXPECT_EQ(rules(R"({"action":"Ignore","onExitCodes":{"operator":"In","values":[0,2,1,2]}})"),
            "[" + at + ".onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator, " + at +
                ".onExitCodes.values[3]: Duplicate value: 2, " + at +
                ".onExitCodes.values: Invalid value: [0,2,1,2]: must be ordered]");
  EXPECT_EQ(rules(R"({"action":"Ignore"})"),
            at + ": Invalid value: specifying one of OnExitCodes and OnPodConditions is required");
  EXPECT_EQ(rules(R"({"action":"Ignore","onExitCodes":{"operator":"In","values":[1]},
                      "onPodConditions":[{"type":"DisruptionTarget"}]})"),
            at + ": Invalid value: specifying both OnExitCodes and OnPodConditions is not supported");
  EXPECT_EQ(rules(R"({"action":"FailIndex","onExitCodes":{"operator":"NotIn","values":[0],"containerName":"d"}})"),
            "[" + at + ".action: Invalid value: \"FailIndex\": requires the backoffLimitPerIndex to be set, " + at +
                ".onExitCodes.containerName: Invalid value: \"d\": must be one of the container or initContainer names "
                "in the pod template]");
  EXPECT_EQ(
      rules(R"({"action":"Stop","onPodConditions":[{"type":"a b","status":"Maybe"}]})").substr(0, 90),
      "[" + (at + ".action: Unsupported value: \"Stop\": supported values: \"Count\", \"FailIndex\"").substr(0, 89));
  EXPECT_EQ(rules(R"({"action":"Count","onExitCodes":{"operator":"In","values":[]}})"),
            at + ".onExitCodes.values: Invalid value: []: at least one value is required");
  std::string many = R"({"action":"Count","onPodConditions":[{"type":"a"}]})";
  for (int i = 0; i < 20; ++i) many += R"(,{"action":"Count","onPodConditions":[{"type":"a"}]})";
  EXPECT_EQ(rules(many), "spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items");
  EXPECT_EQ(rules(R"({"action":"FailJob","onExitCodes":{"operator":"NotIn","values":[0,1]}})"), "");
}

TEST_F(KindRules, OfTheSuccessPolicyOfAJob) {
  const auto rules = [&](const std::string& list) {
    return make(jobs, R"("spec":{"completionMode":"Indexed","completions":5,"successPolicy":{"rules":[)" + list +
                          "]}," + ending + "}");
  };
  const std::string at = "spec.successPolicy.rules[0]";
  EXPECT_EQ(rules(""),
            "spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is "
            "specified");
  EXPECT_EQ(rules("{}"), at + ": Required value: at least one of succeededCount or succeededIndexes must be specified");
  EXPECT_EQ(rules(R"({"succeededCount":6})"),
            at + ".succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified "
                 "completions)");
  EXPECT_EQ(rules(R"({"succeededIndexes":"0,2-3","succeededCount":4})"),
            at + ".succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the "
                 "specified succeededIndexes field)");
  const std::string parsing = at + ".succeededIndexes: Invalid value: ";
  EXPECT_EQ(rules(R"({"succeededIndexes":"3,1"})"),
            parsing + "\"3,1\": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1");
  EXPECT_EQ(rules(R"({"succeededIndexes":"5"})"),
            parsing + "\"5\": error parsing succeededIndexes: too large index: \"5\"");
  EXPECT_EQ(rules(R"({"succeededIndexes":"1,"})"),
            parsing + "\"1,\": error parsing succeededIndexes: cannot convert string to integer for index: \"\"");
  EXPECT_NE(rules(R"({"succeededIndexes":"1-2-3"})").find("at most two parts separated by '-'"), std::string::npos);
  EXPECT_EQ(rules(R"({"succeededIndexes":"0,2-3","succeededCount":3})"), "");
}

TEST_F(KindRules, OfAddressesAndRanges) {
  const std::string no_address = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  const std::string no_range = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  EXPECT_EQ(service(R"("ports":[{"port":80}],"externalIPs":["x","127.0.0.1","010.0.0.1","::ffff:1.2.3.4","1.2.3.4"])"),
            "[spec.externalIPs[0]: Invalid value: \"x\": " + no_address +
                ", spec.externalIPs[1]: Invalid value: \"127.0.0.1\": may not be in the loopback range (127.0.0.0/8, "
                "::1/128), spec.externalIPs[2]: Invalid value: \"010.0.0.1\": must not have leading 0s, "
                "spec.externalIPs[3]: Invalid value: \"::ffff:1.2.3.4\": must not be an IPv4-mapped IPv6 address]");
  EXPECT_EQ(service(R"("ports":[{"port":80}],"type":"LoadBalancer","loadBalancerSourceRanges":
                       ["10.0.0.0"," 10.0.0.0/8 ","10.0.0.1/8","10.0.0.0/33","fd00::/64","10.0.0.0/08"])"),
            "[spec.LoadBalancerSourceRanges[0]: Invalid value: \"10.0.0.0\": " + no_range +
                ", spec.LoadBalancerSourceRanges[2]: Invalid value: \"10.0.0.1/8\": must not have bits set beyond the "
                "prefix length, spec.LoadBalancerSourceRanges[3]: Invalid value: \"10.0.0.0/33\": " +
                no_range +
                ", spec.LoadBalancerSourceRanges[5]: Invalid value: \"10.0.0.0/08\": must not have leading 0s in IP or "
                "prefix length]");
  const std::string policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
  const auto block = [&](const std::string& text) {
    return make(policies, R"("spec":{"podSelector":{},"ingress":[{"from":[{"ipBlock":)" + text + "}]}]}");
  };
  const std::string at = "spec.ingress[0].from[0].ipBlock.";
  EXPECT_EQ(block(R"({"cidr":"10.0.0"})"), at + "cidr: Invalid value: \"10.0.0\": " + no_range);
  EXPECT_EQ(block(R"({"cidr":"10.0.0.0/8","except":["10.1.0.0/16","11.0.0.0/16","10.0.0.0/8"]})"),
            "[" + at + "except[1]: Invalid value: \"11.0.0.0/16\": must be a strict subset of `cidr`, " + at +
                "except[2]: Invalid value: \"10.0.0.0/8\": must be a strict subset of `cidr`]");
  EXPECT_EQ(
      make("/api/v1/namespaces/default/endpoints",
           R"("subsets":[{"addresses":[{"ip":"1.2.3.4"},{"ip":"0.0.0.0"}],"notReadyAddresses":[{"ip":"fe80::1"}]}])"),
      "[subsets[0].addresses[1].ip: Invalid value: \"0.0.0.0\": may not be unspecified (0.0.0.0), "
      "subsets[0].notReadyAddresses[0].ip: Invalid value: \"fe80::1\": may not be in the link-local range "
      "(169.254.0.0/16, fe80::/10)]");
  EXPECT_EQ(make("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                 R"("addressType":"IPv4","endpoints":[{"addresses":["fd00::1"]},{"addresses":["224.0.0.1"]}])"),
            "[endpoints[0].addresses[0]: Invalid value: \"fd00::1\": must be an IPv4 address, "
            "endpoints[1].addresses[0]: Invalid value: \"224.0.0.1\": may not be in the link-local multicast range "
            "(224.0.0.0/24, ff02::/10)]");
  EXPECT_EQ(make("/apis/networking.k8s.io/v1/servicecidrs", R"("spec":{"cidrs":["10.0.0.0/40"]})"),
            "spec.cidrs[0]: Invalid value: \"10.0.0.0/40\": " + no_range);
}

TEST_F(KindRules, AServiceHasAPortForHealthChecksIfItsTrafficIsLocal) {
  const std::string services = "/api/v1/namespaces/default/services";
  const std::string local = R"("ports":[{"port":80}],"type":"LoadBalancer","externalTrafficPolicy":"Local")";
  const std::string wrong =
      "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and "
      "`externalTrafficPolicy` is 'Local'";
  EXPECT_EQ(service(R"("ports":[{"port":80}],"healthCheckNodePort":30001)"), wrong);
  EXPECT_EQ(service(R"("ports":[{"port":80}],"type":"LoadBalancer","healthCheckNodePort":30001)"), wrong);

  const auto made = post(services, R"({"metadata":{"name":"l"},"spec":{)" + local + "}}");
  const std::string port = made.at("/spec/healthCheckNodePort");
  EXPECT_GE(std::stoi(port), 30000) << made.body;
  EXPECT_LE(std::stoi(port), 32767);
  EXPECT_EQ(put(services + "/l", R"({"metadata":{"name":"l"},"spec":{)" + local + "}}").at("/spec/healthCheckNodePort"),
            port);
  EXPECT_EQ(why(merge(services + "/l", R"({"spec":{"healthCheckNodePort":30001}})")),
            port == "30001" ? "" : "spec.healthCheckNodePort: Forbidden: field is immutable");
  EXPECT_EQ(merge(services + "/l", R"({"spec":{"externalTrafficPolicy":"Cluster"}})").at("/spec/healthCheckNodePort"),
            "");
  EXPECT_EQ(post(services, R"({"metadata":{"name":"g"},"spec":{)" + local + R"(,"healthCheckNodePort":31234}})")
                .at("/spec/healthCheckNodePort"),
            "31234");
  EXPECT_EQ(merge(services + "/g", R"({"spec":{"type":"ClusterIP"}})").at("/spec/healthCheckNodePort"), "");
}

TEST_F(KindRules, AJobKeepsItsTemplateUnlessItIsSuspended) {
  post(jobs, R"({"metadata":{"name":"j"},"spec":{)" + ending + "}}");
  post(jobs, R"({"metadata":{"name":"s"},"spec":{"suspend":true,)" + ending + "}}");
  const std::string elsewhere = R"({"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}})";

  EXPECT_EQ(why(merge(jobs + "/j", R"({"spec":{"completions":3}})")),
            "spec.completions: Invalid value: 3: field is immutable");
  EXPECT_EQ(merge(jobs + "/j", elsewhere).causes(), "FieldValueInvalid@spec.template");
  EXPECT_EQ(why(merge(jobs + "/s", elsewhere)), "");
  EXPECT_EQ(merge(jobs + "/s", R"({"spec":{"template":{"spec":{"hostname":"h"}}}})").causes(),
            "FieldValueInvalid@spec.template");
  EXPECT_EQ(why(merge(jobs + "/j", R"({"spec":{"parallelism":2,"backoffLimit":1}})")), "");
}

TEST_F(KindRules, OfCronJobs) {
  const std::string cron_jobs = "/apis/batch/v1/namespaces/default/cronjobs";
  const auto cron_job = [&](const std::string& more, const std::string& name = "x") {
    return make(cron_jobs, R"("spec":{)" + more + R"("jobTemplate":{"spec":{)" + ending + "}}}", name);
  };
  EXPECT_EQ(
      cron_job(R"("schedule":"TZ=UTC * * * * *",)"),
      "spec.schedule: Invalid value: \"TZ=UTC * * * * *\": cannot use TZ or CRON_TZ in schedule, use timeZone field "
      "instead");
  EXPECT_EQ(cron_job(R"("schedule":"* * * * *","startingDeadlineSeconds":-1,"failedJobsHistoryLimit":-1,)"),
            "[spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0, "
            "spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0]");
  const std::string name(53, 'a');
  EXPECT_EQ(cron_job(R"("schedule":"* * * * *",)", name),
            "metadata.name: Invalid value: \"" + name + "\": must be no more than 52 characters");
  EXPECT_EQ(cron_job(R"("schedule":"* * * * *",)"), "");
}

TEST_F(KindRules, OfClaims) {
  const auto claim = [&](const std::string& modes, const std::string& amount) {
    return make(claims, R"("spec":{"accessModes":[)" + modes + R"(],"resources":{"requests":{"storage":")" + amount +
                            R"("}}})");
  };
  EXPECT_EQ(
      claim(R"("Once")", "0"),
      "[spec.accessModes: Unsupported value: \"Once\": supported values: \"ReadOnlyMany\", \"ReadWriteMany\", "
      "\"ReadWriteOnce\", \"ReadWriteOncePod\", spec.resources[storage]: Invalid value: \"0\": must be greater than "
      "zero]");
  EXPECT_EQ(claim(R"("ReadWriteOncePod","ReadWriteOnce")", "1"),
            "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes");
  post("/apis/storage.k8s.io/v1/storageclasses",
       R"({"metadata":{"name":"s"},"provisioner":"p","allowVolumeExpansion":true})");
  post(claims, R"({"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":
      {"storage":"1Gi"}}}})");
  const std::string immutable =
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for "
      "bound claims";
  EXPECT_EQ(why(merge(claims + "/c", R"({"spec":{"resources":{"requests":{"storage":"2Gi"}}}})")), immutable);
  EXPECT_EQ(why(merge(claims + "/c", R"({"spec":{"volumeName":"v","storageClassName":"s"}})")), "");
  EXPECT_EQ(why(merge(claims + "/c", R"({"spec":{"volumeName":"w"}})")), immutable);
  merge(claims + "/c/status", R"({"status":{"phase":"Bound","capacity":{"storage":"1Gi"}}})");
  EXPECT_EQ(why(merge(claims + "/c", R"({"spec":{"resources":{"requests":{"storage":"2Gi"}}}})")), "");
  EXPECT_EQ(why(merge(claims + "/c", R"({"spec":{"resources":{"requests":{"storage":"1Gi"}}}})")),
            "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity");
}

TEST_F(KindRules, OfConfigMapsAndSecrets) {
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  EXPECT_EQ(
      make(config_maps, R"("data":{"a b":"","..":"","k":"v"},"binaryData":{"k":"dg=="})"),
      "[data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or "
      "'.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+'), "
      "data[..]: Invalid value: \"..\": must not be '..', data[k]: Invalid value: \"k\": duplicate of key present in "
      "binaryData]");
  EXPECT_EQ(make(secrets, R"("type":"kubernetes.io/tls","data":{"tls.crt":""})"), "data[tls.key]: Required value");
  EXPECT_EQ(make(secrets, R"("type":"kubernetes.io/basic-auth")"),
            "[data[username]: Required value, data[password]: Required value]");
  EXPECT_EQ(make(secrets, R"("type":"kubernetes.io/ssh-auth")"), "data[ssh-privatekey]: Required value");
  EXPECT_EQ(make(secrets, R"("type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"hello"})"),
            "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": invalid character 'h' looking "
            "for beginning of value");
  EXPECT_EQ(make(secrets, R"("type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"{}"})"), "");
}

TEST_F(KindRules, OfTheScopesOfAQuota) {
  const auto quota = [&](const std::string& expression) {
    return make("/api/v1/namespaces/default/resourcequotas",
                R"("spec":{"hard":{"pods":"1"},"scopeSelector":{"matchExpressions":[)" + expression + "]}}");
  };
  const std::string field = "spec.scopeSelector.matchExpressions.";
  EXPECT_EQ(quota(R"({"scopeName":"PriorityClass","operator":"In"})"),
            field +
                "values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope "
                "selector");
  EXPECT_EQ(quota(R"({"scopeName":"PriorityClass","operator":"Exists","values":["a"]})"),
            field +
                "values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for "
                "scope selector");
  EXPECT_EQ(quota(R"({"scopeName":"Terminating","operator":"Is"})").substr(0, 120),
            "[" + field + "operator: Invalid value: \"Is\": must be 'Exists' when scope is any of ResourceQuotaS");
  EXPECT_EQ(quota(R"({"scopeName":"Big","operator":"Exists"})"),
            field + "scopeName: Invalid value: \"Big\": unsupported scope");
}

TEST_F(KindRules, OfIngresses) {
  const auto ingress = [&](const std::string& spec) {
    return make("/apis/networking.k8s.io/v1/namespaces/default/ingresses", R"("spec":{)" + spec + "}");
  };
  const auto path = [&](const std::string& text) {
    return ingress(R"("rules":[{"http":{"paths":[{)" + text + "}]}}]");
  };
  const std::string backend = R"(,"backend":{"service":{"name":"s","port":{"number":80}}})";
  const std::string at = "spec.rules[0].http.paths[0].";
  EXPECT_EQ(ingress(""), "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified");
  EXPECT_EQ(path(R"("pathType":"Prefix","path":"a")" + backend),
            at + "path: Invalid value: \"a\": must be an absolute path");
  EXPECT_EQ(path(R"("pathType":"Exact","path":"/a//b")" + backend),
            at + "path: Invalid value: \"/a//b\": must not contain '//'");
  EXPECT_EQ(path(R"("pathType":"Prefix","path":"/","backend":{"service":{"name":"s"}})"),
            at + "backend: Required value: port name or number is required");
  EXPECT_EQ(path(R"("pathType":"Prefix","path":"/","backend":{})"),
            at + "backend: Invalid value: \"\": resource or service backend is required");
  EXPECT_EQ(ingress(R"("rules":[{"host":"*.a.dev"},{"host":"a.*.dev"}])").substr(0, 80),
            "spec.rules[1].host: Invalid value: \"a.*.dev\": a wildcard DNS-1123 subdomain must");
  EXPECT_EQ(ingress(R"("defaultBackend":{"service":{"name":"s","port":{"name":"http"}}})"), "");
}

TEST_F(KindRules, OfNetworkPoliciesBudgetsAndClasses) {
  const std::string network = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
  EXPECT_EQ(make(network, R"("spec":{"podSelector":{"matchExpressions":[{"key":"a","operator":"Is"}]},
      "ingress":[{"from":[{},{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}]}]})"),
            "[spec.podSelector.matchExpressions[0].operator: Invalid value: \"Is\": not a valid selector operator, "
            "spec.ingress[0].from[0]: Required value: must specify a peer, "
            "spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer]");
  EXPECT_EQ(make("/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                 R"("spec":{"maxUnavailable":"110%","selector":{}})"),
            "spec.maxUnavailable: Invalid value: \"110%\": must not be greater than 100%");
  const std::string classes = "/apis/storage.k8s.io/v1/storageclasses";
  EXPECT_EQ(make(classes, R"("provisioner":"")"), "provisioner: Required value");
  post(classes, R"({"metadata":{"name":"c"},"provisioner":"a.dev/p"})");
  EXPECT_EQ(
      why(merge(classes + "/c", R"({"provisioner":"a.dev/q","parameters":{"a":"b"}})")),
      "[parameters: Forbidden: updates to parameters are forbidden., provisioner: Forbidden: updates to provisioner "
      "are forbidden.]");
  EXPECT_EQ(why(merge(classes + "/c", R"({"allowVolumeExpansion":true})")), "");
}

}  // namespace
}  // namespace pintle
