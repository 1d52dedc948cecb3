// SPDX-License-Identifier: Apache-2.0
// The rules for the specs of Pods, with the texts of kube-apiserver.
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

class PodRules : public ServerTest {
 protected:
  // Returns the causes of the refusal of a Pod, "field: message", one a line; "" if it is accepted. The prefix of the
  // first container is "c".
  std::string pod(const std::string& container, const std::string& spec = "") {
    const auto reply = post("/api/v1/namespaces/default/pods?dryRun=All",
                            R"({"metadata":{"name":"p"},"spec":{)" + spec + R"("containers":[{"name":"c","image":"i")" +
                                (container.empty() ? "" : ",") + container + "}]}}");
    if (reply.status == 201) return "";
    if (reply.status != 422) return reply.body;
    std::string out;
    for (const json::Value& cause : reply.json.at("details").at("causes").as_array()) {
      std::string field(cause.at("field").as_string());
      if (const std::string first = "spec.containers[0]"; field.starts_with(first)) field.replace(0, first.size(), "c");
      out += (out.empty() ? "" : "\n") + field + ": " + std::string(cause.at("message").as_string());
    }
    return out;
  }
  std::string spec(const std::string& text) { return pod("", text + ","); }
};

// The checks have an order of their own, which differs from that of the names.
TEST_F(PodRules, ErrorsAboutEnumsAreAmongTheOthers) {
  EXPECT_EQ(
      pod(R"("imagePullPolicy":"Often","name":"C","ports":[{"containerPort":80,"protocol":"x"},{"containerPort":0}],
      "terminationMessagePolicy":"Log")",
          R"("dnsPolicy":"None","restartPolicy":"Often","nodeSelector":{"a b":"c"},
                   "hostAliases":[{"ip":"x"}],)"),
      "c.name: Invalid value: \"C\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters "
      "or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
      "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
      "c.terminationMessagePolicy: Unsupported value: \"Log\": supported values: \"FallbackToLogsOnError\", "
      "\"File\"\n"
      "c.ports[0].protocol: Unsupported value: \"x\": supported values: \"SCTP\", \"TCP\", \"UDP\"\n"
      "c.ports[1].containerPort: Required value\n"
      "c.imagePullPolicy: Unsupported value: \"Often\": supported values: \"Always\", \"IfNotPresent\", "
      "\"Never\"\n"
      "spec.restartPolicy: Unsupported value: \"Often\": supported values: \"Always\", \"Never\", "
      "\"OnFailure\"\n"
      "spec.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or "
      "'.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', "
      "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
      "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None\n"
      "spec.hostAliases[0].ip: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7 or "
      "2001:db8::ffff)");
}

TEST_F(PodRules, AHookHasOneHandler) {
  EXPECT_EQ(pod(R"("lifecycle":{"preStop":{}})"), "c.lifecycle.preStop: Required value: must specify a handler type");
  EXPECT_EQ(pod(R"("lifecycle":{"postStart":{"exec":{"command":["a"]},"httpGet":{"port":80}}})"),
            "c.lifecycle.postStart.httpGet: Forbidden: may not specify more than 1 handler type");
  EXPECT_EQ(pod(R"("lifecycle":{"preStop":{"sleep":{"seconds":31}}})"),
            "c.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than "
            "terminationGracePeriodSeconds (30)");
  EXPECT_EQ(pod(R"("lifecycle":{"preStop":{"sleep":{"seconds":30}},"postStart":{"httpGet":{"port":"web"}}})"), "");
}

