// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/structural.hpp>

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>

namespace pintle {
namespace {

json::Document document_of(std::string_view text) {
  auto document = json::Document::parse(text);
  EXPECT_TRUE(document) << text;
  return document ? *document : json::Document();
}

Result<StructuralSchema> schema(std::string_view text) { return StructuralSchema::parse(document_of(text).root()); }

// Returns the schema of an object whose spec has these properties.
std::string with_spec(std::string_view properties, std::string_view rest = "") {
  return R"({"type":"object","properties":{"spec":{"type":"object","properties":{)" + std::string(properties) + "}" +
         std::string(rest) + "}}}";
}

std::string list(const std::vector<FieldError>& errors) {
  std::string text;
  for (const FieldError& error : errors)
    text += (text.empty() ? "" : ", ") + error.field + " " + error.reason.substr(10);
  return text;
}

std::string validated(std::string_view properties, std::string_view spec, std::string_view rest = "") {
  const auto read = schema(with_spec(properties, rest));
  if (!read) return read.error().message;
  return list(read->validate(document_of(R"({"spec":)" + std::string(spec) + "}").root()));
}

struct SchemaCase {
  const char* properties;
  const char* spec;
  const char* errors;
};

// The schema of the recordings.
constexpr const char* recorded =
    R"("replicas":{"type":"integer","minimum":0,"maximum":10},"image":{"type":"string","default":"nginx"},
    "mode":{"type":"string","enum":["Fast","Slow"]},"port":{"x-kubernetes-int-or-string":true},
    "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
    "limits":{"type":"object","additionalProperties":{"type":"string"}})";

TEST(StructuralSchema, FindsTheErrorsOfTheRecording) {
  const struct {
    const char* spec;
    const char* errors;
  } cases[] = {
      {R"({"replicas":3,"mode":"Fast","port":"http","tags":["a","b"],"limits":{"cpu":"1"}})", ""},
      {R"({"replicas":3,"port":80})", ""},
      {"{}", "spec.replicas Required"},
      {R"({"replicas":11})", "spec.replicas Invalid"},
      {R"({"replicas":-1})", "spec.replicas Invalid"},
      {R"({"replicas":1,"mode":"Medium"})", "spec.mode NotSupported"},
      {R"({"replicas":"three"})", "spec.replicas TypeInvalid"},
      {R"({"replicas":1,"port":true})", "spec.port TypeInvalid"},
      {R"({"replicas":1,"tags":["a","a"]})", "spec.tags[1] Duplicate"},
      {R"({"replicas":99,"mode":"x"})", "spec.mode NotSupported, spec.replicas Invalid"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(validated(recorded, one.spec, R"(,"required":["replicas"])"), one.errors) << one.spec;
}

TEST(StructuralSchema, ChecksEveryRule) {
  const SchemaCase cases[] = {
      {R"("a":{"type":"integer"})", R"({"a":1.0})", ""},
      {R"("a":{"type":"integer"})", R"({"a":1.5})", "spec.a TypeInvalid"},
      {R"("a":{"type":"number"})", R"({"a":1})", ""},
      {R"("a":{"type":"number"})", R"({"a":"1"})", "spec.a TypeInvalid"},
      {R"("a":{"type":"boolean"})", R"({"a":"true"})", "spec.a TypeInvalid"},
      {R"("a":{"type":"object"})", R"({"a":[]})", "spec.a TypeInvalid"},
      {R"("a":{"type":"array","items":{"type":"integer"}})", R"({"a":{}})", "spec.a TypeInvalid"},
      {R"("a":{"type":"string"})", R"({"a":null})", "spec.a TypeInvalid"},
      {R"("a":{"type":"string","nullable":true})", R"({"a":null})", ""},
      {R"("a":{"type":"integer","minimum":1,"exclusiveMinimum":true})", R"({"a":1})", "spec.a Invalid"},
      {R"("a":{"type":"integer","maximum":9,"exclusiveMaximum":true})", R"({"a":9})", "spec.a Invalid"},
      {R"("a":{"type":"integer","maximum":9223372036854775806})", R"({"a":9223372036854775807})", "spec.a Invalid"},
      {R"("a":{"type":"number","multipleOf":0.1})", R"({"a":0.3})", ""},
      {R"("a":{"type":"integer","multipleOf":5})", R"({"a":12})", "spec.a Invalid"},
      {R"("a":{"type":"integer","multipleOf":5})", R"({"a":9223372036854775806})", "spec.a Invalid"},
      {R"("a":{"type":"integer","multipleOf":5})", R"({"a":9223372036854775805})", ""},
      {R"("a":{"type":"number","maximum":18446744073709551614})", R"({"a":18446744073709551615})", "spec.a Invalid"},
      {R"("a":{"type":"number","minimum":-9223372036854775807})", R"({"a":-9223372036854775808})", "spec.a Invalid"},
      {R"("a":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}})",
       R"({"a":[9223372036854775806,9223372036854775807]})", ""},
      {R"("a":{"type":"integer","format":"int32"})", R"({"a":2147483648})", "spec.a Invalid"},
      {R"("a":{"type":"integer","format":"int64"})", R"({"a":9223372036854775807})", ""},
      {R"("a":{"type":"integer","format":"int64"})", R"({"a":9223372036854775808})", "spec.a Invalid"},
      {R"("a":{"type":"string","minLength":2})", R"({"a":"é"})", "spec.a Invalid"},
      {R"("a":{"type":"string","maxLength":2})", R"({"a":"éé"})", ""},
      {R"("a":{"type":"string","maxLength":2})", R"({"a":"abc"})", "spec.a TooLong"},
      {R"("a":{"type":"string","pattern":"b+"})", R"({"a":"abbc"})", ""},
      {R"("a":{"type":"string","pattern":"^b+$"})", R"({"a":"abbc"})", "spec.a Invalid"},
      {R"("a":{"type":"array","items":{"type":"integer"},"minItems":1})", R"({"a":[]})", "spec.a Invalid"},
      {R"("a":{"type":"array","items":{"type":"integer"},"maxItems":1})", R"({"a":[1,"2"]})",
       "spec.a TooMany, spec.a[1] TypeInvalid"},
      {R"("a":{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1})", R"({"a":{}})",
       "spec.a Invalid"},
      {R"("a":{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":1})", R"({"a":{"x":1,"y":2}})",
       "spec.a TooMany"},
      {R"("a":{"type":"object","additionalProperties":{"type":"integer"}})", R"({"a":{"x":"1"}})",
       "spec.a.x TypeInvalid"},
      {R"("a":{"type":"object","required":["y","x"],"properties":{"x":{"type":"string"},"y":{"type":"string"}}})",
       R"({"a":{}})", "spec.a.x Required, spec.a.y Required"},
      {R"("a":{"x-kubernetes-preserve-unknown-fields":true})", R"({"a":[1,{"b":null}]})", ""},
      {R"("a":{"x-kubernetes-int-or-string":true})", R"({"a":1.5})", "spec.a TypeInvalid"},
      {R"("a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"^[0-9]+%$"})",
       R"({"a":"5"})", "spec.a Invalid"},
      {R"("a":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})",
       R"({"a":{"kind":"Pod"}})", "spec.a.apiVersion Required"},
      {R"("a":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n","p"],"items":{"type":"object",
          "required":["n","p"],"properties":{"n":{"type":"string"},"p":{"type":"integer"},"v":{"type":"string"}}}})",
       R"({"a":[{"n":"x","p":1},{"n":"x","p":2},{"n":"x","p":1.0,"v":"w"}]})", "spec.a[2] Duplicate"},
      {R"("a":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic",
          "x-kubernetes-preserve-unknown-fields":true}})",
       R"({"a":[{"x":1,"y":2},{"y":2,"x":1}]})", "spec.a[1] Duplicate"},
      {R"("a":{"type":"integer","oneOf":[{"minimum":5},{"maximum":7}]})", R"({"a":6})", "spec.a Invalid"},
      {R"("a":{"type":"integer","oneOf":[{"minimum":5},{"maximum":7}]})", R"({"a":9})", ""},
      {R"("a":{"type":"integer","anyOf":[{"minimum":5},{"maximum":3}]})", R"({"a":4})", "spec.a Invalid"},
      {R"("a":{"type":"integer","allOf":[{"minimum":5},{"multipleOf":2}]})", R"({"a":3})",
       "spec.a Invalid, spec.a Invalid"},
      {R"("a":{"type":"integer","not":{"minimum":5}})", R"({"a":6})", "spec.a Invalid"},
      {R"("a":{"type":"array","items":{"type":"integer","maximum":0}})", R"({"a":[0,1,0,0,0,0,0,0,0,0,1]})",
       "spec.a[1] Invalid, spec.a[10] Invalid"},
  };
  for (const SchemaCase& one : cases)
    EXPECT_EQ(validated(one.properties, one.spec), one.errors) << one.properties << " " << one.spec;
}

