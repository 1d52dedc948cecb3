// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

// Returns the value as JSON, or the error.
std::string as_json(std::string_view yaml) {
  const auto value = parse_yaml(yaml);
  return value ? print(*value) : value.error().message;
}

struct YamlCase {
  const char* yaml;
  const char* json;
};

TEST(YamlIn, ReadsPlainScalarsAsKubernetesToolsDo) {
  const YamlCase cases[] = {
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"nULL", "\"nULL\""},
      {"true", "true"},
      {"True", "true"},
      {"yes", "true"},
      {"Yes", "true"},
      {"y", "true"},
      {"on", "true"},
      {"ON", "true"},
      {"no", "false"},
      {"n", "false"},
      {"Off", "false"},
      {"yEs", "\"yEs\""},
      {"yess", "\"yess\""},
      {"1", "1"},
      {"-1", "-1"},
      {"+1", "1"},
      {"0x1F", "31"},
      {"-0x10", "-16"},
      {"0o17", "15"},
      {"017", "15"},
      {"0b101", "5"},
      {"08", "8"},
      {"1_000", "1000"},
      {"_1", "\"_1\""},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "18446744073709551616.0"},
      {"1.5", "1.5"},
      {".5", "0.5"},
      {"1.", "1"},
      {"1.0", "1"},
      {"1e3", "1000"},
      {"1.5E-3", "0.0015"},
      {"-.5", "-0.5"},
      {"1e400", "\"1e400\""},
      {"1:30", "\"1:30\""},
      {"2001-01-01", "\"2001-01-01\""},
      {"2001-01-01T00:00:00Z", "\"2001-01-01T00:00:00Z\""},
      {"1.2.3", "\"1.2.3\""},
      {"10.0.0.1", "\"10.0.0.1\""},
      {"0x", "\"0x\""},
      {"-", "[null]"},
      {"=", "\"=\""},
      {"500m", "\"500m\""},
      {"1Gi", "\"1Gi\""},
      {"'yes'", "\"yes\""},
      {"\"1\"", "\"1\""},
      {"!!str 1", "\"1\""},
      {"!!int \"7\"", "7"},
      {"!!float 1.5", "1.5"},
      {"!!bool \"no\"", "false"},
      {"!!null \"\"", "null"},
      {"!custom 1", "\"1\""},
      {"! 1", "\"1\""},
  };
  for (const YamlCase& one : cases) EXPECT_EQ(as_json(one.yaml), one.json) << one.yaml;
}

// A real server, as a recording shows, turns the key y into "true".
TEST(YamlIn, ReadsKeysByTheSameRules) {
  const YamlCase cases[] = {
      {"y: 1", R"({"true":1})"},
      {"no: 1", R"({"false":1})"},
      {"0x10: a", R"({"16":"a"})"},
      {"1.5: a", R"({"1.5":"a"})"},
      {"1.0: a", R"({"1":"a"})"},
      {"'y': 1", R"({"y":1})"},
      {"a b: 1", R"({"a b":1})"},
      {"? a\n: 1", R"({"a":1})"},
      {"a:\n  b:\n  - c\n  -  d: 1\n     e: 2\n", R"({"a":{"b":["c",{"d":1,"e":2}]}})"},
  };
  for (const YamlCase& one : cases) EXPECT_EQ(as_json(one.yaml), one.json) << one.yaml;
}

TEST(YamlIn, ReadsBlockAndFoldedText) {
  EXPECT_EQ(as_json("a: |\n  x\n   y\n\n  z\nb: |-\n  x\nc: |+\n  x\n\nd: >\n  x\n  y\ne: |2\n   x\n"),
            R"({"a":"x\n y\n\nz\n","b":"x","c":"x\n\n","d":"x y\n","e":" x\n"})");
  // libfyaml reads these wrongly: an empty line before an indented one, and trailing spaces.
  EXPECT_EQ(as_json("a: >\n  x\n\n   - y\n   - z\n\n  w\nb: >+ # c > d\n\n  x \n  y\n\nc: |\n  x \n    y: \n  z\n"),
            R"({"a":"x\n\n - y\n - z\n\nw\n","b":"\nx  y\n\n","c":"x \n  y: \nz\n"})");
  // If the last line of a file has no line break, the text has one break less.
  EXPECT_EQ(as_json("a: |\n  x\n  y"), R"({"a":"x\ny"})");
  EXPECT_EQ(as_json("- >\n  x\n  y"), R"(["x y"])");
}

