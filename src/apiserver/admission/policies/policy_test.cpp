// SPDX-License-Identifier: Apache-2.0
// Admission policies, beyond the recorded scenarios.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

const std::string admission_group = "/apis/admissionregistration.k8s.io/v1/";

json::object rule_of(const char* group, const char* resource, const json::array& operations = {"*"}) {
  return {{"operations", operations},
          {"apiGroups", json::array{group}},
          {"apiVersions", json::array{"v1"}},
          {"resources", json::array{resource}}};
}

std::string config_map_with(const std::string& name, const std::string& data) {
  return R"({"metadata":{"name":")" + name + R"("},"data":)" + data + "}";
}

class PolicyTest : public ServerTest {
 protected:
  using ServerTest::ServerTest;

  // Stores a policy, by default for ConfigMaps, and a binding of the same name. `spec` and `binding` are further
  // members.
  void add_validating(const std::string& name, json::object spec, json::object binding = {}) {
    binding.emplace("validationActions", json::array{"Deny"});
    add("validatingadmissionpolic", name, std::move(spec), std::move(binding));
  }
  void add_mutating(const std::string& name, const json::array& mutations, json::object spec = {},
                    json::object binding = {}) {
    spec["mutations"] = mutations;
    spec.emplace("reinvocationPolicy", "Never");
    add("mutatingadmissionpolic", name, std::move(spec), std::move(binding));
  }

  static json::object validation(const char* expression, const char* message = "") {
    json::object out{{"expression", expression}};
    if (*message != '\0') out["message"] = message;
    return out;
  }
  static json::object json_patch(const char* expression) {
    return {{"patchType", "JSONPatch"}, {"jsonPatch", {{"expression", expression}}}};
  }
  static json::object apply_configuration(const char* expression) {
    return {{"patchType", "ApplyConfiguration"}, {"applyConfiguration", {{"expression", expression}}}};
  }

  std::string message_of(const TestReply& reply) { return reply.at("/message"); }

 private:
  void add(const std::string& kind, const std::string& name, json::object spec, json::object binding) {
    spec.emplace("matchConstraints", json::object{{"resourceRules", json::array{rule_of("", "configmaps")}}});
    if (kind.starts_with("mutating")) {
      json::Value& operations = json::find(spec["matchConstraints"], "/resourceRules/0/operations")->as_array()[0];
      if (operations == json::Value("*")) operations = "CREATE";
    }
    binding["policyName"] = name;
    for (const auto& [plural, members] : {std::pair("ies", &spec), std::pair("ybindings", &binding)}) {
      const auto made =
          post(admission_group + kind + plural, json::print({{"metadata", {{"name", name}}}, {"spec", *members}}));
      ASSERT_EQ(made.status, 201) << made.body;
    }
  }
};

TEST_F(PolicyTest, AcceptsWritesOfAPolicyWithoutBinding) {
  const auto made =
      post(admission_group + "validatingadmissionpolicies",
           json::print({{"metadata", {{"name", "a"}}},
                        {"spec",
                         {{"matchConstraints", {{"resourceRules", json::array{rule_of("", "configmaps")}}}},
                          {"validations", json::array{validation("false")}}}}}));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.headers.get("Warning").value_or(""), "");
  EXPECT_EQ(post(config_maps, config_map("a")).status, 201);
}

TEST_F(PolicyTest, TakesEffectWithItsWriteAndEndsWithItsDeletion) {
  add_validating("a", {{"validations", json::array{validation("object.metadata.name != 'x'", "no x")}}});
  EXPECT_EQ(message_of(post(config_maps, config_map("x"))),
            "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'a' denied request: no x");

  EXPECT_EQ(merge(admission_group + "validatingadmissionpolicies/a",
                  R"({"spec":{"validations":[{"expression":"object.metadata.name != 'y'"}]}})")
                .status,
            200);
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);
  EXPECT_EQ(post(config_maps, config_map("y")).status, 422);

  EXPECT_EQ(remove(admission_group + "validatingadmissionpolicies/a").status, 200);
  EXPECT_EQ(post(config_maps, config_map("y")).status, 201);
}