TEST_F(PodRules, AProbeHasAPortAScheme) {
  EXPECT_EQ(pod(R"("readinessProbe":{"httpGet":{"port":"Web!","httpHeaders":[{"name":"a b","value":""}]}})"),
            "c.readinessProbe.httpGet.port: Invalid value: \"Web!\": must contain only alpha-numeric characters (a-z, "
            "0-9), and hyphens (-)\n"
            "c.readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of "
            "alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
  EXPECT_EQ(pod(R"("livenessProbe":{"httpGet":{"port":80,"scheme":"ftp"}})"),
            "c.livenessProbe.httpGet.scheme: Unsupported value: \"ftp\": supported values: \"HTTP\", \"HTTPS\"");
  EXPECT_EQ(pod(R"("readinessProbe":{"tcpSocket":{"port":80},"terminationGracePeriodSeconds":5})"),
            "c.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes");
}

TEST_F(PodRules, PortsHaveNamesAndProtocols) {
  EXPECT_EQ(pod(R"("ports":[{"containerPort":80,"name":"a-name-that-is-long"},{"containerPort":81,"name":"1"},
      {"containerPort":82,"name":"web"},{"containerPort":83,"name":"web"}])"),
            "c.ports[0].name: Invalid value: \"a-name-that-is-long\": must be no more than 15 characters\n"
            "c.ports[1].name: Invalid value: \"1\": must contain at least one letter (a-z)\n"
            "c.ports[3].name: Duplicate value: \"web\"");
  EXPECT_EQ(pod(R"("ports":[{"containerPort":80,"protocol":"tcp"}])"),
            "c.ports[0].protocol: Unsupported value: \"tcp\": supported values: \"SCTP\", \"TCP\", \"UDP\"");
  EXPECT_EQ(pod(R"("ports":[{"containerPort":80,"hostPort":8080},{"containerPort":81,"hostPort":8080}])"),
            "c.ports[1].hostPort: Duplicate value: \"TCP//8080\"");
}

TEST_F(PodRules, ContainersHaveDistinctNames) {
  EXPECT_EQ(spec(R"("initContainers":[{"name":"c","image":"i"},{"name":"a.b","image":"i"}])"),
            "spec.initContainers[0].name: Duplicate value: \"c\"\n"
            "spec.initContainers[1].name: Invalid value: \"a.b\": must not contain dots");
  EXPECT_EQ(spec(R"("initContainers":[{"name":"a","image":"i","readinessProbe":{"exec":{"command":["a"]}}}])"),
            "spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without "
            "restartPolicy=Always");
  EXPECT_EQ(spec(R"("initContainers":[{"name":"a","image":"i","restartPolicy":"Always",
      "readinessProbe":{"exec":{"command":["a"]}}}])"),
            "");
}

TEST_F(PodRules, VariablesNameExistingFields) {
  const auto variable = [&](const std::string& source) {
    return pod(R"("env":[{"name":"A","valueFrom":{)" + source + "}}]");
  };
  EXPECT_EQ(
      variable(R"("fieldRef":{"fieldPath":"spec.replicas"})"),
      "c.env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.replicas\": error converting fieldPath: field "
      "label not supported: spec.replicas");
  EXPECT_EQ(variable(R"("fieldRef":{"fieldPath":"metadata.labels"})"),
            "c.env[0].valueFrom.fieldRef.fieldPath: Unsupported value: \"metadata.labels\": supported values: "
            "\"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", "
            "\"spec.serviceAccountName\", \"status.hostIP\", \"status.hostIPs\", \"status.podIP\", \"status.podIPs\"");
  EXPECT_EQ(variable(R"("fieldRef":{"fieldPath":"metadata.labels['app.dev/a']"})"), "");
  EXPECT_EQ(variable(R"("resourceFieldRef":{"resource":"limits.gpu"})"),
            "c.env[0].valueFrom.resourceFieldRef.resource: Unsupported value: \"limits.gpu\": supported values: "
            "\"limits.cpu\", \"limits.ephemeral-storage\", \"limits.memory\", \"requests.cpu\", "
            "\"requests.ephemeral-storage\", \"requests.memory\"");
  EXPECT_EQ(variable(R"("secretKeyRef":{"name":"s"})"), "c.env[0].valueFrom.secretKeyRef.key: Required value");
  EXPECT_EQ(pod(R"("envFrom":[{"prefix":"A"},{"configMapRef":{}}])"),
            "c.envFrom: Invalid value: \"\": must specify one of: `configMapRef` or `secretRef`\n"
            "c.envFrom[1].configMapRef.name: Required value");
}

