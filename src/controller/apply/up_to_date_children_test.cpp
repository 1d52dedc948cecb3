// SPDX-License-Identifier: Apache-2.0
// Children of every built-in kind, on a server that fills in their defaults. The applier writes nothing until another
// client changes a field of ours, and then it writes once.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>

#include "built_in_children.hpp"
#include "controller/test_support.hpp"

namespace pintle {
namespace {

using Names = std::vector<std::string>;

std::string text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

// The reconciled Namespace is "team", because a Namespace may own objects of every scope.
class UpToDateChildren : public OperatorTest {
 protected:
  void begin(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto parsed = json::Document::parse(text);
      ASSERT_TRUE(parsed) << parsed.error().to_string() << text;
      intents.push_back(parsed->root().to_value());
    }
    start([this](Manager& manager) {
      std::vector<Owns> owned;
      std::set<GroupVersionKind> kinds;
      for (const json::Value& intent : intents) kinds.insert(Object(intent).group_version_kind());
      for (const GroupVersionKind& kind : kinds) owned.emplace_back(kind);
      manager.add(Controller<Object>{.name = "team",
                                     .watch = {"v1", "Namespace"},
                                     .owns = std::move(owned),
                                     .reconcile = [this](const Object& owner, Context& ctx) -> Outcome {
                                       if (owner.name() != "team") return done;
                                       ChildSet children;
                                       for (const json::Value& intent : intents) children.add(intent);
                                       const AppliedChildren applied = ctx.apply(children);
                                       if (applied.error) errors.push_back(applied.error->to_string());
                                       for (const std::string& one : applied.drifted) drifted.push_back(one);
                                       ++reconciles;
                                       return applied;
                                     }});
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    ASSERT_TRUE(simulation.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "team"}}}}));
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_THAT(errors, ::testing::IsEmpty());
    instance->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         if (request.method != "GET") writes.push_back(request.target);
                                         return false;
                                       }}});
    drifted.clear();
  }
  // Another client sets an annotation that the applier does not manage.
  void touch(const json::Value& intent, int round) {
    const Object one{json::Value(intent)};
    const auto patched = simulation.user().patch(
        one.group_version_kind(), one.key(),
        json::Value{{"metadata", {{"annotations", {{"somebody.example.com/touched", std::to_string(round)}}}}}});
    ASSERT_TRUE(patched) << one.describe() << ": " << patched.error().to_string();
  }
  // Another client changes each child three times.
  void expect_no_write_after_foreign_annotations() {
    const int before = reconciles;
    for (int round = 0; round < 3; ++round) {
      for (const json::Value& intent : intents) touch(intent, round);
      ASSERT_TRUE(simulation.run_until_idle());
    }
    EXPECT_GE(reconciles, before + 3);
    EXPECT_THAT(writes, ::testing::IsEmpty());
    EXPECT_THAT(drifted, ::testing::IsEmpty());
    EXPECT_THAT(errors, ::testing::IsEmpty());
  }
  void user_patches(const json::Value& intent, const json::Value& merge_patch) {
    const Object one{json::Value(intent)};
    const auto patched = simulation.user().patch(one.group_version_kind(), one.key(), merge_patch);
    ASSERT_TRUE(patched) << one.describe() << ": " << patched.error().to_string();
    ASSERT_TRUE(simulation.run_until_idle());
  }
  [[nodiscard]] json::Value there(const json::Value& intent) {
    const Object one{json::Value(intent)};
    return simulation.user().get(one.group_version_kind(), one.key())->to_value();
  }

  std::vector<json::Value> intents;
  Names errors;
  Names drifted;
  Names writes;
  int reconciles = 0;
};

TEST_F(UpToDateChildren, OfEveryBuiltInKindAreNotWrittenAfterForeignAnnotations) {
  begin({std::begin(built_in_children), std::end(built_in_children)});
  expect_no_write_after_foreign_annotations();
}

// With this schema the server fills in the missing fields of each element, even a key of a list map.
constexpr const char* gadgets = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"gadgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"gadgets","singular":"gadget","kind":"Gadget","listKind":"GadgetList"},
    "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
      "spec":{"type":"object","properties":{
        "size":{"type":"integer","default":3},
        "rules":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","port","zone"],
          "items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},
            "port":{"type":"integer","default":80},"zone":{"type":"string","default":"any"},
            "mode":{"type":"string","default":"auto"},
            "limits":{"type":"object","default":{},"properties":{"burst":{"type":"integer","default":10}}},
            "hosts":{"type":"array","items":{"type":"object","properties":{"host":{"type":"string"},
              "weight":{"type":"integer","default":1}}}}}}},
        "plain":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},
          "b":{"type":"boolean","default":true}}}},
        "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
        "byZone":{"type":"object","additionalProperties":{"type":"array","items":{"type":"object",
          "properties":{"a":{"type":"string"},"b":{"type":"string","default":"B"}}}}}}}}}}}]}})";