TEST(StructuralSchema, ChecksFormats) {
  const struct {
    const char* format;
    std::vector<const char*> good;
    std::vector<const char*> bad;
  } cases[] = {
      {"date-time", {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456+02:00"}, {"2026-01-02", "now", ""}},
      {"date", {"2026-02-28"}, {"2026-02-30", "26-01-01", "2026-1-1", "2026-01-02T00:00:00Z"}},
      {"byte", {"", "Zm9v"}, {"?", "Zm9"}},
      {"ipv4", {"10.0.0.1", "255.255.255.255"}, {"256.0.0.1", "1.2.3", "01.2.3.4", "::1"}},
      {"ipv6",
       {"::", "::1", "fe80::1:2", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1"},
       {"1:2", ":::", "1::2::3", "g::", "10.0.0.1", ":1:2:3:4:5:6:7", ""}},
      {"cidr", {"10.0.0.0/8", "::/0", "fe80::/64"}, {"10.0.0.0", "10.0.0.0/33", "::/129"}},
      {"uuid", {"123e4567-e89b-12d3-a456-426614174000"}, {"123"}},
      {"duration", {"1h30m", "1.5s", "0"}, {"", "abc", "5 parsecs"}},
      {"something-else", {"", "anything"}, {}},
  };
  for (const auto& one : cases) {
    const std::string property = R"("a":{"type":"string","format":")" + std::string(one.format) + "\"}";
    const auto errors = [&](const char* text) { return validated(property, R"({"a":")" + std::string(text) + "\"}"); };
    for (const char* text : one.good) EXPECT_EQ(errors(text), "") << one.format << " " << text;
    for (const char* text : one.bad) EXPECT_EQ(errors(text), "spec.a TypeInvalid") << one.format << " " << text;
  }
}

TEST(StructuralSchema, PrintsTheMessagesOfTheServer) {
  const auto read = schema(with_spec(recorded, R"(,"required":["replicas"])"));
  const auto explain = [&](const char* spec) { return describe(read->validate(document_of(spec).root())); };
  EXPECT_EQ(explain(R"({"spec":{"replicas":11}})"),
            "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10");
  EXPECT_EQ(explain(R"({"spec":{"replicas":"three"}})"),
            "spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type integer: \"string\"");
  EXPECT_EQ(explain(R"({"spec":{"replicas":1,"tags":["a","a"]}})"), "spec.tags[1]: Duplicate value: \"a\"");
  EXPECT_EQ(
      explain(R"({"spec":{"mode":"x"}})"),
      "[spec.mode: Unsupported value: \"x\": supported values: \"Fast\", \"Slow\", spec.replicas: Required value]");
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(read->validate(document_of(R"({"spec":{}})").root(), "root")[0].field, "root.spec.replicas");
}

// Returns the causes if the schema is refused, or "" if it is accepted.
std::string refused(std::string_view text) {
  const auto read = schema(text);
  return read ? "" : list(read.error().causes);
}

TEST(StructuralSchema, RefusesNonStructuralSchemas) {
  const struct {
    std::string schema;
    const char* errors;
  } cases[] = {
      {R"({"type":"object"})", ""},
      {"{}", "type Required"},
      {R"({"type":"string"})", "type Invalid"},
      {R"([])", " Invalid"},
      {with_spec(R"("a":{})"), "properties[spec].properties[a].type Required"},
      {with_spec(R"("a":{"type":"text"})"), "properties[spec].properties[a].type NotSupported"},
      {with_spec(R"("a":{"type":"array"})"), "properties[spec].properties[a].items Required"},
      {with_spec(R"("a":{"type":"array","items":{}})"), "properties[spec].properties[a].items.type Required"},
      {with_spec(R"("a":{"type":"array","items":[{"type":"string"}]})"),
       "properties[spec].properties[a].items Forbidden"},
      {with_spec(R"("a":{"type":"object","additionalProperties":{}})"),
       "properties[spec].properties[a].additionalProperties.type Required"},
      {with_spec(R"("a":{"type":"object","additionalProperties":false})"), ""},
      {with_spec(
           R"("a":{"type":"object","additionalProperties":{"type":"string"},"properties":{"b":{"type":"string"}}})"),
       "properties[spec].properties[a].additionalProperties Forbidden"},
      {with_spec(R"("a":{"x-kubernetes-preserve-unknown-fields":true})"), ""},
      {with_spec(R"("a":{"x-kubernetes-preserve-unknown-fields":false,"type":"object"})"),
       "properties[spec].properties[a].x-kubernetes-preserve-unknown-fields Invalid"},
      {with_spec(R"("a":{"type":"string","x-kubernetes-int-or-string":true})"), ""},
      {with_spec(R"("a":{"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true})"),
       "properties[spec].properties[a].x-kubernetes-preserve-unknown-fields Invalid"},
      {with_spec(R"("a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]})"), ""},
      {with_spec(R"("a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"string"},{"type":"integer"}]})"),
       "properties[spec].properties[a].anyOf[0].type Forbidden, properties[spec].properties[a].anyOf[1].type "
       "Forbidden"},
      {with_spec(R"("a":{"$ref":"#/b"})"), "properties[spec].properties[a].$ref Forbidden"},
      {with_spec(R"("a":{"type":"array","items":{"type":"string"},"uniqueItems":true})"),
       "properties[spec].properties[a].uniqueItems Forbidden"},
      {with_spec(R"("a":{"type":"string","pattern":"("})"), "properties[spec].properties[a].pattern Invalid"},
      {with_spec(R"("a":{"type":"string","maxLength":-1})"), "properties[spec].properties[a].maxLength Invalid"},
      {with_spec(R"("a":{"type":"string","nullable":"yes"})"), "properties[spec].properties[a].nullable Invalid"},
      {with_spec(R"("a":{"type":"integer","anyOf":[{"type":"integer"}]})"),
       "properties[spec].properties[a].anyOf[0].type Forbidden"},
      {with_spec(R"("a":{"type":"integer","allOf":[{"default":1}]})"),
       "properties[spec].properties[a].allOf[0].default Forbidden"},
      {R"({"type":"object","oneOf":[{"properties":{"b":{"minimum":1}}}]})", "properties[b] Required"},
      // kube-apiserver compares the restrictions of the root only.
      {with_spec(R"("a":{"type":"object","oneOf":[{"properties":{"b":{"minimum":1}}}]})"), ""},
      {with_spec(R"("a":{"type":"string","not":{"description":"b","nullable":true}})"),
       "properties[spec].properties[a].not.description Forbidden, properties[spec].properties[a].not.nullable "
       "Forbidden"},
      {with_spec(R"("a":{"type":"string","default":1})"), "properties[spec].properties[a].default TypeInvalid"},
      {with_spec(R"("a":{"type":"integer","maximum":3,"default":4})"),
       "properties[spec].properties[a].default Invalid"},
      {with_spec(R"("a":{"type":"object","properties":{"b":{"type":"string"}},"default":{"c":1}})"),
       "properties[spec].properties[a].default Invalid"},
      {with_spec(R"("a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"bag"})"),
       "properties[spec].properties[a].x-kubernetes-list-type NotSupported"},
      {with_spec(
           R"("a":{"type":"array","items":{"type":"object","properties":{"n":{"type":"string"}}},"x-kubernetes-list-type":"map"})"),
       "properties[spec].properties[a].x-kubernetes-list-map-keys Required"},
      {with_spec(
           R"("a":{"type":"array","items":{"type":"object","properties":{"n":{"type":"string"}}},"x-kubernetes-list-type":"map",
          "x-kubernetes-list-map-keys":["n"]})"),
       "properties[spec].properties[a].items.properties[n].default Required"},
      {with_spec(R"("a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"set"})"),
       "properties[spec].properties[a].items.x-kubernetes-map-type Invalid"},
      {with_spec(R"("a":{"type":"string","x-kubernetes-list-type":"atomic"})"),
       "properties[spec].properties[a].type Invalid"},
      {with_spec(R"("a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-map-keys":["n"]})"),
       "properties[spec].properties[a].x-kubernetes-list-type Required"},
      {with_spec(R"("a":{"type":"object","x-kubernetes-map-type":"bag"})"),
       "properties[spec].properties[a].x-kubernetes-map-type NotSupported"},
      {with_spec(R"("a":{"type":"object","x-kubernetes-embedded-resource":true})"),
       "properties[spec].properties[a].properties Required"},
      {R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string"}}}}})", ""},
      {R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object"}}}}})",
       "properties[metadata] Forbidden"},
      {R"({"type":"object","properties":{"metadata":{"type":"string"},"kind":{"type":"integer"}}})",
       "properties[kind].type Invalid, properties[metadata].type Invalid"},
      {R"({"type":"object","properties":{"kind":{"type":"string","default":"A"}}})",
       "properties[kind].default Forbidden"},
      {R"({"type":"object","additionalProperties":{"type":"string"}})", "additionalProperties Forbidden"},
  };
  for (const auto& one : cases) EXPECT_EQ(refused(one.schema), one.errors) << one.schema;
  EXPECT_EQ(StructuralSchema::parse(document_of("{}").root(), "spec.schema").error().causes[0].field,
            "spec.schema.type");
}

