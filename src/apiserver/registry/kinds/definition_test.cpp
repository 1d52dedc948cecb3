// SPDX-License-Identifier: Apache-2.0
// The errors of definitions (server-facts 17).
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/patch.hpp>

#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

// Merges `changes` into a valid definition.
std::string definition(const std::string& changes) {
  json::Value out = json::parse(R"({"metadata":{"name":"widgets.acme.dev"},"spec":{"group":"acme.dev",
      "scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
      "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})")
                        .value();
  json::apply_merge_patch(out, json::parse(changes).value());
  return json::print(out);
}

// A change of the only version.
std::string version_with(const std::string& members) {
  return R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
      {"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"},
      "o":{"type":"object"}}}}}},)" +
         members + "}]}}";
}

class DefinitionTest : public ServerTest {
 protected:
  // Returns the causes of the refusal, "" if the definition is accepted.
  std::string causes_of(const std::string& changes) {
    const auto reply = post(definitions + "?dryRun=All", definition(changes));
    EXPECT_EQ(reply.status == 201, reply.causes().empty()) << reply.body;
    return reply.causes();
  }
};

// kube-apiserver checks stored versions only in a write of the definition itself.
TEST_F(DefinitionTest, AWriteOfTheStatusMayNameAnyStoredVersions) {
  const std::string one = definitions + "/widgets.acme.dev";
  post(definitions, definition("{}"));
  run_until_idle();
  const auto stored = [&](const std::string& versions) {
    return merge(one + "/status", R"({"status":{"storedVersions":)" + versions + "}}").at("/status/storedVersions");
  };
  EXPECT_EQ(stored("[]"), R"(["v1"])") << "the default";
  EXPECT_EQ(stored("null"), R"(["v1"])");
  EXPECT_EQ(stored(R"(["v9"])"), R"(["v9"])");
  const auto refused = merge(one, R"({"metadata":{"labels":{"a":"b"}}})");
  EXPECT_EQ(refused.causes(), "FieldValueInvalid@status.storedVersions[0]") << refused.body;
  EXPECT_EQ(stored(R"(["v1"])"), R"(["v1"])");
  EXPECT_EQ(merge(one, R"({"metadata":{"labels":{"a":"b"}}})").status, 200);
}

TEST_F(DefinitionTest, AWriteOfTheStatusIsCheckedForItsNames) {
  post(definitions, definition("{}"));
  run_until_idle();
  const auto refused =
      merge(definitions + "/widgets.acme.dev/status", R"({"status":{"acceptedNames":{"plural":"-","kind":"A b"}}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.causes(),
            "FieldValueInvalid@status.acceptedNames.plural FieldValueInvalid@status.acceptedNames.kind");
}

TEST_F(DefinitionTest, NamesAreLabels) {
  EXPECT_EQ(causes_of("{}"), "");
  EXPECT_EQ(causes_of(R"({"spec":{"names":{"shortNames":["w","W_"],"categories":["all","A B"]}}})"),
            "FieldValueInvalid@spec.names.shortNames[1] FieldValueInvalid@spec.names.categories[1]");
  EXPECT_EQ(causes_of(R"({"spec":{"names":{"listKind":"Widget"}}})"), "FieldValueInvalid@spec.names.listKind");
  EXPECT_EQ(causes_of(R"({"spec":{"scope":"Global"}})"), "FieldValueNotSupported@spec.scope");
}

