// SPDX-License-Identifier: Apache-2.0
// The subresources binding, eviction and approval, and those that the server does not implement.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string all_pods = "/api/v1/namespaces/default/pods";

class Subresources : public ServerTest {
 protected:
  static std::string signing_request(const std::string& name, const std::string& more = "") {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more +
           R"("signerName":"a.conf.dev/s","usages":["any"],"request":)"
           R"("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K"}})";
  }
  // Binds a Pod to the target with these members.
  TestReply bind(const std::string& pod, const std::string& target) {
    return post(all_pods + "/" + pod + "/binding",
                R"({"metadata":{"name":")" + pod + R"("},"target":{)" + target + "}}");
  }
  void make_pod(const std::string& name) {
    const auto made =
        post(all_pods, R"({"metadata":{"name":")" + name +
                           R"(","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
};

TEST_F(Subresources, ABindingSetsTheNodeOfAPodOnce) {
  make_pod("a");
  make_pod("b");

  EXPECT_EQ(bind("a", R"("kind":"Node","name":"n1")").at("/status"), "Success");
  EXPECT_EQ(get(all_pods + "/a").at("/spec/nodeName"), "n1");
  EXPECT_EQ(bind("a", R"("kind":"Node","name":"n2")").status, 409);
  EXPECT_EQ(post("/api/v1/namespaces/default/bindings", R"({"metadata":{"name":"b"},"target":{"name":"n2"}})").status,
            201);
  EXPECT_EQ(get(all_pods + "/b").at("/spec/nodeName"), "n2");
  EXPECT_EQ(bind("a", "").causes(), "FieldValueRequired@target.name");
  EXPECT_EQ(bind("none", R"("name":"n1")").status, 404);
  EXPECT_EQ(get("/api/v1/namespaces/default/bindings").status, 405);
}

// server-facts 19
TEST_F(Subresources, ABindingKeepsTheGenerationOfAPod) {
  make_pod("a");
  bind("a", R"("name":"n1")");
  EXPECT_EQ(get(all_pods + "/a").at("/metadata/generation"), "1");
}

TEST_F(Subresources, ABoundPodIsScheduled) {
  make_pod("a");
  merge(all_pods + "/a/status",
        R"({"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}]}})");
  bind("a", R"("name":"n1")");
  const auto pod = get(all_pods + "/a");
  EXPECT_EQ(pod.at("/status/conditions/0/type"), "PodScheduled");
  EXPECT_EQ(pod.at("/status/conditions/0/status"), "True");
  EXPECT_EQ(pod.at("/status/conditions/0/reason"), "");
  EXPECT_NE(pod.at("/status/conditions/0/lastTransitionTime"), "");
  EXPECT_EQ(pod.at("/status/conditions/1"), "");
}

TEST_F(Subresources, APodThatIsDeletedOrGatedIsNotBound) {
  post(all_pods, R"({"metadata":{"name":"deleted","finalizers":["a.dev/f"]},
      "spec":{"containers":[{"name":"c","image":"i"}]}})");
  remove(all_pods + "/deleted");
  post(all_pods, R"({"metadata":{"name":"gated"},
      "spec":{"schedulingGates":[{"name":"a.dev/g"}],"containers":[{"name":"c","image":"i"}]}})");

  const auto deleted = bind("deleted", R"("name":"n1")");
  EXPECT_EQ(deleted.status, 409);
  EXPECT_EQ(deleted.at("/message"),
            "Operation cannot be fulfilled on pods/binding \"deleted\": pod deleted is being deleted, cannot be "
            "assigned to a host");
  const auto gated = bind("gated", R"("name":"n1")");
  EXPECT_EQ(gated.status, 409);
  EXPECT_EQ(gated.at("/message"),
            "Operation cannot be fulfilled on pods/binding \"gated\": pod gated has non-empty .spec.schedulingGates");
}