std::string defaulted(std::string_view properties, std::string_view object, std::string_view rest = "") {
  const auto read = schema(with_spec(properties, rest));
  if (!read) return read.error().message;
  json::Value value = *json::parse(object);
  read->apply_defaults(value);
  return json::print(value);
}

TEST(StructuralSchema, AppliesDefaultsAsRecorded) {
  EXPECT_EQ(defaulted(recorded, "{}"), "{}");
  EXPECT_EQ(defaulted(recorded, R"({"spec":{}})"), R"({"spec":{"image":"nginx"}})");
  EXPECT_EQ(defaulted(recorded, R"({"spec":{"image":null}})"), R"({"spec":{"image":"nginx"}})");
  EXPECT_EQ(defaulted(recorded, R"({"spec":{"image":"x"}})"), R"({"spec":{"image":"x"}})");
}

TEST(StructuralSchema, AppliesDefaultsInsideDefaultsListsAndMaps) {
  constexpr const char* nested =
      R"("a":{"type":"object","default":{},"properties":{"b":{"type":"integer","default":1}}})";
  EXPECT_EQ(defaulted(nested, "{}", R"(,"default":{})"), R"({"spec":{"a":{"b":1}}})");
  EXPECT_EQ(
      defaulted(R"("l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"integer","default":1}}}})",
                R"({"spec":{"l":[{},{"b":2}]}})"),
      R"({"spec":{"l":[{"b":1},{"b":2}]}})");
  EXPECT_EQ(
      defaulted(
          R"("m":{"type":"object","additionalProperties":{"type":"object","properties":{"b":{"type":"integer","default":1}}}})",
          R"({"spec":{"m":{"x":{}}}})"),
      R"({"spec":{"m":{"x":{"b":1}}}})");
}

