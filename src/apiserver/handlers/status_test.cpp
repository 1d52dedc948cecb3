// SPDX-License-Identifier: Apache-2.0
// The metadata in writes of the subresource status (server-facts 1).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string metadata_patch =
    R"({"metadata":{"labels":{"l":"1"},"annotations":{"a":"1"},"finalizers":["a.dev/f"],
        "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u"}]}})";
const std::string status_pod_spec = R"({"containers":[{"name":"c","image":"i"}]})";

class StatusWrites : public ServerTest {
 protected:
  // Returns the members of metadata that a write of the status changed: "labels annotations".
  std::string written(const std::string& collection, const std::string& object) {
    const auto made = post(collection, object);
    EXPECT_EQ(made.status, 201) << made.body;
    const auto reply = merge(collection + "/" + made.at("/metadata/name") + "/status", metadata_patch);
    EXPECT_EQ(reply.status, 200) << reply.body;
    std::string out;
    for (const auto& [name, pointer] :
         {std::pair("labels", "/metadata/labels/l"), std::pair("annotations", "/metadata/annotations/a"),
          std::pair("finalizers", "/metadata/finalizers/0"),
          std::pair("ownerReferences", "/metadata/ownerReferences/0")}) {
      if (!reply.at(pointer).empty()) out += (out.empty() ? "" : " ") + std::string(name);
    }
    return out;
  }
  // Returns the kinds with the subresource status in discovery: "apps/v1 deployments", "v1 nodes".
  std::set<std::string> kinds_with_status() {
    std::set<std::string> out;
    const json::Value root = get("/").json;
    for (const json::Value& path : root.at("paths").as_array()) {
      const std::string text(path.as_string());
      const bool is_version = text.starts_with("/apis/") && std::ranges::count(text, '/') == 3;
      if (text != "/api/v1" && !is_version) continue;
      const json::Value list = get(text).json;
      for (const json::Value& one : list.at("resources").as_array()) {
        const std::string_view name = one.at("name").as_string();
        const std::size_t end = name.find("/status");
        if (end == std::string_view::npos) continue;
        out.insert(text.substr(text == "/api/v1" ? 5 : 6) + " " + std::string(name.substr(0, end)));
      }
    }
    return out;
  }
};

// A request for a certificate, in PEM and base64.
const std::string status_certificate_request =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHeU1HWUNBUUF3TXpFTU1Bb0dBMVVFQ2d3RFpHVj"
    "JNUmN3RlFZRFZRUUtEQTV6ZVhOMFpXMDZiV0Z6ZEdWeQpjekVLTUFnR0ExVUVBd3dCZURBcU1BVUdBeXRsY0FNaEFF"
    "Y1QzK1FFZjBGVTkveUI2OGtDRHgrZFlLdGJOazcvCjFMdE9Hb2Fwb29GUW9BQXdCUVlESzJWd0EwRUFHajhTYkJmNX"
    "RIekQ5NHZSMnJ2b09hMHEvYkxTREM4U2JJbHcKbjVWMlpRNTVrNFlrcVlTZWFOU1hWVDFKdVFNcElja2JCdDlkS2ho"
    "bmtjem9PWFlKRFE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

struct StatusKind {
  std::string collection{};  // "apps/v1 replicasets"; "v1 nodes"
  std::string spec{};
  std::string changed = "labels annotations finalizers ownerReferences";  // by a write of the status
};