TEST_F(PodRules, VolumesHaveOneSource) {
  const auto volume = [&](const std::string& source) { return spec(R"("volumes":[{"name":"v",)" + source + "}]"); };
  EXPECT_EQ(spec(R"("volumes":[{"name":"V"}])").substr(0, 59),
            "spec.volumes[0].name: Invalid value: \"V\": a lowercase RFC 1");
  EXPECT_EQ(volume(R"("emptyDir":{},"secret":{"secretName":"s"})"),
            "spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type");
  EXPECT_EQ(volume(R"("secret":{})"), "spec.volumes[0].secret.secretName: Required value");
  EXPECT_EQ(volume(R"("configMap":{"defaultMode":512,"items":[{"key":"k","path":"../x"}]})"),
            "spec.volumes[0].configMap.name: Required value\n"
            "spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), "
            "both inclusive\n"
            "spec.volumes[0].configMap.items[0].path: Invalid value: \"../x\": must not contain '..'");
  EXPECT_EQ(volume(R"("persistentVolumeClaim":{})"), "spec.volumes[0].persistentVolumeClaim.claimName: Required value");
  EXPECT_EQ(volume(R"("projected":{"sources":[{"serviceAccountToken":{"path":"t","expirationSeconds":5}},
      {"secret":{"name":"s","items":[{"key":"k","path":"a"}]}},{"configMap":{"name":"s","items":[{"key":"k","path":"a"}]}}]})"),
            "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not "
            "specify a duration less than 10 minutes\n"
            "spec.volumes[0].projected: Invalid value: \"s\": conflicting duplicate paths");
  EXPECT_EQ(volume(R"("downwardAPI":{"items":[{"path":"p","fieldRef":{"fieldPath":"metadata.labels"}}]})"), "");
}

TEST_F(PodRules, MountsNeedVolumes) {
  const std::string volumes = R"("volumes":[{"name":"v","emptyDir":{}}],)";
  EXPECT_EQ(
      pod(R"("volumeMounts":[{"name":"v","mountPath":"/a","subPath":"/b"},{"name":"v","mountPath":"/a"}])", volumes),
      "c.volumeMounts.subPath: Invalid value: \"/b\": must be a relative path\n"
      "c.volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique");
  EXPECT_EQ(
      pod(R"("volumeDevices":[{"name":"v","devicePath":"/d"}])", volumes),
      "c.volumeDevices[0].name: Invalid value: \"v\": can only use volume source type of PersistentVolumeClaim or "
      "Ephemeral for block mode");
}

TEST_F(PodRules, ResourcesHaveStandardNames) {
  EXPECT_EQ(pod(R"("resources":{"limits":{"gpu":"1"}})").substr(0, 95),
            "c.resources.limits[gpu]: Invalid value: \"gpu\": must be a standard resource type or fully qualif");
  EXPECT_EQ(pod(R"("resources":{"limits":{"a.dev/gpu":"2"},"requests":{"a.dev/gpu":"1"}})"),
            "c.resources.requests: Invalid value: \"1\": must be equal to a.dev/gpu limit of 2");
  EXPECT_EQ(pod(R"("resources":{"limits":{"a.dev/gpu":"500m"}})").substr(0, 72),
            "c.resources.limits[a.dev/gpu]: Invalid value: \"500m\": must be an integer");
}

TEST_F(PodRules, TolerationsAreChecked) {
  EXPECT_EQ(
      spec(R"("tolerations":[{"operator":"Equal"},{"key":"a","operator":"Exists","value":"b"},
      {"key":"a","tolerationSeconds":5,"effect":"NoSchedule"}])"),
      "spec.tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when `key` is empty, which "
      "means \"match all values and all keys\"\n"
      "spec.tolerations[1].operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'\n"
      "spec.tolerations[2].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when "
      "`tolerationSeconds` is set");
  EXPECT_EQ(
      spec(R"("tolerations":[{"key":"a","effect":"Never"}])"),
      "spec.tolerations[0].effect: Unsupported value: \"Never\": supported values: \"NoExecute\", \"NoSchedule\", "
      "\"PreferNoSchedule\"");
}