TEST(StructuralSchema, RemovesForbiddenNulls) {
  EXPECT_EQ(
      defaulted(
          R"("a":{"type":"string"},"b":{"type":"string","nullable":true},"c":{"type":"string","nullable":true,"default":"d"},
      "m":{"type":"object","additionalProperties":{"type":"string"}})",
          R"({"spec":{"a":null,"b":null,"c":null,"m":{"x":null,"y":"z"},"unknown":null}})"),
      R"({"spec":{"b":null,"c":null,"m":{"y":"z"},"unknown":null}})");
}

// Server-facts, fault 9.
TEST(StructuralSchema, AcceptsAnUpdateThatKeepsAnInvalidValue) {
  const auto read = schema(with_spec(R"("a":{"type":"integer","minimum":5},"b":{"type":"string"},
      "l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",
        "properties":{"k":{"type":"string"},"n":{"type":"integer","minimum":5}},"required":["k"]}},
      "t":{"type":"array","items":{"type":"integer","minimum":5}},
      "r":{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"string"}},"required":["p"]})"));
  ASSERT_TRUE(read) << read.error().message;
  const auto update = [&](const char* before, const char* after) {
    const auto spec = [](const char* text) { return *json::Document::parse("{\"spec\":" + std::string(text) + "}"); };
    std::string fields;
    for (const auto& error : read->validate_update(spec(after).root(), spec(before).root()))
      fields += error.field + " ";
    return fields;
  };

  EXPECT_EQ(update(R"({"a":1})", R"({"a":1,"b":"x"})"), "");
  EXPECT_EQ(update(R"({"a":1})", R"({"a":2})"), "spec.a ");
  EXPECT_EQ(update(R"({"b":"x"})", R"({"a":1})"), "spec.a ");
  EXPECT_EQ(update(R"({"l":[{"k":"x","n":1},{"k":"y"}]})", R"({"l":[{"k":"y"},{"k":"x","n":1},{"k":"z"}]})"), "");
  EXPECT_EQ(update(R"({"l":[{"k":"x","n":1}]})", R"({"l":[{"k":"y","n":1}]})"), "spec.l[0].n ");
  EXPECT_EQ(update(R"({"t":[1,7]})", R"({"t":[1,7],"b":"x"})"), "");
  EXPECT_EQ(update(R"({"t":[1,7]})", R"({"t":[1,8]})"), "spec.t[0] ");
  EXPECT_EQ(update(R"({"r":{"q":"1"}})", R"({"r":{"q":"1"},"b":"x"})"), "");
  EXPECT_EQ(update(R"({"r":{"q":"1"}})", R"({"r":{"q":"2"}})"), "spec.r.p ");
}