TEST(YamlIn, ReadsJsonAlsoWithTabs) {
  EXPECT_EQ(as_json("{\n\t\"a\": [1,\n\t2.5e1, \"\\u00e9\\ud83d\\ude00\\/\\t\"],\n\t\"b\":{\"c\":null}\n}"),
            R"({"a":[1,25,"é😀/\t"],"b":{"c":null}})");
}

TEST(YamlIn, FollowsAliasesAndMergeKeys) {
  const YamlCase cases[] = {
      {"a: &x [1]\nb: *x", R"({"a":[1],"b":[1]})"},
      {"a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3", R"({"a":{"k":1,"l":2},"b":{"k":3,"l":2}})"},
      {"a: &x {k: 1}\nb: &y {k: 2, m: 3}\nc:\n  <<: [*x, *y]", R"({"a":{"k":1},"b":{"k":2,"m":3},"c":{"k":1,"m":3}})"},
      {"'<<': 1", R"({"<<":1})"},
      {"a: &x b\n*x : c", R"({"a":"b","b":"c"})"},
  };
  for (const YamlCase& one : cases) EXPECT_EQ(as_json(one.yaml), one.json) << one.yaml;
}

TEST(YamlIn, ReportsThePlaceOfAnError) {
  const YamlCase cases[] = {
      {"a: 1\na: 2\n", "invalid YAML at line 2, column 1: duplicate key \"a\""},
      {"y: 1\n\"true\": 2\n", "invalid YAML at line 2, column 2: duplicate key \"true\""},
      {"a: *x", "invalid YAML at line 1, column 5: there is no anchor \"x\" before this alias"},
      {"a: &x [*x]", "invalid YAML at line 1, column 9: there is no anchor \"x\" before this alias"},
      {"a: .nan", "invalid YAML at line 1, column 4: JSON cannot represent the number .nan"},
      {"a: -.inf", "invalid YAML at line 1, column 4: JSON cannot represent the number -.inf"},
      {"a: !!int b", "invalid YAML at line 1, column 10: \"b\" is not a valid int"},
      {"? [a]\n: 1", "invalid YAML at line 1, column 3: a key must be a scalar"},
      {"~: 1", "invalid YAML at line 1, column 1: a key must be a scalar"},
      {"<<: 1", "invalid YAML at line 1, column 5: \"<<\" must have a mapping or a list of mappings"},
      {"a:\n\t- b\n", "invalid YAML at line 2, column 1: tab character may not be used as indentation"},
      {"a: [1\nb: 2\n", "invalid YAML at line 3, column 1: flow sequence without a closing bracket"},
      {"d:\n  s: |\n  a\n",
       "invalid YAML at line 3, column 1: a block must be indented further than the list or mapping that contains it"},
      {"---\na: 1\n---\nb: 2\n", "expected one YAML document, got 2"},
  };
  for (const YamlCase& one : cases) EXPECT_EQ(as_json(one.yaml), one.json) << one.yaml;
  for (const char* yaml : {"a: \"", "a: 'x", "{", "]", "a: b: c", "\xff", "a: \xed\xa0\x80", "a: b\x01", "a: \xc0\x80",
                           "%YAML 9.9\n---\na", "&", "a: |x", "- a\nb: 1"}) {
    const auto value = parse_yaml(yaml);
    ASSERT_FALSE(value) << yaml << print(*value);
    EXPECT_EQ(value.error().code, ErrorCode::invalid);
    EXPECT_EQ(value.error().message.rfind("invalid YAML at line ", 0), 0U) << value.error().message;
  }
}