TEST_F(PolicyTest, AMatchConditionSeesNoNamespace) {
  add_validating("a", {{"matchConditions",
                        json::array{{{"name", "c"}, {"expression", "namespaceObject.metadata.name == 'default'"}}}},
                       {"validations", json::array{validation("namespaceObject.metadata.name == 'default'")}}});
  EXPECT_NE(message_of(post(config_maps, config_map("x"))).find("no such key: metadata"), std::string::npos);
}

TEST_F(PolicyTest, IsNotAppliedToConfigurationsOfAdmission) {
  add_validating("a", {{"matchConstraints",
                        {{"resourceRules", json::array{{{"operations", json::array{"*"}},
                                                        {"apiGroups", json::array{"*"}},
                                                        {"apiVersions", json::array{"*"}},
                                                        {"resources", json::array{"*/*"}}}}}}},
                       {"validations", json::array{validation("false")}}});
  EXPECT_EQ(post(config_maps, config_map("x")).status, 422);
  EXPECT_EQ(remove(admission_group + "validatingadmissionpolicybindings/a").status, 200);
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);
}

TEST_F(PolicyTest, EvaluatesAVariableOnceAndOnlyIfItIsRead) {
  // The reads of this variable exceed the budget unless it is evaluated once.
  std::string reads = "variables.size > 0";
  for (int i = 0; i < 200; ++i) reads += " && variables.size > 0";
  const json::array variables{
      {{"name", "many"}, {"expression", "[1,2,3,4,5,6,7,8,9,10]"}},
      {{"name", "unused"}, {"expression", "object.data.missing"}},
      {{"name", "size"},
       {"expression",
        "variables.many.map(a, variables.many.map(b, variables.many.map(c, variables.many.map(d, a + b)))).size()"}}};
  add_validating("a", {{"variables", variables}, {"validations", json::array{validation(reads.c_str())}}});
  const auto made = post(config_maps, config_map("x"));
  EXPECT_EQ(made.status, 201) << made.body;
}

TEST_F(PolicyTest, NamesTheVariableThatFails) {
  add_validating("a", {{"variables", json::array{{{"name", "v"}, {"expression", "object.data.missing"}}}},
                       {"validations", json::array{validation("variables.v == 'x'")}}});
  EXPECT_EQ(
      message_of(post(config_maps, config_map_with("x", R"({"a":"b"})"))),
      "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'a' denied request: expression "
      "'variables.v == 'x'' resulted in error: composited variable \"v\" fails to evaluate: no such key: missing");
}

TEST_F(PolicyTest, RedefinedVariableReadsTheEarlierOne) {
  add_validating("a", {{"variables", json::array{{{"name", "v"}, {"expression", "1"}},
                                                 {{"name", "v"}, {"expression", "variables.v + 1"}}}},
                       {"validations", json::array{validation("variables.v == 2")}}});
  const auto made = post(config_maps, config_map("x"));
  EXPECT_EQ(made.status, 201) << made.body;
}

TEST_F(PolicyTest, RefusesWhatExceedsTheBudget) {
  json::array variables{{{"name", "l"}, {"expression", "[1,2,3,4,5,6,7,8,9,10]"}}};
  const char* expensive =
      "variables.l.all(a, variables.l.all(b, variables.l.all(c, variables.l.all(d, "
      "variables.l.all(e, a + b + c + d + e > 0)))))";
  json::array validations;
  validations.push_back(validation(expensive));
  add_validating("one", {{"variables", variables}, {"validations", validations}});
  EXPECT_NE(message_of(post(config_maps, config_map("x"))).find("actual cost limit exceeded"), std::string::npos);

  ASSERT_EQ(remove(admission_group + "validatingadmissionpolicies/one").status, 200);
  // Each costs less than a million units; together they cost more than ten million.
  const char* cheaper =
      "variables.l.all(a, variables.l.all(b, variables.l.all(c, variables.l.all(d, a + b + c + d > "
      "0))))";
  validations.clear();
  for (int i = 0; i < 150; ++i) validations.push_back(validation(cheaper));
  add_validating("all", {{"variables", variables}, {"validations", validations}});
  EXPECT_EQ(message_of(post(config_maps, config_map("x"))),
            "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'all' with binding 'all' denied request: "
            "validation failed due to running out of cost budget, no further validation rules will be run");
}