constexpr const char* gadget = R"({"apiVersion":"example.com/v1","kind":"Gadget",
    "metadata":{"name":"x","namespace":"default"},"spec":{
    "rules":[{"name":"a","hosts":[{"host":"h"},{"host":"i","weight":2}]},{"name":"b","port":81,"limits":{}}],
    "plain":[{"a":"1"},{"a":"2"}],"tags":["t"],"byZone":{"z":[{"a":"1"}]}}})";

TEST_F(UpToDateChildren, OfACustomKindWithDefaultsInListsAreNotWritten) {
  ASSERT_TRUE(simulation.user().create(json::parse(gadgets).value()));
  simulation.executor().sleep_for(std::chrono::seconds(1));
  begin({gadget});
  ASSERT_EQ(text_at(there(intents[0]), "/spec/rules/0/limits/burst"), "10") << "the server adds the defaults";
  expect_no_write_after_foreign_annotations();
}

// Another controller manages its own elements of a list map, which is not drift.
TEST_F(UpToDateChildren, OfACustomKindKeepTheElementsThatOthersAdd) {
  ASSERT_TRUE(simulation.user().create(json::parse(gadgets).value()));
  simulation.executor().sleep_for(std::chrono::seconds(1));
  begin({gadget});
  for (int round = 0; round < 10; ++round) {
    json::Value theirs = json::object{{"apiVersion", "example.com/v1"}, {"kind", "Gadget"}};
    theirs.as_object()["metadata"] = json::object{{"name", "x"}, {"namespace", "default"}};
    theirs.as_object()["spec"] =
        json::object{{"rules", json::array{json::object{{"name", "theirs"}, {"mode", "m" + std::to_string(round)}}}}};
    ASSERT_TRUE(simulation.user().apply(theirs, {.field_manager = "another"}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  EXPECT_EQ(text_at(there(intents[0]), "/spec/rules/2/mode"), "\"m9\"") << json::print(there(intents[0]));
  EXPECT_LE(writes.size(), 10U);
  EXPECT_THAT(drifted, ::testing::IsEmpty());
  EXPECT_THAT(errors, ::testing::IsEmpty());
}

// If another client changes a field of ours, exactly one write restores it.
TEST_F(UpToDateChildren, AreWrittenOnceAfterAForeignChangeOfOurFields) {
  struct Case {
    const char* id;
    const char* patch;
    const char* place;  // the restored value
  };
  constexpr Case cases[] = {
      {"apps/v1 Deployment default/x",
       R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"other","ports":[{"containerPort":80,"name":"http"}],
          "env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}}}})",
       "/spec/template/spec/containers/0/image"},
      {"apps/v1 Deployment default/x",
       R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"nginx","env":[{"name":"A","value":"1"}]}]}}}})",
       "/spec/template/spec/containers/0/env"},
      {"apps/v1 Deployment default/x", R"({"metadata":{"labels":{"applyset.kubernetes.io/part-of":null}}})",
       "/metadata/labels"},
      {"v1 Service default/x", R"({"spec":{"selector":{"intruder":"x"}}})", "/spec/selector"},
      {"v1 Service default/x", R"({"spec":{"ports":[{"port":80,"name":"http","nodePort":30080}]}})",
       "/spec/ports/1/name"},
      {"v1 Service default/x", R"({"spec":{"externalIPs":["1.2.3.4","5.6.7.8"]}})", "/spec/externalIPs"},
      {"v1 Secret default/x", R"({"data":{"a":"eA=="}})", "/data"},
      {"v1 Secret default/x", R"({"data":{"a":null}})", "/data"},
      {"v1 ConfigMap default/x", R"({"data":{"a":null}})", "/data"},
      {"v1 LimitRange default/x", R"({"spec":{"limits":[{"type":"Container","default":{"cpu":"2"}}]}})",
       "/spec/limits"},
      {"rbac.authorization.k8s.io/v1 Role default/x",
       R"({"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get","list","delete"]}]})", "/rules"},
      {"rbac.authorization.k8s.io/v1 RoleBinding default/x", R"({"subjects":[{"kind":"User","name":"u"}]})",
       "/subjects"},
      {"networking.k8s.io/v1 NetworkPolicy default/x", R"({"spec":{"ingress":[{"ports":[{"port":81}]}]}})",
       "/spec/ingress"},
      {"admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding x",
       R"({"spec":{"validationActions":["Deny"]}})", "/spec/validationActions"},
  };
  begin({std::begin(built_in_children), std::end(built_in_children)});
  for (const Case& one : cases) {
    SCOPED_TRACE(one.patch);
    const auto is_it = [&](const json::Value& intent) { return Object(intent).describe() == one.id; };
    const json::Value& intent = *std::find_if(intents.begin(), intents.end(), is_it);
    const json::Value before = there(intent);
    writes.clear();
    drifted.clear();

    user_patches(intent, json::parse(one.patch).value());

    EXPECT_THAT(writes, ::testing::SizeIs(1));
    EXPECT_EQ(drifted, Names{one.id});
    ASSERT_NE(json::find(before, one.place), nullptr) << one.place;
    const json::Value after = there(intent);
    EXPECT_EQ(json::print(*json::find(after, one.place)), json::print(*json::find(before, one.place)));
  }
}

