// SPDX-License-Identifier: Apache-2.0
#include "schema_rules.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pintle/object/fields.hpp>
#include <pintle/object/schema/schema.hpp>

namespace pintle::apiserver {
namespace {

json::Document parsed(std::string_view text) {
  auto document = json::Document::parse(text);
  EXPECT_TRUE(document) << text;
  return document ? *document : json::Document();
}

std::string object_schema(std::string_view properties) {
  return R"x({"type":"object","properties":{"spec":{"type":"object","properties":{)x" + std::string(properties) +
         "}}}}";
}

std::string described(const std::vector<StatusCause>& causes) {
  std::string out;
  for (const auto& cause : causes) out += (out.empty() ? "" : "; ") + cause.field + " " + cause.message;
  return out;
}

std::string default_errors(std::string_view properties) {
  const auto schema = *StructuralSchema::parse(parsed(object_schema(properties)).root());
  std::vector<StatusCause> causes;
  check_schema_defaults(schema, "s", causes);
  return described(causes);
}

TEST(SchemaRules, ADefaultFulfilsTheRulesOfItsSchema) {
  EXPECT_EQ(default_errors(R"x("n":{"type":"integer","default":3,"x-kubernetes-validations":[{"rule":"self > 2"}]})x"),
            "");
  EXPECT_EQ(default_errors(R"x("n":{"type":"integer","default":3,"x-kubernetes-validations":[{"rule":"self > 5"}]})x"),
            "s.properties[spec].properties[n].default Invalid value: 3: failed rule: self > 5");
  EXPECT_EQ(default_errors(R"x("l":{"type":"array","items":{"type":"object","default":{"a":"x"},"properties":{"a":
      {"type":"string","x-kubernetes-validations":[{"rule":"self != 'x'","message":"no x"}]}}}})x"),
            "s.properties[spec].properties[l].items.default.a Invalid value: \"x\": no x");
  EXPECT_EQ(default_errors(R"x("n":{"type":"integer","default":3,"x-kubernetes-validations":
      [{"rule":"self > oldSelf"}]})x"),
            "s.properties[spec].properties[n].default Invalid value: 3: failed rule: self > oldSelf");
}

// A schema whose rules are evaluated for values of spec.
class RulesOf {
 public:
  explicit RulesOf(std::string_view schema) : schema_(*StructuralSchema::parse(parsed(schema).root())) {
    rules_ = SchemaRules::compile(schema_);
    EXPECT_NE(rules_, nullptr) << schema;
  }

  // The causes, and then "warning: " with each warning.
  [[nodiscard]] std::string check(std::string_view spec, std::string_view old = "") const {
    const auto whole = [](std::string_view text) {
      return text.empty() ? json::Document() : parsed(R"x({"spec":)x" + std::string(text) + "}");
    };
    const auto object = whole(spec);
    const auto before = whole(old);
    std::vector<StatusCause> causes;
    std::vector<std::string> warnings;
    rules_->validate(object.root(), old.empty() ? json::View() : before.root(), causes, warnings);
    auto out = described(causes);
    for (const auto& warning : warnings) out += (out.empty() ? "" : "; ") + std::string("warning: ") + warning;
    return out;
  }

 private:
  StructuralSchema schema_;
  std::shared_ptr<const SchemaRules> rules_;
};

std::string refused(std::string_view properties, bool limits_each = true) {
  const auto schema = StructuralSchema::parse(parsed(object_schema(properties)).root());
  EXPECT_TRUE(schema) << properties;
  std::vector<StatusCause> causes;
  check_schema_rules(*schema, "s", limits_each, causes);
  return described(causes);
}

TEST(SchemaRules, AreAbsentInASchemaWithoutRules) {
  EXPECT_EQ(SchemaRules::compile(*StructuralSchema::parse(parsed(object_schema(R"x("a":{"type":"string"})x")).root())),
            nullptr);
}

