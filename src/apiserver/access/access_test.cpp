// SPDX-License-Identifier: Apache-2.0
// Roles in the server, beyond the recordings rbac-*: users, aggregation, impersonation modes and edge cases.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string rbac_api = "/apis/rbac.authorization.k8s.io/v1";
const std::string config_map_a = config_maps + "/a";

class Access : public ServerTest {
 protected:
  explicit Access(ApiServerAuthorization authorization = ApiServerAuthorization::rbac)
      : ServerTest({.token = "root", .users = {{"b", "bob", "bob-uid", {"dev"}}}, .authorization = authorization}) {}

  TestReply as(const std::string& token, const std::string& method, std::string target, std::string body = "",
               http::Headers headers = {}) {
    if (!token.empty()) headers.set("Authorization", "Bearer " + token);
    return call(method, std::move(target), std::move(body), "application/json", std::move(headers));
  }
  TestReply admin(const std::string& method, std::string target, std::string body = "") {
    return as("root", method, std::move(target), std::move(body));
  }
  TestReply bob(const std::string& method, std::string target, std::string body = "", http::Headers headers = {}) {
    return as("b", method, std::move(target), std::move(body), std::move(headers));
  }
  // Gives rights in the whole cluster to a subject: R"("kind":"User","name":"bob")".
  void grant(const std::string& name, const std::string& rules, const std::string& subject) {
    ASSERT_EQ(
        admin("POST", rbac_api + "/clusterroles", R"({"metadata":{"name":")" + name + R"("},"rules":)" + rules + "}")
            .status,
        201);
    bind(name, subject);
  }
  void bind(const std::string& role, const std::string& subject) {
    ASSERT_EQ(admin("POST", rbac_api + "/clusterrolebindings",
                    R"({"metadata":{"name":")" + role + R"("},"roleRef":{"kind":"ClusterRole","name":")" + role +
                        R"("},"subjects":[{)" + subject + "}]}")
                  .status,
              201);
  }
};

TEST_F(Access, IsRefusedWithoutARoleAndAllowedWithOneAtOnce) {
  EXPECT_EQ(bob("GET", config_maps).status, 403);
  grant("reader", R"([{"verbs":["list"],"apiGroups":[""],"resources":["configmaps"]}])",
        R"("kind":"Group","name":"dev")");
  EXPECT_EQ(bob("GET", config_maps).status, 200);
  EXPECT_EQ(bob("GET", config_map_a).status, 403);
  ASSERT_EQ(admin("DELETE", rbac_api + "/clusterrolebindings/reader").status, 200);
  EXPECT_EQ(bob("GET", config_maps).status, 403);
}

class Signing : public Access {
 protected:
  void SetUp() override {
    const std::string request =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
    const auto made = admin(
        "POST", requests_,
        R"({"metadata":{"name":"r"},"spec":{"signerName":"a.dev/s","usages":["any"],"request":")" + request + R"("}})");
    ASSERT_EQ(made.status, 201) << made.body;
    grant("writer", R"([{"verbs":["update"],"apiGroups":["certificates.k8s.io"],
        "resources":["certificatesigningrequests/approval","certificatesigningrequests/status"]}])",
          bob_);
  }
  void grant_verb(const std::string& verb, const std::string& signer) {
    grant(verb,
          R"([{"apiGroups":["certificates.k8s.io"],"resources":["signers"],"verbs":[")" + verb +
              R"("],"resourceNames":[")" + signer + R"("]}])",
          bob_);
  }
  // Bob writes a member of the status.
  TestReply write(const std::string& subresource, const std::string& pointer, const std::string& value) {
    json::Value request = json::parse(admin("GET", requests_ + "/r").body).value();
    EXPECT_TRUE(json::set(request, pointer, json::parse(value).value()));
    return bob("PUT", requests_ + "/r/" + subresource, json::print(request));
  }
  static std::string refusal(const std::string& verb) {
    return "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: user not permitted to " + verb +
           " requests with signerName \"a.dev/s\"";
  }

  const std::string requests_ = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const std::string bob_ = R"("kind":"User","name":"bob")";
  const std::string approved_ = R"([{"type":"Approved","status":"True","reason":"r","message":"m"}])";
};

TEST_F(Signing, AnApprovalNeedsARightOnTheSigner) {
  const auto refused = write("approval", "/status/conditions", approved_);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"), refusal("approve"));
  grant_verb("approve", "a.dev/s");
  const auto allowed = write("approval", "/status/conditions", approved_);
  EXPECT_EQ(allowed.status, 200) << allowed.body;
  EXPECT_EQ(allowed.at("/status/conditions/0/type"), "Approved");
}