TEST(StructuralSchema, PrunesAndReportsUnknownFields) {
  const auto read =
      schema(with_spec(std::string(recorded) +
                       R"(,"list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}},
      "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"shut":{"type":"object"}}},
      "any":{"x-kubernetes-preserve-unknown-fields":true},"map":{"type":"object","additionalProperties":{"type":"object"}},
      "pod":{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"spec":{"type":"object"}}})"));
  ASSERT_TRUE(read) << read.error().message;
  json::Value value = *json::parse(
      R"({"apiVersion":"v1","kind":"W","metadata":{"name":"a","odd":1},"extra":1,"spec":{"bogus":1,"replicas":1,
      "limits":{"any":"1"},"list":[{"a":"x","b":1},{"c":2}],"free":{"x":{"y":1},"shut":{"z":1}},"any":{"x":[{"y":1}]},"map":{"k":{"x":1}},
      "pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"x":1},"status":{}}}})");
  const std::vector<std::string> pruned = read->prune(value);
  EXPECT_EQ(pruned, (std::vector<std::string>{"extra", "spec.bogus", "spec.free.shut.z", "spec.list[0].b",
                                              "spec.list[1].c", "spec.map.k.x", "spec.pod.spec.x", "spec.pod.status"}));
  EXPECT_EQ(
      json::print(value),
      R"({"apiVersion":"v1","kind":"W","metadata":{"name":"a","odd":1},"spec":{"replicas":1,"limits":{"any":"1"},)"
      R"("list":[{"a":"x"},{}],"free":{"x":{"y":1},"shut":{}},"any":{"x":[{"y":1}]},"map":{"k":{}},)"
      R"("pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{}}}})");
}