TEST_F(PolicyTest, AppliesToTheObjectsThatNamesAndExclusionsSelect) {
  json::object named = rule_of("", "configmaps", {"CREATE"});
  named["resourceNames"] = json::array{"x", "y"};
  json::object excluded = named;
  excluded["resourceNames"] = json::array{"y"};
  add_validating("a", {{"matchConstraints",
                        {{"resourceRules", json::array{named}}, {"excludeResourceRules", json::array{excluded}}}},
                       {"validations", json::array{validation("false")}}});
  EXPECT_EQ(post(config_maps, config_map("x")).status, 422);
  EXPECT_EQ(post(config_maps, config_map("y")).status, 201);
  EXPECT_EQ(post(config_maps, config_map("z")).status, 201);
}

TEST_F(PolicyTest, ParametersMayBeOfABuiltInKind) {
  ASSERT_EQ(post(config_maps, config_map_with("limits", R"({"prefix":"ok-"})")).status, 201);
  const json::object kind{{"apiVersion", "v1"}, {"kind", "ConfigMap"}};
  const json::array validations{validation("object.metadata.name.startsWith(params.data.prefix)", "prefix")};
  json::object secrets{{"resourceRules", json::array{rule_of("", "secrets")}}};
  add_validating("a", {{"paramKind", kind}, {"matchConstraints", secrets}, {"validations", validations}},
                 {{"paramRef", {{"name", "limits"}, {"parameterNotFoundAction", "Deny"}}}});
  const std::string secret_path = "/api/v1/namespaces/default/secrets";
  EXPECT_EQ(post(secret_path, config_map("ok-a")).status, 201);
  EXPECT_EQ(post(secret_path, config_map("a")).status, 422);
  // Without a namespace in the reference, the parameters are in the namespace of the object.
  EXPECT_NE(message_of(post("/api/v1/namespaces/kube-public/secrets", config_map("ok-a"))).find("no params found"),
            std::string::npos);
}

TEST_F(PolicyTest, AMutationReadsParameters) {
  post(config_maps, config_map_with("tiers", R"({"tier":"gold"})"));
  const json::object kind{{"apiVersion", "v1"}, {"kind", "ConfigMap"}};
  add_mutating("a", {apply_configuration(R"(Object{metadata: Object.metadata{labels: {"tier": params.data.tier}}})")},
               {{"paramKind", kind}}, {{"paramRef", {{"name", "tiers"}, {"parameterNotFoundAction", "Deny"}}}});
  EXPECT_EQ(post(config_maps, config_map("x")).at("/metadata/labels/tier"), "gold");
  remove(config_maps + "/tiers");
  EXPECT_NE(message_of(post(config_maps, config_map("y"))).find("no params found"), std::string::npos);
}

TEST_F(PolicyTest, ParametersWithoutNamespaceTakeNone) {
  const json::object kind{{"apiVersion", "v1"}, {"kind", "Namespace"}};
  const json::array validations{validation("params.metadata.name == 'default'")};
  const auto reference = [](json::object more) {
    more["name"] = "default";
    more["parameterNotFoundAction"] = "Deny";
    return json::object{{"paramRef", std::move(more)}};
  };
  add_validating("a", {{"paramKind", kind}, {"validations", validations}}, reference({}));
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);
  add_validating("b", {{"paramKind", kind}, {"validations", validations}}, reference({{"namespace", "default"}}));
  EXPECT_NE(message_of(post(config_maps, config_map("y")))
                .find("paramRef.namespace must not be provided for a cluster-scoped `paramKind`"),
            std::string::npos);
}

// Match conditions have a budget of 2.5 million units, validations one of 10 million.
TEST_F(PolicyTest, MatchConditionsHaveASmallerBudgetThanValidations) {
  const std::string list = "[1,2,3,4,5,6,7,8,9,10].all(";
  const std::string expensive = list + "a, " + list + "b, " + list + "c, " + list + "d, a + b + c + d > 0))))";
  json::array validations;
  json::array conditions;
  for (int i = 0; i < 60; ++i) {
    validations.push_back(validation(expensive.c_str()));
    conditions.push_back({{"name", "c" + std::to_string(i)}, {"expression", expensive}});
  }
  add_validating("a", {{"validations", validations}});
  const auto accepted = post(config_maps, config_map("x"));
  EXPECT_EQ(accepted.status, 201) << accepted.body;
  add_validating("b", {{"matchConditions", conditions}, {"validations", json::array{validation("true")}}});
  const auto refused = post(config_maps, config_map("y"));
  EXPECT_NE(message_of(refused).find("out of cost budget"), std::string::npos) << refused.body;
}