// Every built-in kind with a status except CustomResourceDefinition, whose names are not free.
std::vector<StatusKind> status_kinds() {
  const std::string selector = R"("selector":{"matchLabels":{"x":"y"}})";
  const std::string made = R"("template":{"metadata":{"labels":{"x":"y"}},"spec":)" + status_pod_spec + "}";
  const std::string job = R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}})";
  const std::string scaled = R"("maxReplicas":2,"scaleTargetRef":{"kind":"Deployment","name":"d"})";
  const std::string claim = R"("accessModes":["ReadWriteOnce"],)";
  const std::string policy = R"("matchConstraints":{"resourceRules":[{"operations":["*"],"apiGroups":["x.dev"],
      "apiVersions":["*"],"resources":["*"]}]},"validations":[{"expression":"true"}])";
  return {{"v1 namespaces", "", "labels annotations finalizers"},
          {"v1 nodes", ""},
          {"v1 persistentvolumes", claim + R"("capacity":{"storage":"1Gi"},"hostPath":{"path":"/tmp/x"})"},
          {"v1 persistentvolumeclaims", claim + R"("resources":{"requests":{"storage":"1Gi"}})"},
          {"v1 pods", status_pod_spec.substr(1, status_pod_spec.size() - 2), "labels annotations finalizers"},
          {"v1 replicationcontrollers", R"("selector":{"x":"y"},)" + made},
          {"v1 resourcequotas", ""},
          {"v1 services", R"("ports":[{"port":80}])"},
          {"admissionregistration.k8s.io/v1 validatingadmissionpolicies", policy, ""},
          {"apps/v1 daemonsets", selector + "," + made},
          {"apps/v1 deployments", selector + "," + made, "annotations finalizers ownerReferences"},
          {"apps/v1 replicasets", selector + "," + made},
          {"apps/v1 statefulsets", R"("serviceName":"s",)" + selector + "," + made},
          {"autoscaling/v1 horizontalpodautoscalers", scaled},
          {"autoscaling/v2 horizontalpodautoscalers", scaled},
          {"batch/v1 cronjobs", R"("schedule":"* * * * *","jobTemplate":{"spec":{)" + job + "}}"},
          {"batch/v1 jobs", job},
          {"certificates.k8s.io/v1 certificatesigningrequests",
           R"("signerName":"a.dev/s","usages":["client auth"],"request":")" + status_certificate_request + "\""},
          {"apiregistration.k8s.io/v1 apiservices",
           R"("group":"x.dev","version":"v1","groupPriorityMinimum":1000,"versionPriority":15)", ""},
          {"flowcontrol.apiserver.k8s.io/v1 flowschemas",
           R"("matchingPrecedence":5,"priorityLevelConfiguration":{"name":"l"})", ""},
          {"flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations", R"("type":"Exempt")", ""},
          {"networking.k8s.io/v1 ingresses", R"("defaultBackend":{"service":{"name":"s","port":{"number":80}}})"},
          {"networking.k8s.io/v1 servicecidrs", R"("cidrs":["10.0.0.0/24"])"},
          {"policy/v1 poddisruptionbudgets", ""},
          {"resource.k8s.io/v1 resourceclaims",
           R"("devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]})", ""},
          {"storage.k8s.io/v1 volumeattachments", R"("attacher":"a","nodeName":"n","source":{})", ""}};
}

TEST_F(StatusWrites, KeepTheMetadataOfEachBuiltInKindExceptItsOwn) {
  std::set<std::string> tested;
  for (const StatusKind& kind : status_kinds()) {
    const std::size_t blank = kind.collection.find(' ');
    const std::string version = kind.collection.substr(0, blank);
    const std::string plural = kind.collection.substr(blank + 1);
    const std::string group = (version.find('/') == std::string::npos ? "/api/" : "/apis/") + version;
    const json::Value resources = get(group).json.at("resources");
    const auto found = std::ranges::find_if(
        resources.as_array(), [&](const json::Value& one) { return one.at("name") == json::Value(plural); });
    ASSERT_NE(found, resources.as_array().end()) << kind.collection;
    const bool namespaced = found->at("namespaced") == json::Value(true);
    const std::string name = plural == "apiservices" ? "v1.x.dev" : "a";
    const std::string collection = group + (namespaced ? "/namespaces/default/" : "/") + plural;
    EXPECT_EQ(written(collection, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + kind.spec + "}}"),
              kind.changed)
        << kind.collection;
    if (plural == "horizontalpodautoscalers") {  // both versions are one object
      remove(collection + "/a");
      merge(collection + "/a", R"({"metadata":{"finalizers":null}})");
    }
    tested.insert(version + " " + plural);
  }
  EXPECT_EQ(written(definitions, widget_definition("kept.dev")), "labels annotations finalizers ownerReferences");
  tested.insert("apiextensions.k8s.io/v1 customresourcedefinitions");
  EXPECT_EQ(tested, kinds_with_status());
}

// The recording crd-status-generation decides this.
TEST_F(StatusWrites, DropAllMetadataOfCustomKinds) {
  post(definitions, widget_definition("st.dev", R"("subresources":{"status":{}},)"));
  run_until_idle();
  EXPECT_EQ(written("/apis/st.dev/v1/namespaces/default/widgets",
                    R"({"apiVersion":"st.dev/v1","kind":"Widget","metadata":{"name":"w"}})"),
            "");
}

TEST_F(StatusWrites, ReplaceAndApplyKeepAnnotations) {
  const std::string nodes = "/api/v1/nodes";
  post(nodes, R"({"metadata":{"name":"n"}})");
  put(nodes + "/n/status", R"({"metadata":{"name":"n","annotations":{"put":"1"}}})");
  EXPECT_EQ(get(nodes + "/n").at("/metadata/annotations/put"), "1");

  const auto applied = apply(nodes + "/n/status?fieldManager=m",
                             R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"l":"1"}},
                                 "spec":{"unschedulable":true}})");
  EXPECT_EQ(applied.at("/metadata/labels/l"), "1") << applied.body;
  EXPECT_EQ(applied.at("/spec/unschedulable"), "");
  EXPECT_EQ(applied.at("/metadata/annotations/put"), "1");
}

TEST_F(StatusWrites, TheLastFinalizerMayBeRemovedByAStatusWrite) {
  const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
  post(quotas, R"({"metadata":{"name":"q","finalizers":["a.dev/f"]}})");
  remove(quotas + "/q");
  EXPECT_EQ(get(quotas + "/q").status, 200);
  merge(quotas + "/q/status", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(get(quotas + "/q").status, 404);
}

}  // namespace
}  // namespace pintle