TEST(StructuralSchema, ReportsUnknownFieldsInPartIfTheyAreManyBelowALongName) {
  const auto read = schema(with_spec(
      R"("map":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string"}}}})"));
  ASSERT_TRUE(read) << read.error().message;
  json::object members;
  for (int i = 0; i < 1'000; ++i) members["u" + std::to_string(i)] = i;
  members["a"] = "x";
  json::Value value{{"spec", {{"map", {{std::string(100'000, 'x'), std::move(members)}}}}}};
  const std::vector<std::string> pruned = read->prune(value);
  ASSERT_EQ(pruned.size(), 100U);
  EXPECT_EQ(pruned.front(), "spec.map." + std::string(1015, 'x') + "...");
  EXPECT_EQ(json::print(value.at_pointer("/spec/map").get_object().begin()->value()), R"({"a":"x"})");
}

// To remove them one by one takes minutes.
TEST(StructuralSchema, RemovesManyNullsInLinearTime) {
  const auto read = schema(with_spec(R"("map":{"type":"object","additionalProperties":{"type":"string"}})"));
  ASSERT_TRUE(read) << read.error().message;
  json::object members;
  for (int i = 0; i < 100'000; ++i) members["u" + std::to_string(i)] = nullptr;
  members["a"] = "x";
  json::Value value{{"spec", {{"map", std::move(members)}}}};
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();
  read->apply_defaults(value);
  EXPECT_LT(clock->now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(json::print(value), R"({"spec":{"map":{"a":"x"}}})");
}

// A search for each element takes minutes.
TEST(StructuralSchema, ElementsOfALargeListKeepTheirOldValueInAnyOrder) {
  const auto read = schema(with_spec(
      R"("l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",
         "required":["k"],"properties":{"k":{"type":"string"},"n":{"type":"integer","maximum":5}}}})"));
  ASSERT_TRUE(read) << read.error().message;
  json::array elements;
  for (int i = 0; i < 100'000; ++i) elements.push_back({{"k", "k" + std::to_string(i)}, {"n", 7}});
  const auto object_of = [](json::array list) {
    return json::Document(json::Value{{"kind", "K"}, {"spec", {{"l", std::move(list)}}}});
  };
  const json::Document before = object_of(elements);
  std::reverse(elements.begin(), elements.end());
  elements.push_back({{"k", "new"}, {"n", 7}});
  const json::Document after = object_of(elements);
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();
  const std::vector<FieldError> errors = read->validate_update(after.root(), before.root());
  EXPECT_LT(clock->now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(list(errors), "spec.l[100000].n Invalid");
}

}  // namespace
}  // namespace pintle