// The quota is the last plugin, so that it does not charge what another one refuses.
TEST_F(PolicyTest, ADenialPrecedesTheQuota) {
  post("/api/v1/namespaces/default/resourcequotas",
       R"({"metadata":{"name":"q"},"spec":{"hard":{"count/configmaps":"0"}}})");
  EXPECT_EQ(post(config_maps, config_map("x")).status, 403);
  add_validating("a", {{"validations", json::array{validation("false", "denied first")}}});
  const auto refused = post(config_maps, config_map("x"));
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(message_of(refused).find("denied first"), std::string::npos) << refused.body;
}

TEST_F(PolicyTest, UnknownKindOfParametersIsAFailure) {
  const json::object kind{{"apiVersion", "a.conf.dev/v1"}, {"kind", "Widget"}};
  add_validating("a", {{"paramKind", kind}, {"validations", json::array{validation("true")}}});
  EXPECT_EQ(message_of(post(config_maps, config_map("x"))),
            "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'a' denied request: failed to configure policy: "
            "failed to find resource referenced by paramKind: 'a.conf.dev/v1, Kind=Widget'");
  EXPECT_EQ(merge(admission_group + "validatingadmissionpolicies/a", R"({"spec":{"failurePolicy":"Ignore"}})").status,
            200);
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);
}

TEST_F(PolicyTest, AuditAnnotationsAreKept) {
  add_validating(
      "a",
      {{"validations", json::array{validation("object.metadata.name != 'x'", "no x")}},
       {"auditAnnotations", json::array{{{"key", "name"}, {"valueExpression", "'is ' + object.metadata.name"}},
                                        {{"key", "none"}, {"valueExpression", "''"}}}}},
      {{"validationActions", json::array{"Audit"}}});
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);

  const auto all = server_.audit_annotations();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].key, "validation.policy.admission.k8s.io/validation_failure");
  EXPECT_EQ(all[0].value, R"([{"message":"no x","policy":"a","binding":"a","expressionIndex":0,)"
                          R"("validationActions":["Audit"]}])");
  EXPECT_EQ(all[1].key, "a/name");
  EXPECT_EQ(all[1].value, "is x");
  EXPECT_EQ(all[1].resource, "configmaps");
  EXPECT_EQ(all[1].operation, "CREATE");
  EXPECT_EQ(all[1].name, "x");
}

TEST_F(PolicyTest, DeletionOfACollectionEndsAtTheFirstDenial) {
  add_validating(
      "a", {{"validations",
             json::array{validation("request.operation != 'DELETE' || oldObject.metadata.name != 'b'", "kept")}}});
  for (const char* name : {"a", "b", "c"}) ASSERT_EQ(post(config_maps, config_map(name)).status, 201);
  const auto refused = remove(config_maps);
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_NE(names("configmaps").find('b'), std::string::npos);
}

TEST_F(PolicyTest, MergesKeyedListsOfTheObject) {
  const char* adds_sidecar =
      "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'side', image: 'i'}]}}";
  add_mutating("a", {apply_configuration(adds_sidecar)},
               {{"matchConstraints", {{"resourceRules", json::array{rule_of("", "pods", {"CREATE"})}}}}});
  const auto made = post("/api/v1/namespaces/default/pods",
                         R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"m"}]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/containers/0/name"), "main");
  EXPECT_EQ(made.at("/spec/containers/1/name"), "side");
  // Defaults are set again after the change.
  EXPECT_EQ(made.at("/spec/containers/1/terminationMessagePath"), "/dev/termination-log");
  EXPECT_EQ(made.at("/metadata/managedFields").find("side"), std::string::npos) << "nobody owns the change of a policy";
}