TEST_F(Signing, ACertificateNeedsARightOnTheSigner) {
  EXPECT_EQ(write("status", "/status/certificate", R"("Y2VydA==")").at("/message"), refusal("sign"));
  EXPECT_EQ(write("status", "/status/conditions", approved_).status, 403);
  EXPECT_EQ(write("status", "/metadata/labels", R"({"a":"b"})").status, 200) << "neither of the two changes";
  grant_verb("sign", "a.dev/*");
  const auto allowed = write("status", "/status/certificate", R"("Y2VydA==")");
  EXPECT_EQ(allowed.status, 200) << allowed.body;
  EXPECT_EQ(allowed.at("/status/certificate"), "Y2VydA==");
}

TEST_F(Access, TheVerbOfAReadDependsOnTheParameterWatch) {
  grant("reader", R"([{"verbs":["list"],"apiGroups":[""],"resources":["configmaps"]}])",
        R"("kind":"User","name":"bob")");
  EXPECT_EQ(bob("GET", config_maps + "?watch=False").status, 200);
  EXPECT_EQ(bob("GET", config_maps + "?watch=").status, 403);
}

TEST_F(Access, RolesAreReadAgainAfterARewind) {
  const std::uint64_t before = server_.resource_version();
  grant("reader", R"([{"verbs":["list"],"apiGroups":[""],"resources":["configmaps"]}])",
        R"("kind":"User","name":"bob")");
  ASSERT_EQ(bob("GET", config_maps).status, 200);
  ASSERT_TRUE(server_.rewind(before));
  EXPECT_EQ(bob("GET", config_maps).status, 403);
}

TEST_F(Access, ARefusalComesBeforeTheSizeOfTheBody) {
  EXPECT_EQ(bob("POST", config_maps, std::string(std::size_t{4} << 20U, ' ')).status, 403);
  EXPECT_EQ(admin("POST", config_maps, std::string(std::size_t{4} << 20U, ' ')).status, 413);
}

TEST_F(Access, WithoutCredentialsTheUserIsAnonymousAndAWrongTokenIsRefused) {
  EXPECT_EQ(as("", "GET", "/version").status, 200);
  EXPECT_EQ(as("", "GET", config_maps).at("/message"),
            R"(configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" )"
            R"(in the namespace "default")");
  EXPECT_EQ(as("wrong", "GET", "/version").status, 401);
}

TEST_F(Access, TheSubresourceProxyOfAPodNeedsARight) {
  const std::string proxy = "/api/v1/namespaces/default/pods/p:80/proxy/x";
  EXPECT_EQ(bob("GET", proxy).status, 403);
  EXPECT_EQ(admin("GET", proxy).status, 503) << "no URL is configured for the pod";
}

TEST_F(Access, ADefinedKindCanBeUsedWithAnAggregatedRole) {
  run_until_idle();
  bind("view", R"("kind":"User","name":"bob")");
  const std::string gizmos = "/apis/a.conf.dev/v1/namespaces/default/widgets";
  ASSERT_EQ(admin("POST", definitions, widget_definition("a.conf.dev")).status, 201);
  run_until_idle();
  EXPECT_EQ(bob("GET", config_maps).status, 200);
  EXPECT_EQ(bob("GET", "/api/v1/namespaces/default/secrets").status, 403);
  EXPECT_EQ(bob("GET", gizmos).status, 403);
  ASSERT_EQ(admin("POST", rbac_api + "/clusterroles",
                  R"({"metadata":{"name":"w","labels":{"rbac.authorization.k8s.io/aggregate-to-view":"true"}},
                     "rules":[{"verbs":["list"],"apiGroups":["a.conf.dev"],"resources":["widgets"]}]})")
                .status,
            201);
  run_until_idle();
  EXPECT_EQ(bob("GET", gizmos).status, 200);
  // admin aggregates edit, which aggregates view.
  const TestReply role = admin("GET", rbac_api + "/clusterroles/admin");
  EXPECT_NE(role.body.find("a.conf.dev"), std::string::npos);
  EXPECT_EQ(role.at("/metadata/managedFields/0/manager"), "clusterrole-aggregation-controller");
  EXPECT_EQ(role.at("/metadata/managedFields/0/operation"), "Apply");
}

TEST_F(Access, TheRulesOfADeletedRoleLeaveTheAggregate) {
  const std::string roles = rbac_api + "/clusterroles";
  admin("POST", roles,
        R"({"metadata":{"name":"all"},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"x":"y"}}]}})");
  admin("POST", roles, R"({"metadata":{"name":"part","labels":{"x":"y"}},
                          "rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})");
  run_until_idle();
  EXPECT_EQ(admin("GET", roles + "/all").at("/rules/0/resources"), R"(["pods"])");
  admin("DELETE", roles + "/part");
  run_until_idle();
  EXPECT_EQ(admin("GET", roles + "/all").at("/rules/0"), "");
}