TEST_F(DefinitionTest, ADefaultFulfilsTheRulesInCel) {
  const auto with_default = [&](const std::string& value) {
    return causes_of(R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
        {"type":"object","properties":{"spec":{"type":"integer","default":)" +
                     value + R"(,"x-kubernetes-validations":[{"rule":"self > 5"}]}}}}}]}})");
  };
  EXPECT_EQ(with_default("6"), "");
  EXPECT_EQ(with_default("3"), "FieldValueInvalid@spec.validation.openAPIV3Schema.properties[spec].default");
}

TEST_F(DefinitionTest, PathsOfAScaleAreBelowSpecAndStatus) {
  const auto scale = [&](const std::string& members) {
    return causes_of(version_with(R"("subresources":{"scale":{)" + members + "}}"));
  };
  EXPECT_EQ(scale(R"("specReplicasPath":".spec.n","statusReplicasPath":".status.n")"), "");
  EXPECT_EQ(scale(""),
            "FieldValueRequired@spec.subresources.scale.specReplicasPath "
            "FieldValueRequired@spec.subresources.scale.statusReplicasPath");
  EXPECT_EQ(scale(R"("specReplicasPath":".status.n","statusReplicasPath":"n","labelSelectorPath":".metadata.s")"),
            "FieldValueInvalid@spec.subresources.scale.specReplicasPath "
            "FieldValueInvalid@spec.subresources.scale.statusReplicasPath "
            "FieldValueInvalid@spec.subresources.scale.labelSelectorPath");
}

TEST_F(DefinitionTest, ColumnsAreChecked) {
  const auto column = [&](const std::string& members) {
    return causes_of(version_with(R"("additionalPrinterColumns":[{)" + members + "}]"));
  };
  const std::string at = "@spec.additionalPrinterColumns[0].";
  EXPECT_EQ(column(R"("name":"A","type":"string","jsonPath":".spec.a")"), "");
  EXPECT_EQ(column(R"("name":"A","type":"text","jsonPath":"a","format":"x")"),
            "FieldValueInvalid" + at + "type FieldValueInvalid" + at + "format FieldValueInvalid" + at + "JSONPath");
}

TEST_F(DefinitionTest, APathOfAColumnThatCannotBeReadHidesAllColumns) {
  const auto changes = version_with(
      R"("additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".spec.a[?(@"},
      {"name":"B","type":"string","jsonPath":".spec.a"}])");
  ASSERT_EQ(post(definitions, definition(changes)).status, 201);
  run_until_idle();
  const auto table = get("/apis/acme.dev/v1/widgets", "application/json;as=Table;v=v1;g=meta.k8s.io");
  ASSERT_EQ(table.status, 200) << table.body;
  EXPECT_EQ(table.at("/columnDefinitions/1/name"), "Age");
}

TEST_F(DefinitionTest, SelectableFieldsAreScalars) {
  const auto fields = [&](const std::string& paths) {
    return causes_of(version_with(R"("selectableFields":[)" + paths + "]"));
  };
  EXPECT_EQ(fields(R"({"jsonPath":".spec.a"})"), "");
  EXPECT_EQ(fields(R"({"jsonPath":".spec.a"},{"jsonPath":".spec.a"})"),
            "FieldValueDuplicate@spec.selectableFields[1].jsonPath");
  EXPECT_EQ(fields(R"({"jsonPath":".spec.o"},{"jsonPath":".spec.none"})"),
            "FieldValueInvalid@spec.selectableFields[0].jsonPath FieldValueInvalid@spec.selectableFields[1].jsonPath");
}

TEST_F(DefinitionTest, AWarningNeedsADeprecatedVersion) {
  EXPECT_EQ(causes_of(version_with(R"("deprecated":true,"deprecationWarning":"old")")), "");
  EXPECT_EQ(causes_of(version_with(R"("deprecationWarning":"old")")),
            "FieldValueInvalid@spec.versions[0].deprecationWarning");
}

TEST_F(DefinitionTest, GroupsOfKubernetesNeedAnApproval) {
  const std::string group = R"({"metadata":{"name":"widgets.acme.k8s.io")";
  const std::string spec = R"(},"spec":{"group":"acme.k8s.io"}})";
  const auto annotated = [&](const std::string& value) {
    return causes_of(group + R"(,"annotations":{"api-approved.kubernetes.io":")" + value + "\"}" + spec);
  };
  const std::string at = "@metadata.annotations[api-approved.kubernetes.io]";
  EXPECT_EQ(causes_of(group + spec), "FieldValueRequired" + at);
  EXPECT_EQ(annotated("maybe"), "FieldValueInvalid" + at);
  EXPECT_EQ(annotated("unapproved, a test"), "");
  EXPECT_EQ(annotated("https://github.com/kubernetes/kubernetes/pull/1"), "");
}

TEST_F(DefinitionTest, UnknownFieldsAreKeptBySchemaOnly) {
  EXPECT_EQ(causes_of(R"({"spec":{"preserveUnknownFields":true}})"), "FieldValueInvalid@spec.preserveUnknownFields");
}

TEST_F(DefinitionTest, AnEstablishedDefinitionGetsNoWrongCaBundle) {
  const auto conversion = [](const std::string& bundle) {
    return R"({"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://a.dev","caBundle":")" +
           bundle + R"("},"conversionReviewVersions":["v1"]}}}})";
  };
  const std::string widgets = definitions + "/widgets.acme.dev";
  ASSERT_EQ(post(definitions, definition(conversion("YWJj"))).status, 201);
  EXPECT_EQ(merge(widgets, conversion("ZGVm")).causes(), "") << "a wrong bundle may stay wrong";
  ASSERT_EQ(merge(widgets, R"({"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":null}}}}})").status, 200);
  executor_.sleep_for(std::chrono::seconds(1));
  const auto refused = merge(widgets, conversion("YWJj"));
  EXPECT_EQ(refused.causes(), "FieldValueInvalid@spec.conversion.webhookClientConfig.caBundle");
  EXPECT_THAT(refused.at("/message"), testing::HasSubstr("unable to load root certificates"));
}

}  // namespace
}  // namespace pintle