TEST_F(Subresources, ABindingIsForThePodInItsPath) {
  make_pod("a");
  const std::string binding = all_pods + "/a/binding";
  for (const char* body : {R"({"target":{"name":"n1"}})", R"({"metadata":{"name":"b"},"target":{"name":"n1"}})",
                           R"({"metadata":{"name":"a","namespace":"other"},"target":{"name":"n1"}})",
                           R"({"kind":"Pod","metadata":{"name":"a"},"target":{"name":"n1"}})",
                           R"({"metadata":{"name":"a"},"target":{"name":1}})", "[]"}) {
    EXPECT_EQ(post(binding, body).status, 400) << body;
  }
  const auto other = post(binding, R"({"metadata":{"name":"a","uid":"other"},"target":{"name":"n1"}})");
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(get(all_pods + "/a").at("/spec/nodeName"), "");
  const std::string uid = get(all_pods + "/a").at("/metadata/uid");
  EXPECT_EQ(post(binding, R"({"metadata":{"name":"a","uid":")" + uid + R"("},"target":{"name":"n1"}})").status, 201);
}

TEST_F(Subresources, AnEvictionIsForThePodInItsPath) {
  make_pod("a");
  for (const char* body :
       {"{}", "[]", R"({"metadata":{"name":"b"}})", R"({"kind":"Pod","metadata":{"name":"a"}})",
        R"({"apiVersion":"v1","metadata":{"name":"a"}})", R"({"metadata":{"name":"a","namespace":"other"}})"}) {
    EXPECT_EQ(post(all_pods + "/a/eviction", body).status, 400) << body;
  }
  EXPECT_EQ(post(all_pods + "/a/eviction", R"({"metadata":{"name":"b"}})").at("/message"),
            "name in URL does not match name in Eviction object");
  EXPECT_EQ(get(all_pods + "/a").status, 200);
}

TEST_F(Subresources, ABudgetRefusesAnEviction) {
  make_pod("a");
  merge(all_pods + "/a/status", R"({"status":{"phase":"Running"}})");
  const std::string budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  post(budgets, R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}})");

  const auto refused = post(all_pods + "/a/eviction", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.causes(), "DisruptionBudget@");
  EXPECT_EQ(get(all_pods + "/a").status, 200);

  merge(budgets + "/b/status", R"({"status":{"disruptionsAllowed":1,"observedGeneration":1}})");
  EXPECT_EQ(post(all_pods + "/a/eviction?dryRun=All", R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(get(all_pods + "/a").status, 200);
  const std::string dry = R"({"metadata":{"name":"a"},"deleteOptions":{"dryRun":["All"]}})";
  EXPECT_EQ(post(all_pods + "/a/eviction", dry).status, 201);
  EXPECT_EQ(get(all_pods + "/a").status, 200);
  EXPECT_EQ(post(all_pods + "/a/eviction", R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(get(all_pods + "/a").status, 404);
}

TEST_F(Subresources, NoBudgetRefusesTheEvictionOfAPodThatDoesNotRun) {
  const std::string budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  post(budgets, R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}})");
  for (const char* phase : {"Pending", "Succeeded", "Failed"}) {
    make_pod("a");
    merge(all_pods + "/a/status", R"({"status":{"phase":")" + std::string(phase) + "\"}}");
    EXPECT_EQ(post(all_pods + "/a/eviction", R"({"metadata":{"name":"a"}})").status, 201) << phase;
    EXPECT_EQ(get(all_pods + "/a").status, 404) << phase;
  }
}

TEST_F(Subresources, AnApprovalWritesTheConditionsOfASigningRequest) {
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  post(requests, signing_request("r"));
  const std::string approved =
      R"({"status":{"conditions":[{"type":"Approved","status":"True","reason":"r","message":"m"}]}})";

  merge(requests + "/r", approved);
  EXPECT_EQ(get(requests + "/r").at("/status/conditions"), "");
  EXPECT_EQ(merge(requests + "/r/approval", approved).at("/status/conditions/0/type"), "Approved");
}

// server-facts 16
TEST_F(Subresources, ASigningRequestHasItsSenderAndATable) {
  const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const auto made = post(requests, signing_request("r", R"("username":"me","groups":["g"],"expirationSeconds":7200,)"));
  EXPECT_EQ(made.at("/spec/username"), "system:anonymous") << made.body;
  EXPECT_EQ(made.at("/spec/groups"), R"(["system:unauthenticated"])");
  EXPECT_EQ(get(requests, "application/json;as=Table;v=v1;g=meta.k8s.io").at("/rows/0/cells"),
            R"(["r","0s","a.conf.dev/s","system:anonymous","120m","Pending"])");
  merge(requests + "/r/approval",
        R"({"status":{"conditions":[{"type":"Approved","status":"True","reason":"r","message":"m"}]}})");
  EXPECT_EQ(get(requests, "application/json;as=Table;v=v1;g=meta.k8s.io").at("/rows/0/cells/5"), "Approved");

  const auto garbage =
      post(requests, R"({"metadata":{"name":"g"},"spec":{"request":"Yg==","signerName":"a.b/c","usages":["any"]}})");
  EXPECT_EQ(garbage.status, 422);
  EXPECT_EQ(garbage.at("/details/causes/0/message"),
            "Invalid value: []byte{0x62}: PEM block type must be CERTIFICATE REQUEST");
}