TEST_F(PolicyTest, RefusesAnApplyConfigurationOfAnAtomicListOrAnUnknownField) {
  add_mutating("a",
               {apply_configuration("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'main', args: "
                                    "['a']}]}}")},
               {{"matchConstraints", {{"resourceRules", json::array{rule_of("", "pods", {"CREATE"})}}}}});
  const auto refused = post("/api/v1/namespaces/default/pods",
                            R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"m"}]}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/reason"), "Invalid");
  EXPECT_EQ(message_of(refused),
            "policy 'a' with binding 'a' denied request: error applying patch: invalid ApplyConfiguration: may not "
            "mutate atomic arrays, maps or structs: .spec.containers[0].args");

  add_mutating("b", {apply_configuration("Object{nosuch: 1}")});
  EXPECT_EQ(message_of(post(config_maps, config_map("x"))),
            "policy 'b' with binding 'b' denied request: error applying patch: failed to convert patch object to typed "
            "object: .nosuch: field not declared in schema");
  EXPECT_EQ(merge(admission_group + "mutatingadmissionpolicies/b", R"({"spec":{"failurePolicy":"Ignore"}})").status,
            200);
  EXPECT_EQ(post(config_maps, config_map("x")).status, 201);
}

TEST_F(PolicyTest, RefusesAnObjectWithTheTypeOfAnotherPlace) {
  add_mutating("a", {apply_configuration("Object{metadata: Object.spec{labels: {'a': 'b'}}}")});
  EXPECT_EQ(message_of(post(config_maps, config_map("x"))),
            "policy 'a' with binding 'a' denied request: type mismatch: unexpected type name \"Object.spec\", expected "
            "\"Object.metadata\", which matches field name path from root Object type");
}