TEST_F(PodRules, AffinityIsChecked) {
  const std::string node = "spec.affinity.nodeAffinity.";
  const auto affinity = [&](const std::string& text) { return spec(R"("affinity":{)" + text + "}"); };
  EXPECT_EQ(affinity(R"("nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"a","operator":"Is"},{"key":"b","operator":"Gt","values":["1","2"]}]}]}})"),
            node +
                "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: "
                "Invalid value: \"Is\": not a valid selector operator\n" +
                node +
                "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].values: "
                "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'");
  EXPECT_EQ(
      affinity(R"("nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":0,"preference":{}}]})"),
      node +
          "preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range "
          "1-100");
  EXPECT_EQ(affinity(R"("podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"a",
      "labelSelector":{"matchExpressions":[{"key":"a","operator":"In"}]}}]})"),
            "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector."
            "matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'");
}

TEST_F(PodRules, SpreadIsChecked) {
  EXPECT_EQ(spec(R"("topologySpreadConstraints":[{"maxSkew":0,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway",
      "minDomains":2},{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway"}])"),
            "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero\n"
            "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if "
            "whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway\n"
            "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: \"{z, "
            "ScheduleAnyway}\"");
}

TEST_F(PodRules, OtherPartsAreChecked) {
  EXPECT_EQ(spec(R"("restartPolicy":"Sometimes")"),
            "spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"Never\", "
            "\"OnFailure\"");
  EXPECT_EQ(spec(R"("securityContext":{"runAsUser":-1})"),
            "spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive");
  EXPECT_EQ(spec(R"("dnsPolicy":"None")"),
            "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None");
  EXPECT_EQ(spec(R"("schedulingGates":[{"name":"g"}],"nodeName":"n")"),
            "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
  EXPECT_EQ(pod(R"("image":" i")"), "c.image: Invalid value: \" i\": must not have leading or trailing whitespace");
}

TEST_F(PodRules, AnUpdateKeepsContainersTolerationsAndGates) {
  const std::string path = "/api/v1/namespaces/default/pods";
  post(path, R"({"metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","operator":"Exists"}],
      "schedulingGates":[{"name":"g"}],"containers":[{"name":"c","image":"i"}]}})");
  const auto change = [&](const std::string& spec_text) {
    return merge(path + "/p", R"({"spec":{)" + spec_text + "}}").at("/message");
  };
  const std::string prefix = "Pod \"p\" is invalid: ";

  EXPECT_EQ(change(R"("containers":[{"name":"c","image":"i"},{"name":"d","image":"i"}])"),
            prefix + "spec.containers: Forbidden: pod updates may not add or remove containers");
  EXPECT_EQ(change(R"("tolerations":[{"key":"b","operator":"Exists"}])"),
            prefix +
                "spec.tolerations: Forbidden: existing toleration can not be modified except its "
                "tolerationSeconds");
  EXPECT_EQ(change(R"("schedulingGates":[{"name":"h"}])"),
            prefix +
                "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate "
                "'h'");
  EXPECT_EQ(merge(path + "/p", R"({"spec":{"schedulingGates":null}})").status, 200);
}

TEST_F(PodRules, TemplatesAreCheckedInTheirPlaces) {
  const auto reply =
      post("/apis/apps/v1/namespaces/default/deployments?dryRun=All",
           R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":
      {"labels":{"a":"b","c":"-"}},"spec":{"restartPolicy":"Never","activeDeadlineSeconds":5,"containers":[
      {"name":"c","image":" i","ports":[{"containerPort":0}]}]}}}})");
  EXPECT_EQ(reply.causes(),
            "FieldValueInvalid@spec.template.labels FieldValueRequired@spec.template.spec.containers[0].ports[0]."
            "containerPort FieldValueNotSupported@spec.template.spec.restartPolicy "
            "FieldValueForbidden@spec.template.spec.activeDeadlineSeconds");
  EXPECT_EQ(reply.at("/details/causes/3/message"), "Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported");
}

}  // namespace
}  // namespace pintle