TEST(SchemaRules, ShowTheValueOfAScalarOnly) {
  const RulesOf rules(object_schema(R"x("n":{"type":"number","x-kubernetes-validations":[{"rule":"self > 1e20"}]},
      "o":{"type":"object","properties":{"a":{"type":"integer"}},
           "x-kubernetes-validations":[{"rule":"self.a > 1","message":"too small"}]})x"));

  EXPECT_EQ(rules.check(R"x({"n":1})x"), "spec.n Invalid value: 1: failed rule: self > 1e20");
  EXPECT_EQ(rules.check(R"x({"n":0.5})x"), "spec.n Invalid value: 0.5: failed rule: self > 1e20");
  EXPECT_EQ(rules.check(R"x({"n":-2e30})x"), "spec.n Invalid value: -2e+30: failed rule: self > 1e20");
  EXPECT_EQ(rules.check(R"x({"o":{"a":1}})x"), "spec.o Invalid value: too small");
}

TEST(SchemaRules, OfAnUncorrelatedValueKeepTheirErrors) {
  const RulesOf rules(object_schema(R"x("b":{"type":"string"},"l":{"type":"array","items":{"type":"string",
      "x-kubernetes-validations":[{"rule":"self != 'bad'","message":"is bad"}]}})x"));
  const auto warning = "warning: spec.l[0]: Invalid value: \"bad\": is bad";

  EXPECT_EQ(rules.check(R"x({"l":["bad"]})x"), "spec.l[0] Invalid value: \"bad\": is bad");
  EXPECT_EQ(rules.check(R"x({"l":["bad"],"b":"x"})x", R"x({"l":["bad"],"b":"y"})x"), warning);
  EXPECT_EQ(rules.check(R"x({"l":["bad"],"b":"x"})x", R"x({"l":["bad"]})x"), warning);
  EXPECT_EQ(rules.check(R"x({"l":["bad","x"]})x", R"x({"l":["bad"]})x"), "spec.l[0] Invalid value: \"bad\": is bad");
}

TEST(SchemaRules, WithOldSelfAreNotOnlyWarnings) {
  const RulesOf rules(object_schema(R"x("a":{"type":"integer","x-kubernetes-validations":
      [{"rule":"self > oldSelf","message":"must grow"}]})x"));

  EXPECT_EQ(rules.check(R"x({"a":1})x"), "");
  EXPECT_EQ(rules.check(R"x({"a":1})x", "{}"), "");
  EXPECT_EQ(rules.check(R"x({"a":1})x", R"x({"a":1})x"), "spec.a Invalid value: 1: must grow");
  EXPECT_EQ(rules.check(R"x({"a":2})x", R"x({"a":1})x"), "");
}

TEST(SchemaRules, ReceiveAnOptionalOldValue) {
  const RulesOf rules(object_schema(R"x("a":{"type":"integer","x-kubernetes-validations":
      [{"rule":"oldSelf.orValue(10) < self","optionalOldSelf":true,"message":"must be above"}]})x"));

  EXPECT_EQ(rules.check(R"x({"a":11})x"), "");
  EXPECT_EQ(rules.check(R"x({"a":9})x"), "spec.a Invalid value: 9: must be above");
  EXPECT_EQ(rules.check(R"x({"a":9})x", R"x({"a":8})x"), "");
}

TEST(SchemaRules, StopWhenTheBudgetOfTheObjectIsUsed) {
  std::string properties;
  for (int i = 0; i < 40; ++i) {
    properties += (i == 0 ? "" : ",") + fmt::format(R"x("f{:02}":{{"type":"array","items":{{"type":"integer"}},
        "x-kubernetes-validations":[{{"rule":"self.all(a, self.all(b, a == b))"}}]}})x",
                                                    i);
  }
  const RulesOf rules(object_schema(properties));
  std::string list = "[1";
  for (int i = 0; i < 399; ++i) list += ",1";
  std::string spec;
  for (int i = 0; i < 40; ++i) spec += (i == 0 ? "{" : ",") + fmt::format("\"f{:02}\":{}]", i, list);

  const auto causes = rules.check(spec + "}");

  EXPECT_EQ(
      causes.substr(causes.find(' ') + 1),
      "Invalid value: \"array\": validation failed due to running out of cost budget, no further validation rules "
      "will be run");
}