// server-facts 17
TEST_F(Subresources, AResizeChangesOnlyResources) {
  const std::string container =
      R"({"name":"c","image":"i","resources":{"requests":{"cpu":"1","memory":"1Gi","a.dev/x":"1"},)"
      R"("limits":{"a.dev/x":"1"}}})";
  post(all_pods, R"({"metadata":{"name":"a"},"spec":{"containers":[)" + container + "]}}");
  const auto resize = [&](const std::string& resources) {
    return call("PATCH", all_pods + "/a/resize",
                R"({"metadata":{"labels":{"l":"1"}},"spec":{"containers":[{"name":"c","image":"j","resources":)" +
                    resources + "}]}}",
                "application/strategic-merge-patch+json");
  };

  const auto resized = resize(R"({"requests":{"cpu":"2"}})");
  EXPECT_EQ(resized.at("/spec/containers/0/resources/requests/cpu"), "2") << resized.body;
  EXPECT_EQ(resized.at("/spec/containers/0/image"), "i");
  EXPECT_EQ(resized.at("/metadata/labels"), "");
  EXPECT_EQ(resize(R"({"requests":{"a.dev/x":"2"},"limits":{"a.dev/x":"2"}})").causes(),
            "FieldValueForbidden@spec FieldValueForbidden@spec");
  EXPECT_EQ(resize(R"({"requests":{"cpu":null}})").causes(),
            "FieldValueForbidden@spec.containers[0].resources.requests");
  EXPECT_EQ(resize(R"({"limits":{"memory":"1Gi","cpu":"2"}})").causes(), "FieldValueInvalid@metadata");
  EXPECT_EQ(
      call("PATCH", all_pods + "/a", R"({"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"3"}}}]}})",
           "application/strategic-merge-patch+json")
          .causes(),
      "FieldValueForbidden@spec");
}

TEST_F(Subresources, UnsupportedSubresourcesAreRefused) {
  make_pod("a");

  EXPECT_EQ(get(all_pods + "/a/log").status, 501);
  EXPECT_EQ(get(all_pods + "/a/exec").at("/reason"), "NotImplemented");
  EXPECT_EQ(get(all_pods + "/a/nothing").status, 404);
  EXPECT_EQ(post(all_pods + "/a/log", "{}").status, 405);
  EXPECT_EQ(call("DELETE", all_pods + "/a/status").status, 405);
}

TEST_F(Subresources, AScaleContainsTheSelectorOfItsObject) {
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  post(deployments, R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");

  EXPECT_EQ(get(deployments + "/d/scale").at("/status/selector"), "a=b");
  EXPECT_EQ(merge(deployments + "/d/scale", R"({"spec":{"replicas":5}})").at("/spec/replicas"), "5");
  EXPECT_EQ(get(deployments + "/d").at("/spec/replicas"), "5");
}

TEST_F(Subresources, TheUidOfAScaleIsAPrecondition) {
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  post(deployments, R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const auto replace = [&](const std::string& uid) {
    return put(deployments + "/d/scale",
               R"({"metadata":{"name":"d","namespace":"default","uid":")" + uid + R"("},"spec":{"replicas":5}})");
  };

  EXPECT_EQ(replace("other").at("/reason"), "Conflict");
  EXPECT_EQ(merge(deployments + "/d/scale", R"({"metadata":{"uid":"other"},"spec":{"replicas":5}})").status, 409);
  EXPECT_EQ(get(deployments + "/d").at("/spec/replicas"), "2");
  EXPECT_EQ(replace(get(deployments + "/d").at("/metadata/uid")).at("/spec/replicas"), "5");
}

}  // namespace
}  // namespace pintle
