// SPDX-License-Identifier: Apache-2.0
// Duplicate fields in request bodies (server-facts 14).
#include "duplicate_fields.hpp"

#include "apiserver/test_server.hpp"
#include "json/yaml/yaml_duplicates.hpp"

namespace pintle {
namespace {

using apiserver::duplicate_fields_in_json;

TEST(DuplicateFields, AreFoundAtAnyDepth) {
  const auto found = [](std::string_view text) {
    std::string out;
    for (const std::string& one : duplicate_fields_in_json(text)) out += (out.empty() ? "" : ", ") + one;
    return out;
  };
  EXPECT_EQ(found(R"({"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]})"), "");
  EXPECT_EQ(found(R"( { "a" : 1 , "a" : [ ] , "b" : [ true , { "x" : "}\"," , "x" : null } ] } )"),
            "duplicate field \"a\", duplicate field \"b[1].x\"");
  EXPECT_EQ(found("[]") + found("1") + found("{}") + found("[{}, []]"), "");
}

// The walk runs before the parser, so it must end for any text. Found by fuzz_requests.
TEST(DuplicateFields, OfTextsThatAreNotJsonEndTheWalk) {
  for (const char* text :
       {R"({"a":y"b":"c","d":["e":"f"})", "[}", "{]", "[:", "{\"a\":}", "[\"", "{\"a", "[[{[", "]", "{,"}) {
    (void)duplicate_fields_in_json(text);
  }
  EXPECT_TRUE(duplicate_fields_in_json(std::string(3'000'000, '[')).empty());
}

TEST(DuplicateFields, AreFoundAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(duplicate_fields_in_json(text + "\"x\":0}").empty());
  EXPECT_EQ(duplicate_fields_in_json(text + "\"7\":0,\"199999\":0}").size(), 2U);
}

// All messages together would have 150 GB.
TEST(DuplicateFields, AreReportedInPartIfTheyAreManyBelowALongName) {
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += R"("a":1,)";
  const std::string name(1'500'000, 'x');
  const auto found = duplicate_fields_in_json(R"({"data":{")" + name + "\":{" + members + R"("b":1}}})");
  ASSERT_EQ(found.size(), 100U);
  EXPECT_EQ(found.back(), "duplicate field \"data." + name.substr(0, 1019) + "...\"");
}

class DuplicateFieldBodies : public ServerTest {};

TEST_F(DuplicateFieldBodies, AreReportedBesideUnknownFields) {
  const std::string body = R"({"metadata":{"name":"a"},"data":{"k":"1"},"data":{"k":"2"},"x":1})";
  const auto refused = post(config_maps + "?fieldValidation=Strict", body);
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.at("/message").ends_with("strict decoding error: duplicate field \"data\", unknown field \"x\""))
      << refused.body;
  const auto warned = post(config_maps + "?fieldValidation=Warn", body);
  EXPECT_EQ(warned.status, 201);
  EXPECT_EQ(warned.headers.get("Warning"), R"(299 - "duplicate field \"data\"")");
  EXPECT_EQ(warned.at("/data/k"), "2");
}

TEST_F(DuplicateFieldBodies, OfYamlNameTheLine) {
  const std::string body = "metadata:\n  name: a\ndata:\n  k: one\n  k: two\n";
  const auto refused = call("POST", config_maps + "?fieldValidation=Strict", body, "application/yaml");
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.at("/message").ends_with("line 5: key \"k\" already set in map")) << refused.body;
  EXPECT_EQ(call("POST", config_maps + "?fieldValidation=Ignore", body, "application/yaml").at("/data/k"), "two");
}

TEST_F(DuplicateFieldBodies, OfYamlInTheFormOfJsonNameTheLineToo) {
  for (const char* body : {"{\"metadata\":{\"name\":\"a\"},\n\"data\":{\"k\":\"one\",\"k\":\"two\"}}",
                           "{\"metadata\":{\"name\":\"a\"},\n\"data\":{\"k\":\"one\",\"\\u006b\":\"two\"}}",
                           "{metadata: {name: a},\ndata: {k: one, k: two}}"}) {
    const auto refused = call("POST", config_maps + "?fieldValidation=Strict", body, "application/yaml");
    EXPECT_TRUE(refused.at("/message").ends_with("line 2: key \"k\" already set in map")) << refused.body;
  }
}

TEST(ParseYamlBody, ReadsJsonAsYamlDoes) {
  for (const char* text :
       {R"({"a":{"b":[1,2.5,-3e2,null,true,"<<","y","1"]},"c":"\u00e4\n"})", "{a: [1, yes], b: {c: x}}", "{}",
        "{\"a\":1}\n# a comment\n", "a: 1\nb: [x]\n", R"({"a":1,"b":2,"a":3})"}) {
    std::vector<json::YamlDuplicate> duplicates;
    EXPECT_EQ(json::print(apiserver::parse_yaml_body(text).value()),
              json::print(json::parse_yaml(text, duplicates).value()))
        << text;
  }
  EXPECT_FALSE(apiserver::parse_yaml_body("{\"a\":"));
}

TEST(ParseYamlBody, ReadsTheFirstDocument) {
  const struct {
    const char* text;
    const char* value;
  } cases[] = {
      {"a: 1\n---\nb: 2\n", R"({"a":1})"},
      {"---\na: 1\n---\nb: 2\n", R"({"a":1})"},
      {"%YAML 1.1\n# first\n\n--- # begins here\na: 1\n...\nb: [\n", R"({"a":1})"},
      {"a: 1\r\n---\r\n}{\r\n", R"({"a":1})"},
      {"a: |\n  ---\n  ...\nb: '--- x'\nc: ---x\n", R"({"a":"---\n...\n","b":"--- x","c":"---x"})"},
      {"{\"a\":1}\n---\n{\"b\":2}", R"({"a":1})"},
      {"---\n---\na: 1\n", "null"},
      {"a: 1\n---", R"({"a":1})"},
  };
  for (const auto& one : cases) {
    const auto value = apiserver::parse_yaml_body(one.text);
    ASSERT_TRUE(value) << one.text << ": " << value.error().message;
    EXPECT_EQ(json::print(*value), one.value) << one.text;
  }
}

class YamlBodies : public ServerTest {};

TEST_F(YamlBodies, OnlyTheFirstDocumentIsUsed) {
  const std::string type = "apiVersion: v1\nkind: ConfigMap\n";
  const std::string two =
      type + "metadata:\n  name: a\ndata:\n  k: v\n---\n" + type + "metadata:\n  name: b\n  name: c\n";
  EXPECT_EQ(call("POST", config_maps + "?fieldValidation=Strict", two, "application/yaml").status, 201);
  EXPECT_EQ(names("configmaps"), "a");
  const auto applied = apply(config_maps + "/a?fieldManager=m&force=true&fieldValidation=Strict",
                             type + "metadata:\n  name: a\ndata:\n  k: w\n---\n- a list\n");
  EXPECT_EQ(applied.at("/data/k"), "w") << applied.body;
}

}  // namespace
}  // namespace pintle
