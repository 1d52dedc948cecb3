// SPDX-License-Identifier: Apache-2.0
// The admission plugins that a kube-apiserver contains (server-facts, admission inside a real server).
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

const std::string plugin_pods = "/api/v1/namespaces/default/pods";
const std::string priority_classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const std::string runtime_classes = "/apis/node.k8s.io/v1/runtimeclasses";
const std::string limit_ranges = "/api/v1/namespaces/default/limitranges";

// A request for a certificate of the organizations dev and system:masters.
const std::string request_of_masters =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHeU1HWUNBUUF3TXpFTU1Bb0dBMVVFQ2d3RFpHVj"
    "JNUmN3RlFZRFZRUUtEQTV6ZVhOMFpXMDZiV0Z6ZEdWeQpjekVLTUFnR0ExVUVBd3dCZURBcU1BVUdBeXRsY0FNaEFF"
    "Y1QzK1FFZjBGVTkveUI2OGtDRHgrZFlLdGJOazcvCjFMdE9Hb2Fwb29GUW9BQXdCUVlESzJWd0EwRUFHajhTYkJmNX"
    "RIekQ5NHZSMnJ2b09hMHEvYkxTREM4U2JJbHcKbjVWMlpRNTVrNFlrcVlTZWFOU1hWVDFKdVFNcElja2JCdDlkS2ho"
    "bmtjem9PWFlKRFE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

class Plugins : public ServerTest {
 protected:
  TestReply make_pod(const std::string& name, const std::string& spec, const std::string& container = "") {
    return post(plugin_pods, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec + (spec.empty() ? "" : ",") +
                                 R"("containers":[{"name":"c","image":"i")" +
                                 (container.empty() ? "" : "," + container) + "}]}}");
  }
  static std::string message(const std::string& why) { return "pods \"p\" is forbidden: " + why; }
};

TEST_F(Plugins, ThePriorityOfAPodIsThatOfItsClass) {
  post(priority_classes, R"({"metadata":{"name":"high"},"value":77,"preemptionPolicy":"Never"})");
  const auto made = make_pod("p", R"("priorityClassName":"high")");
  EXPECT_EQ(made.at("/spec/priority"), "77") << made.body;
  EXPECT_EQ(made.at("/spec/preemptionPolicy"), "Never");
  EXPECT_EQ(made.at("/metadata/managedFields/0/fieldsV1/f:spec/f:priority"), "");
  EXPECT_EQ(make_pod("s", R"("priorityClassName":"system-node-critical")").at("/spec/priority"), "2000001000");

  const auto unknown = make_pod("p", R"("priorityClassName":"none")");
  EXPECT_EQ(unknown.status, 403);
  EXPECT_EQ(unknown.at("/message"), message("no PriorityClass with name none was found"));
  EXPECT_EQ(make_pod("p", R"("priorityClassName":"high","priority":5)").at("/message"),
            message("the integer value of priority (5) must not be provided in pod spec; priority admission controller "
                    "computed 77 from the given PriorityClass name"));
}

TEST_F(Plugins, AUpdateOfAPodMayLeaveOutThePriority) {
  EXPECT_EQ(make_pod("p", "").at("/spec/priority"), "0");
  auto pod = get(plugin_pods + "/p").json;
  pod.at("spec").as_object().erase("priority");
  pod.at("metadata").as_object()["labels"] = {{"a", "b"}};
  const auto replaced = put(plugin_pods + "/p", json::print(pod));
  EXPECT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(replaced.at("/spec/priority"), "0");
}

TEST_F(Plugins, OnePriorityClassMayBeTheDefault) {
  post(priority_classes, R"({"metadata":{"name":"usual"},"value":5,"globalDefault":true})");
  EXPECT_EQ(make_pod("p", "").at("/spec/priorityClassName"), "usual");
  const auto second = post(priority_classes, R"({"metadata":{"name":"other"},"value":6,"globalDefault":true})");
  EXPECT_EQ(second.status, 403);
  EXPECT_TRUE(second.at("/message")
                  .ends_with("PriorityClass usual is already marked as default. Only one default can "
                             "exist"))
      << second.body;
  EXPECT_EQ(merge(priority_classes + "/usual", R"({"description":"d"})").status, 200);
}