TEST_F(Access, AnAggregationRuleNeedsAllRights) {
  grant("manager", R"([{"verbs":["create"],"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"]}])",
        R"("kind":"User","name":"bob")");
  const auto refused = bob("POST", rbac_api + "/clusterroles",
                           R"({"metadata":{"name":"x"},"aggregationRule":{"clusterRoleSelectors":[{}]}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.at("/message").find("must have cluster-admin privileges to use the aggregationRule"),
            std::string::npos);
}

TEST_F(Access, TheModeOfAnImpersonationLimitsTheRequests) {
  grant("sudo",
        R"([{"verbs":["impersonate:user-info"],"apiGroups":["authentication.k8s.io"],"resources":["users"],
             "resourceNames":["carol"]},
            {"verbs":["impersonate-on:user-info:list"],"apiGroups":[""],"resources":["configmaps"]}])",
        R"("kind":"User","name":"bob")");
  grant("carols", R"([{"verbs":["list","get"],"apiGroups":[""],"resources":["configmaps","secrets"]}])",
        R"("kind":"User","name":"carol")");
  const http::Headers carol{{"Impersonate-User", "carol"}};
  EXPECT_EQ(bob("GET", config_maps, "", carol).status, 200);
  EXPECT_NE(bob("GET", "/api/v1/namespaces/default/secrets", "", carol)
                .at("/message")
                .find("User \"bob\" cannot impersonate-on:user-info:list resource \"secrets\""),
            std::string::npos);
  EXPECT_NE(bob("GET", config_maps, "", {{"Impersonate-User", "dave"}})
                .at("/message")
                .find("cannot impersonate:user-info resource \"users\" in API group \"authentication.k8s.io\""),
            std::string::npos);
}

TEST_F(Access, ANodeCanBeImpersonatedWithItsGroup) {
  const auto self = as("root", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}",
                       {{"Impersonate-User", "system:node:n1"}});
  EXPECT_EQ(self.at("/status/userInfo/groups"), R"(["system:nodes","system:authenticated"])");
}

TEST_F(Access, ADanglingBindingIsReportedInAReviewOfRules) {
  bind("nothing", R"("kind":"User","name":"bob")");
  const auto rules =
      bob("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", R"({"spec":{"namespace":"default"}})");
  EXPECT_EQ(rules.at("/status/evaluationError"), R"(clusterrole.rbac.authorization.k8s.io "nothing" not found)");
}

TEST_F(Access, TheServerItselfIsNotAuthorized) {
  admin("POST", config_maps, config_map("owner"));
  const std::string uid = admin("GET", config_maps + "/owner").at("/metadata/uid");
  admin("POST", config_maps,
        config_map("dependent", R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" +
                                    uid + R"("}])"));
  ASSERT_EQ(admin("DELETE", config_maps + "/owner").status, 200);
  run_until_idle();
  EXPECT_EQ(names("configmaps"), "");
}

class OpenAccess : public Access {
 protected:
  OpenAccess() : Access(ApiServerAuthorization::allow_all) {}
};

TEST_F(OpenAccess, EveryUserMayDoEverythingButMustBeKnown) {
  EXPECT_EQ(bob("POST", config_maps, config_map("a")).status, 201);
  EXPECT_EQ(as("", "GET", config_maps).status, 401);
  EXPECT_EQ(bob("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", {{"Impersonate-User", "eve"}})
                .at("/status/userInfo/username"),
            "eve");
  EXPECT_EQ(bob("GET", rbac_api + "/clusterroles").at("/items"), "[]") << "no roles are made";
}

TEST_F(Access, ABindingNamesAKnownKindOfRole) {
  const auto bind = [this](const std::string& target, const std::string& role) {
    return admin("POST", rbac_api + "/" + target, R"({"metadata":{"name":"b"},"roleRef":)" + role + "}").causes();
  };
  EXPECT_EQ(bind("clusterrolebindings", R"({"kind":"Role","name":"r"})"), "FieldValueNotSupported@roleRef.kind");
  EXPECT_EQ(bind("namespaces/default/rolebindings", R"({"kind":"Rule","name":"r"})"),
            "FieldValueNotSupported@roleRef.kind");
  EXPECT_EQ(bind("clusterrolebindings", R"({"apiGroup":"apps","kind":"ClusterRole","name":"r"})"),
            "FieldValueNotSupported@roleRef.apiGroup");
  EXPECT_EQ(bind("clusterrolebindings", R"({"kind":"ClusterRole"})"), "FieldValueRequired@roleRef.name");
  EXPECT_EQ(bind("clusterrolebindings", R"({"kind":"ClusterRole","name":"a/b"})"), "FieldValueInvalid@roleRef.name");
}

}  // namespace
}  // namespace pintle