TEST(SchemaRules, ReadReservedWordsWithAndWithoutEscape) {
  const RulesOf rules(object_schema(R"x("o":{"type":"object","properties":{"namespace":{"type":"string"}},
      "x-kubernetes-validations":[{"rule":"self.namespace == self.__namespace__ && self.namespace != 'x'"}]})x"));
  EXPECT_EQ(rules.check(R"x({"o":{"namespace":"a"}})x"), "");
  EXPECT_NE(rules.check(R"x({"o":{"namespace":"x"}})x"), "");
}

TEST(SchemaRules, MessagesReadThePlainOldValue) {
  const RulesOf rules(object_schema(R"x("n":{"type":"integer","x-kubernetes-validations":[{"rule":
      "!oldSelf.hasValue()","optionalOldSelf":true,"messageExpression":"'was ' + string(dyn(oldSelf))"}]})x"));
  EXPECT_EQ(rules.check(R"x({"n":2})x", R"x({"n":1})x"), "spec.n Invalid value: 2: was 1");
}

TEST(SchemaRules, WithAnInvalidConstantAreNotInstantiated) {
  EXPECT_NE(refused(R"x("n":{"type":"integer","x-kubernetes-validations":[{"rule":"self == int('a')"}]})x")
                .find("program instantiation failed: "),
            std::string::npos);
}

TEST(SchemaRules, ReadPropertiesByTheirEscapedNames) {
  const RulesOf rules(
      object_schema(R"x("o":{"type":"object","properties":{"a-b":{"type":"integer"},"if":{"type":"integer"},
      "9x":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 0"}]}},
      "x-kubernetes-validations":[{"rule":"self.a__dash__b < self.__if__"}]})x"));

  EXPECT_EQ(rules.check(R"x({"o":{"a-b":1,"if":2}})x"), "");
  EXPECT_EQ(rules.check(R"x({"o":{"a-b":2,"if":1}})x"),
            "spec.o Invalid value: failed rule: self.a__dash__b < self.__if__");
  EXPECT_EQ(rules.check(R"x({"o":{"a-b":1,"if":2,"9x":0}})x"), "spec.o.9x Invalid value: 0: failed rule: self > 0");
}

TEST(SchemaRules, CompareListsWithKeysWithoutTheirOrder) {
  const RulesOf rules(
      object_schema(R"x("l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a-k"],
      "items":{"type":"object","properties":{"a-k":{"type":"string"},"v":{"type":"integer"}},"required":["a-k"]},
      "x-kubernetes-validations":[{"rule":"self == oldSelf","message":"must not change"},
        {"rule":"(self + oldSelf).size() == self.size()","message":"must keep its keys"},
        {"rule":"(self + oldSelf).all(e, oldSelf.exists(o, o == e))","message":"must have no other keys"}]})x"));

  EXPECT_EQ(rules.check(R"x({"l":[{"a-k":"y"},{"a-k":"x","v":1}]})x", R"x({"l":[{"a-k":"x","v":1},{"a-k":"y"}]})x"),
            "");
  EXPECT_EQ(rules.check(R"x({"l":[{"a-k":"x","v":2}]})x", R"x({"l":[{"a-k":"x","v":1}]})x"),
            "spec.l Invalid value: must not change");
  EXPECT_EQ(
      rules.check(R"x({"l":[{"a-k":"y","v":1}]})x", R"x({"l":[{"a-k":"x","v":1}]})x"),
      "spec.l Invalid value: must not change; spec.l Invalid value: must keep its keys; spec.l Invalid value: must "
      "have no other keys");
}

TEST(SchemaRules, ReadTheMetadataOfAnEmbeddedResource) {
  const RulesOf rules(object_schema(R"x("pod":{"type":"object","x-kubernetes-embedded-resource":true,
      "x-kubernetes-preserve-unknown-fields":true,
      "x-kubernetes-validations":[{"rule":"self.metadata.name == self.kind.lowerAscii()"}]})x"));

  EXPECT_EQ(rules.check(R"x({"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod","labels":{"a":"b"}}}})x"),
            "");
  EXPECT_NE(rules.check(R"x({"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}})x"), "");
}