TEST_F(Plugins, ARuntimeClassAddsOverheadNodeSelectorAndTolerations) {
  post(runtime_classes, R"({"metadata":{"name":"vm"},"handler":"h","overhead":{"podFixed":{"cpu":"250m"}},
      "scheduling":{"nodeSelector":{"vm":"yes"},"tolerations":[{"key":"vm","operator":"Exists"}]}})");
  const auto made = make_pod("p", R"("runtimeClassName":"vm","nodeSelector":{"a":"b"})");
  EXPECT_EQ(made.at("/spec/overhead"), R"({"cpu":"250m"})") << made.body;
  EXPECT_EQ(made.at("/spec/nodeSelector"), R"({"a":"b","vm":"yes"})");
  EXPECT_NE(made.body.find(R"({"key":"vm","operator":"Exists"})"), std::string::npos) << made.body;

  const auto unknown = make_pod("p", R"("runtimeClassName":"none")");
  EXPECT_EQ(unknown.status, 403);
  EXPECT_EQ(unknown.at("/message"), message("pod rejected: RuntimeClass \"none\" not found"));
  EXPECT_EQ(make_pod("p", R"("runtimeClassName":"vm","nodeSelector":{"vm":"no"})").at("/message"),
            message("conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no"));
  EXPECT_EQ(make_pod("p", R"("runtimeClassName":"vm","overhead":{"cpu":"1"})").at("/message"),
            message("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"));
  EXPECT_EQ(make_pod("p", R"("overhead":{"cpu":"1"})").at("/message"),
            message("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"));
}

TEST_F(Plugins, TheServiceAccountOfAPodMustExist) {
  const auto unknown = make_pod("p", R"("serviceAccountName":"op")");
  EXPECT_EQ(unknown.status, 403);
  EXPECT_EQ(unknown.at("/message"),
            message("error looking up service account default/op: serviceaccount \"op\" not found"));
  EXPECT_EQ(make_pod("p", R"("serviceAccount":"op")").status, 403);  // the old name of the member
  EXPECT_EQ(make_pod("d", R"("serviceAccountName":"default")").status, 201);

  post("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"op"}})");
  EXPECT_EQ(make_pod("p", R"("serviceAccountName":"op")").status, 201);
  remove("/api/v1/namespaces/default/serviceaccounts/op");
  EXPECT_EQ(merge(plugin_pods + "/p", R"({"metadata":{"labels":{"a":"b"}}})").status, 200);
}

TEST_F(Plugins, AClaimGrowsOnlyIfItsClassAllowsIt) {
  const std::string claim = "/api/v1/namespaces/default/persistentvolumeclaims/c";
  const auto add_class = [&](const std::string& name, const std::string& more) {
    post("/apis/storage.k8s.io/v1/storageclasses",
         R"({"metadata":{"name":")" + name + R"("},"provisioner":"p")" + more + "}");
  };
  const auto resize = [&](const std::string& class_name) {
    post("/api/v1/namespaces/default/persistentvolumeclaims",
         R"({"metadata":{"name":"c"},"spec":{"storageClassName":")" + class_name +
             R"(","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})");
    merge(claim + "/status", R"({"status":{"phase":"Bound"}})");
    auto reply = merge(claim, R"({"spec":{"resources":{"requests":{"storage":"2Gi"}}}})");
    remove(claim);
    merge(claim, R"({"metadata":{"finalizers":null}})");
    return reply;
  };
  add_class("grows", R"(,"allowVolumeExpansion":true)");
  add_class("fixed", "");
  EXPECT_EQ(resize("grows").at("/spec/resources/requests/storage"), "2Gi");
  for (const char* name : {"fixed", "none", ""}) {
    const auto refused = resize(name);
    EXPECT_EQ(refused.status, 403) << name;
    EXPECT_EQ(refused.at("/message"),
              "persistentvolumeclaims \"c\" is forbidden: only dynamically provisioned pvc can be resized and the "
              "storageclass that provisions the pvc must support resize");
  }
}

TEST_F(Plugins, ALimitRangeSetsDefaults) {
  post(limit_ranges, R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","default":{"cpu":"500m","memory":
      "1Gi"},"defaultRequest":{"cpu":"100m","memory":"1Gi"}}]}})");
  const auto made = make_pod("p", "", R"("resources":{"limits":{"cpu":"1"}})");
  EXPECT_EQ(made.at("/spec/containers/0/resources/limits"), R"({"cpu":"1","memory":"1Gi"})") << made.body;
  EXPECT_EQ(made.at("/spec/containers/0/resources/requests"), R"({"cpu":"1","memory":"1Gi"})");
  EXPECT_EQ(made.at("/metadata/annotations/kubernetes.io~1limit-ranger"),
            "LimitRanger plugin set: memory request for container c; memory limit for container c");
  EXPECT_EQ(made.at("/status/qosClass"), "Guaranteed");
}