TEST_F(PolicyTest, JsonPatchMayContainAnObjectAndMustFitTheKind) {
  add_mutating("a", {json_patch("[JSONPatch{op: 'add', path: '/metadata', value: Object.metadata{name: "
                                "object.metadata.name, namespace: 'default', uid: object.metadata.uid, "
                                "creationTimestamp: object.metadata.creationTimestamp, labels: {'a': 'b'}}}]")});
  const auto made = post(config_maps, config_map("x"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/metadata/labels/a"), "b");

  add_mutating("b", {json_patch("[JSONPatch{op: 'add', path: '/nosuch', value: 1}]")});
  const auto refused = post(config_maps, config_map("y"));
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(message_of(refused).find("strict decoding error: unknown field \"nosuch\""), std::string::npos);

  EXPECT_EQ(remove(admission_group + "mutatingadmissionpolicies/b").status, 200);
  add_mutating("c", {json_patch("[JSONPatch{op: 'remove', path: '/data/missing'}]")});
  const auto failed = post(config_maps, config_map_with("z", R"({"a":"b"})"));
  EXPECT_EQ(failed.status, 403);
  EXPECT_NE(message_of(failed).find("denied request: JSON Patch: error in remove for path: '/data/missing': "
                                    "Unable to remove nonexistent key: missing: missing value"),
            std::string::npos)
      << message_of(failed);
}

TEST_F(PolicyTest, EachMutationSeesTheOnesBeforeIt) {
  add_mutating("a",
               {apply_configuration("Object{data: {'n': '1'}}"),
                json_patch("[JSONPatch{op: 'add', path: '/data/m', value: object.data.n + variables.v}]")},
               {{"variables", json::array{{{"name", "v"}, {"expression", "object.data.n + '2'"}}}}});
  const auto made = post(config_maps, config_map("x"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/data/m"), "112");
}

TEST_F(PolicyTest, RunsAgainOnlyIfThePolicyAllowsIt) {
  // Each run adds a character.
  const char* counts =
      "[JSONPatch{op: 'add', path: '/data', value: {'n': (has(object.data) ? object.data.?n.orValue('')"
      " : '') + 'x'}}]";
  add_mutating("a", {json_patch(counts)});
  EXPECT_EQ(post(config_maps, config_map("x")).at("/data/n"), "x");
  EXPECT_EQ(
      merge(admission_group + "mutatingadmissionpolicies/a", R"({"spec":{"reinvocationPolicy":"IfNeeded"}})").status,
      200);
  // In the round that runs it again, a policy with Never does not run.
  add_mutating("b",
               {json_patch("[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'n': "
                           "(has(object.metadata.annotations) ? object.metadata.annotations.?n.orValue('') : '') + "
                           "'x'}}]")});
  const auto made = post(config_maps, config_map("y"));
  EXPECT_EQ(made.at("/data/n"), "xx");
  EXPECT_EQ(made.at("/metadata/annotations/n"), "x");
}

TEST_F(PolicyTest, PoliciesOfAScaleReceiveTheScale) {
  add_validating(
      "a", {{"matchConstraints", {{"resourceRules", json::array{rule_of("apps", "deployments/scale", {"UPDATE"})}}}},
            {"validations", json::array{validation("object.kind == 'Scale' && object.spec.replicas < 5")}}});
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  ASSERT_EQ(post(deployments, R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                .status,
            201);
  EXPECT_EQ(merge(deployments + "/d/scale", R"({"spec":{"replicas":9}})").status, 422);
  EXPECT_EQ(merge(deployments + "/d/scale", R"({"spec":{"replicas":3}})").status, 200);
  EXPECT_EQ(merge(deployments + "/d", R"({"spec":{"replicas":9}})").status, 200);
}

TEST_F(PolicyTest, SeesObjectsInAnEquivalentVersion) {
  add_validating("a", {{"matchConstraints",
                        {{"resourceRules", json::array{{{"operations", json::array{"CREATE"}},
                                                        {"apiGroups", json::array{"autoscaling"}},
                                                        {"apiVersions", json::array{"v1"}},
                                                        {"resources", json::array{"horizontalpodautoscalers"}}}}}}},
                       {"validations", json::array{validation("object.apiVersion == 'autoscaling/v1' && "
                                                              "request.kind.version == 'v1' && "
                                                              "request.requestKind.version == 'v2' && "
                                                              "object.spec.targetCPUUtilizationPercentage < 50")}}});
  const auto scaler = [](int percent) {
    return R"({"metadata":{"name":"h"},"spec":{"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"d"},
      "metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":)" +
           std::to_string(percent) + "}}}]}}";
  };
  const std::string path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const auto refused = post(path, scaler(80));
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_NE(message_of(refused).find("failed expression"), std::string::npos) << refused.body;
  const auto made = post(path, scaler(40));
  EXPECT_EQ(made.status, 201) << made.body;
}

TEST_F(PolicyTest, TablesShowParameters) {
  add_validating(
      "a",
      {{"paramKind", {{"apiVersion", "v1"}, {"kind", "ConfigMap"}}}, {"validations", json::array{validation("true")}}},
      {{"paramRef", {{"selector", {{"matchLabels", {{"use", "yes"}}}}}, {"parameterNotFoundAction", "Deny"}}}});
  const std::string table = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const auto policies = get(admission_group + "validatingadmissionpolicies", table);
  EXPECT_EQ(policies.at("/rows/0/cells/1"), "1");
  EXPECT_EQ(policies.at("/rows/0/cells/2"), "v1/ConfigMap");
  const auto bindings = get(admission_group + "validatingadmissionpolicybindings", table);
  EXPECT_EQ(bindings.at("/rows/0/cells/1"), "a");
  EXPECT_EQ(bindings.at("/rows/0/cells/2"),
            "&LabelSelector{MatchLabels:map[string]string{use: yes,},MatchExpressions:[]LabelSelectorRequirement{},}");
}

TEST_F(PolicyTest, RefusesAMutationOfDeletions) {
  const auto refused =
      post(admission_group + "mutatingadmissionpolicies",
           json::print({{"metadata", {{"name", "a"}}},
                        {"spec",
                         {{"matchConstraints", {{"resourceRules", json::array{rule_of("", "configmaps", {"DELETE"})}}}},
                          {"mutations", json::array{json_patch("[]")}}}}}));
  EXPECT_EQ(refused.causes(),
            "FieldValueNotSupported@spec.matchConstraints.resourceRules.operations "
            "FieldValueInvalid@spec.mutations[0].jsonPatch.expression FieldValueRequired@spec.reinvocationPolicy");
}

}  // namespace
}  // namespace pintle