TEST_F(UpToDateChildren, AreCreatedAgainByOneWriteAfterAForeignDeletion) {
  begin({std::string(built_in_children[9])});
  ASSERT_TRUE(simulation.user().remove({"v1", "Service"}, {"default", "x"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(writes, ::testing::SizeIs(1));
  EXPECT_EQ(drifted, Names{"v1 Service default/x"});
}

// A sidecar, or other elements and fields that another manager adds, cause no write.
TEST_F(UpToDateChildren, AreNotWrittenWhenAnotherManagerAddsElements) {
  begin({std::string(built_in_children[3])});
  for (int round = 0; round < 3; ++round) {
    const std::string image = "sidecar:" + std::to_string(round);
    const json::Value added{
        {"apiVersion", "apps/v1"},
        {"kind", "Deployment"},
        {"metadata", {{"name", "x"}, {"namespace", "default"}}},
        {"spec",
         {{"template",
           {{"spec",
             {{"containers",
               json::array{json::object{{"name", "sidecar"}, {"image", image}},
                           json::object{{"name", "c"},
                                        {"env", json::array{json::object{{"name", "Z"}, {"value", image}}}}}}}}}}}}}};
    ASSERT_TRUE(simulation.user().apply(added, {.field_manager = "injector", .force = true}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  EXPECT_EQ(there(intents[0]).at("spec").at("template").at("spec").at("containers").as_array().size(), 2U);
  EXPECT_THAT(writes, ::testing::IsEmpty());
  EXPECT_THAT(drifted, ::testing::IsEmpty());
}

// The applier does not have the list types of a custom resource. Each change by another client causes one write, which
// does not count as drift.
TEST_F(UpToDateChildren, OfACustomKindAreWrittenOnceAfterForeignListItems) {
  const json::Value crd = json::parse(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"bags.test.pintle.dev"},"spec":{"group":"test.pintle.dev","scope":"Namespaced",
    "names":{"kind":"Bag","plural":"bags"},"versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"items":{"type":"array","x-kubernetes-list-type":"map",
    "x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{
    "name":{"type":"string"},"size":{"type":"integer","default":3}}}}}}}}]}})")
                              .value();
  ASSERT_TRUE(simulation.user().create(crd));
  ASSERT_TRUE(simulation.run_until_idle());
  const std::string bag =
      R"({"apiVersion":"test.pintle.dev/v1","kind":"Bag","metadata":{"name":"x","namespace":"default"},)";
  begin({bag + R"("items":[{"name":"ours"}]})"});
  for (int round = 0; round < 3; ++round) touch(intents[0], round);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(writes, ::testing::IsEmpty());

  ASSERT_TRUE(simulation.user().apply(json::parse(bag + R"("items":[{"name":"theirs"}]})").value(),
                                      {.field_manager = "somebody", .force = true}));
  ASSERT_TRUE(simulation.run_until_idle());
  touch(intents[0], 9);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(writes, ::testing::SizeIs(1));
  EXPECT_THAT(drifted, ::testing::IsEmpty());
  EXPECT_EQ(there(intents[0]).at("items").as_array().size(), 2U);
}

}  // namespace
}  // namespace pintle