TEST(YamlIn, LimitsDepthAndAliases) {
  EXPECT_TRUE(parse_yaml(std::string(200, '[') + std::string(200, ']')));
  EXPECT_EQ(as_json(std::string(201, '[') + std::string(201, ']')),
            "invalid YAML at line 1, column 201: nested deeper than 200 levels");
  EXPECT_FALSE(parse_yaml(std::string(100'000, '[')));

  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  std::string tower = "a0: &a0 [x]\n";
  for (int i = 1; i < 300; ++i) {
    const std::string before = std::to_string(i - 1);
    const std::string anchor = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before;
    if (i < 12) {
      bomb += anchor;
      for (int j = 0; j < 8; ++j) bomb += ",*a" + before;
      bomb += "]\n";
    }
    tower += anchor + "]\n";
  }
  EXPECT_EQ(as_json(bomb), "invalid YAML at line 6, column 11: anchors and aliases expand to more than 200000 values");
  EXPECT_EQ(as_json(tower), "invalid YAML at line 200, column 15: nested deeper than 200 levels");
}

TEST(YamlIn, ReadsStreamsWithoutTheEmptyDocuments) {
  EXPECT_EQ(print(*parse_yaml_stream("---\n---\na: 1\n---\n# nothing\n---\n[b]\n...\n---\n")), R"([{"a":1},["b"]])");
  EXPECT_EQ(print(*parse_yaml_stream("")), "[]");
  EXPECT_EQ(as_json(""), "null");
  EXPECT_EQ(as_json("# only a remark\n"), "null");
}

TEST(YamlIn, DoesNotCarryAnchorsIntoTheNextDocument) { EXPECT_FALSE(parse_yaml_stream("a: &x 1\n---\nb: *x\n")); }

TEST(YamlOut, PrintsPlainYaml) {
  const Value value =
      *parse(R"({"apiVersion":"v1","metadata":{"name":"a","labels":{"app.kubernetes.io/name":"x y","é":"ü"}},
      "items":[{"name":"n","ports":[80,8080]},["a",[]],{},"t"],"empty":{},"on":null,"script":"#!/bin/sh\necho hi\n",
      "image":"nginx:1.25","args":["--a=b","-c"],"time":"10:30","version":"1.20","ip":"10.0.0.1","half":1.5})");
  EXPECT_EQ(print_yaml(value), R"(apiVersion: v1
metadata:
  name: a
  labels:
    app.kubernetes.io/name: x y
    é: ü
items:
- name: "n"
  ports:
  - 80
  - 8080
- - a
  - []
- {}
- t
empty: {}
"on": null
script: |
  #!/bin/sh
  echo hi
image: nginx:1.25
args:
- "--a=b"
- "-c"
time: "10:30"
version: "1.20"
ip: 10.0.0.1
half: 1.5
)");
}

TEST(YamlOut, QuotesAmbiguousScalars) {
  for (const char* text :
       {"yes",        "n",    "null", "~",     "",   "1",   "0x1f", "1e3",  ".5",           "1_0",      "12:30:45",
        "2001-01-01", "a: b", "a #b", "a:",    "-",  "- a", "? a",  "@a",   "`a",           "%a",       "!a",
        "&a",         "*a",   "'a'",  "\"a\"", " a", "a ",  "a\tb", "[a",   "a]",           "{a}",      "a,b",
        "|",          ">",    "...",  "---",   "=",  "<<",  "a\rb", "\x7f", "\xef\xbb\xbf", "\xc2\x85", "\xe2\x80\xa8",
        "\n",         " \n a"}) {
    const Value value = object{{"k", text}};
    const auto back = parse_yaml(print_yaml(value));
    ASSERT_TRUE(back) << print_yaml(value) << back.error().message;
    EXPECT_EQ(print(*back), print(value)) << print_yaml(value);
    const Value as_key = object{{text, 1}};
    const auto key_back = parse_yaml(print_yaml(as_key));
    ASSERT_TRUE(key_back) << print_yaml(as_key) << key_back.error().message;
    EXPECT_EQ(print(*key_back), print(as_key)) << print_yaml(as_key);
  }
}

TEST(YamlOut, KeepsEveryLineOfText) {
  for (const char* text : {"a\nb", "a\nb\n", "a\nb\n\n", "\na", "\n\na\n", " a\nb\n", "  a\n b", "a\n\n\nb", "a \n b ",
                           "#a\n#b", "a\n---\nb\n"}) {
    for (const Value& value : {Value(object{{"k", text}}), Value(array{text}), Value(text),
                               Value(object{{"a", array{object{{"b", text}}}}})}) {
      const auto back = parse_yaml(print_yaml(value));
      ASSERT_TRUE(back) << print_yaml(value) << back.error().message;
      EXPECT_EQ(print(*back), print(value)) << print_yaml(value);
    }
  }
}

TEST(YamlOut, ReadsBackAsTheSameDocument) {
  Random random(11);
  for (int i = 0; i < 10'000; ++i) {
    const Value value = random_value(random);
    const std::string yaml = print_yaml(value);
    const auto back = parse_yaml(yaml);
    ASSERT_TRUE(back) << back.error().message << "\n" << print(value) << "\n" << yaml;
    ASSERT_TRUE(Document(*back).root() == Document(value).root()) << print(value) << "\n"
                                                                  << yaml << "\n"
                                                                  << print(*back);
  }
}

TEST(YamlOut, RoundTripsLongKeys) {
  const Value value = object{{std::string(2000, 'k'), object{{"a", 1}}}};
  const auto back = parse_yaml(print_yaml(value));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(print(*back), print(value));
}

}  // namespace
}  // namespace pintle::json