struct FixedText {
  std::string key{};
  std::string text{};
  static constexpr auto fields() {
    return pintle::fields(field("key", &FixedText::key).required(), field("text", &FixedText::text).immutable());
  }
};

struct Rigid {
  std::string size{};
  std::optional<std::string> colour{};
  std::optional<std::string> x_y{};
  std::vector<FixedText> parts{};
  static constexpr auto fields() {
    return pintle::fields(field("size", &Rigid::size).required().immutable(),
                          field("colour", &Rigid::colour).immutable(), field("x-y", &Rigid::x_y).immutable(),
                          field("parts", &Rigid::parts).list_map("key"));
  }
};

TEST(SchemaRules, OfImmutableFieldsAreChecked) {
  const auto spec = json::print(schema_of<Rigid>());
  const RulesOf rules(R"x({"type":"object","properties":{"spec":)x" + spec + "}}");

  EXPECT_EQ(rules.check(R"x({"size":"a","colour":"b"})x", R"x({"size":"a"})x"), "");
  EXPECT_EQ(rules.check(R"x({"size":"b"})x", R"x({"size":"a"})x"), "spec.size Invalid value: \"b\": must not change");
  EXPECT_EQ(rules.check(R"x({"size":"a","colour":"c"})x", R"x({"size":"a","colour":"b"})x"),
            "spec.colour Invalid value: \"c\": must not change");
  EXPECT_EQ(rules.check(R"x({"size":"a"})x", R"x({"size":"a","colour":"b"})x"),
            "spec.colour Invalid value: must not be removed");
  EXPECT_EQ(rules.check(R"x({"size":"a"})x", R"x({"size":"a","x-y":"b"})x"),
            "spec.x-y Invalid value: must not be removed");
  EXPECT_EQ(rules.check(R"x({"parts":[{"key":"l","text":"b"},{"key":"m","text":"c"}]})x",
                        R"x({"parts":[{"key":"k","text":"a"},{"key":"l","text":"b"}]})x"),
            "");
  EXPECT_EQ(rules.check(R"x({"parts":[{"key":"l","text":"c"},{"key":"k","text":"a"}]})x",
                        R"x({"parts":[{"key":"k","text":"a"},{"key":"l","text":"b"}]})x"),
            "spec.parts[0].text Invalid value: \"c\": must not change");
}

// ---- the check of a CRD

TEST(SchemaRules, WithMistakesInTheirFormAreNotCompiled) {
  EXPECT_EQ(refused(R"x("a":{"type":"string","x-kubernetes-validations":[{"rule":" "},{"rule":"slef"}]})x"),
            "s.properties[spec].properties[a].x-kubernetes-validations[0].rule Required value: rule is not specified");
}

TEST(SchemaRules, AreAcceptedWithinTheirLimits) {
  EXPECT_EQ(refused(R"x("a":{"type":"array","maxItems":100,"items":{"type":"string","maxLength":64},
      "x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x == y))"}]})x"),
            "");
}

TEST(SchemaRules, AreRefusedAboveTheLimitOfEachOnlyIfTheSchemaChanged) {
  const auto costly = R"x("a":{"type":"array","maxItems":400,"items":{"type":"string","maxLength":400},
      "x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x == y))"}]})x";

  EXPECT_EQ(
      refused(costly),
      "s.properties[spec].properties[a].x-kubernetes-validations[0].rule Forbidden: estimated rule cost exceeds "
      "budget by factor of 2.6x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where "
      "arrays, maps, and strings are declared)");
  EXPECT_EQ(refused(costly, false), "");
}

TEST(SchemaRules, BelowAnUnlimitedListCountAsOftenAsARequestCanContainThem) {
  const auto below = [](const char* limit) {
    return refused(std::string(R"x("l":{"type":"array",)x") + limit + R"x("items":{"type":"string","maxLength":100,
        "x-kubernetes-validations":[{"rule":"self.contains('abcdefghijk') && self.startsWith('a')"}]}})x");
  };

  EXPECT_EQ(below(R"x("maxItems":1000,)x"), "");
  EXPECT_NE(below("").find("estimated rule cost exceeds budget"), std::string::npos);
}

}  // namespace
}  // namespace pintle::apiserver