TEST_F(Plugins, ALimitRangeRefusesPodsBeyondItsLimits) {
  post(limit_ranges, R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{"cpu":"1"},"min":
      {"cpu":"100m"},"maxLimitRequestRatio":{"cpu":"2"}},{"type":"Pod","max":{"memory":"2Gi"}}]}})");
  const auto refused = make_pod("p", "", R"("resources":{"requests":{"cpu":"2"},"limits":{"cpu":"2","memory":"3Gi"}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"), message("[maximum cpu usage per Container is 1, but limit is 2, maximum memory "
                                            "usage per Pod is 2Gi, but limit is 3Gi]"));
  EXPECT_EQ(make_pod("p", "", R"("resources":{"requests":{"cpu":"50m"},"limits":{"cpu":"60m","memory":"1Gi"}})")
                .at("/message"),
            message("minimum cpu usage per Container is 100m, but request is 50m"));
  EXPECT_EQ(make_pod("p", "", R"("resources":{"requests":{"cpu":"200m"},"limits":{"cpu":"600m","memory":"1Gi"}})")
                .at("/message"),
            message("cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000"));
  EXPECT_EQ(make_pod("p", "", R"("resources":{"limits":{"cpu":"1","memory":"1Gi"}})").status, 201);
}

TEST_F(Plugins, ALimitRangeRefusesClaimsBeyondItsLimits) {
  post(limit_ranges, R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"PersistentVolumeClaim",
      "max":{"storage":"1Gi"}}]}})");
  const auto refused = post("/api/v1/namespaces/default/persistentvolumeclaims",
                            R"({"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":
                                {"storage":"2Gi"}}}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"),
            "persistentvolumeclaims \"c\" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but "
            "request is 2Gi");
}

TEST_F(Plugins, TheNewestDefaultClassIsFilledIn) {
  const std::string claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const auto make_claim = [&](const std::string& name, const std::string& spec) {
    return post(claims, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec +
                            R"("accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}}}})");
  };
  EXPECT_EQ(make_claim("a", "").at("/spec/storageClassName"), "");
  for (const char* name : {"old", "new"}) {
    post("/apis/storage.k8s.io/v1/storageclasses",
         R"({"metadata":{"name":")" + std::string(name) +
             R"(","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"p"})");
    executor_.sleep_for(std::chrono::seconds(2));
  }
  EXPECT_EQ(make_claim("b", "").at("/spec/storageClassName"), "new");
  EXPECT_EQ(make_claim("c", R"("storageClassName":"",)").at("/spec/storageClassName"), "");

  post("/apis/networking.k8s.io/v1/ingressclasses",
       R"({"metadata":{"name":"web","annotations":{"ingressclass.kubernetes.io/is-default-class":"true"}},
           "spec":{"controller":"a.dev/c"}})");
  const std::string ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
  const std::string spec = R"("spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}}})";
  EXPECT_EQ(post(ingresses, R"({"metadata":{"name":"i"},)" + spec).at("/spec/ingressClassName"), "web");
  EXPECT_EQ(post(ingresses, R"({"metadata":{"name":"j","annotations":{"kubernetes.io/ingress.class":"x"}},)" + spec)
                .at("/spec/ingressClassName"),
            "");
}

TEST_F(Plugins, NoSigningRequestIsForAnAdministratorOfTheCluster) {
  const auto make = [&](const std::string& name, const std::string& signer) {
    return post("/apis/certificates.k8s.io/v1/certificatesigningrequests",
                R"({"metadata":{"name":")" + name + R"("},"spec":{"usages":["client auth"],"signerName":")" + signer +
                    R"(","request":")" + request_of_masters + R"("}})");
  };
  const auto refused = make("r", "kubernetes.io/kube-apiserver-client");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"),
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: use of "
            "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
  EXPECT_EQ(make("s", "a.dev/s").status, 201);
}

}  // namespace
}  // namespace pintle
