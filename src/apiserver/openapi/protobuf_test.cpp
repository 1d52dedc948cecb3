// SPDX-License-Identifier: Apache-2.0
// OpenAPI in protobuf, byte by byte.
#include "protobuf.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

std::string field(int number, const std::string& bytes) {
  std::string out;
  for (std::size_t n : {static_cast<std::size_t>(number) * 8 + 2, bytes.size()}) {
    for (; n >= 128; n /= 128) out += static_cast<char>(n % 128 + 128);
    out += static_cast<char>(n);
  }
  return out + bytes;
}

std::string encoded(std::string_view text) { return encode_openapi_v2(json::parse(text).value().as_object()); }

// A definition named T.
std::string definition(const std::string& schema) { return field(9, field(1, field(1, "T") + field(2, schema))); }

struct SchemaCase {
  const char* json;
  std::string bytes;
};

TEST(OpenApiProtobuf, SchemasAreWrittenFieldByField) {
  const std::string text_schema = field(22, field(1, "string"));
  const SchemaCase cases[] = {
      {R"({"$ref":"#/definitions/U"})", field(1, "#/definitions/U")},
      {R"({"type":"string"})", text_schema},
      {R"({"format":"int32","default":0})", field(2, "int32") + field(5, field(2, "0\n"))},
      {R"({"required":["a","b"]})", field(19, "a") + field(19, "b")},
      {R"({"enum":["x",1]})", field(20, field(2, "\"x\"\n")) + field(20, field(2, "1\n"))},
      {R"({"maximum":2.5})", "\x39" + std::string("\0\0\0\0\0\0\x04\x40", 8)},
      {R"({"maxLength":300})", "\x58\xac\x02"},
      {R"({"uniqueItems":true})", "\x80\x01\x01"},
      {R"({"items":{"type":"string"}})", field(23, field(1, text_schema))},
      {R"({"properties":{"a":{"type":"string"}}})", field(25, field(1, field(1, "a") + field(2, text_schema)))},
      {R"({"additionalProperties":{"type":"string"}})", field(21, field(1, text_schema))},
      {R"({"additionalProperties":false})", field(21, std::string("\x10\0", 2))},
      {R"({"x-kubernetes-list-type":"map"})",
       field(31, field(1, "x-kubernetes-list-type") + field(2, field(2, "\"map\"\n")))},
      {R"({"unheard":"of","title":5,"required":"a","maxLength":"long"})", field(19, "a")},
  };
  for (const SchemaCase& one : cases) {
    EXPECT_EQ(encoded(fmt::format(R"({{"definitions":{{"T":{}}}}})", one.json)), definition(one.bytes)) << one.json;
  }
}

TEST(OpenApiProtobuf, ParametersContainTheirLocation) {
  const auto path = [](const std::string& item) { return field(8, field(2, field(1, "/a") + field(2, item))); };
  EXPECT_EQ(
      encoded(R"({"paths":{"/a":{"parameters":[{"name":"n","in":"path","required":true,"type":"string"}]}}})"),
      path(field(9, field(1, field(2, field(4, field(4, "n") + field(2, "path") + "\x08\x01" + field(5, "string")))))));
  EXPECT_EQ(
      encoded(R"({"paths":{"/a":{"patch":{"parameters":[{"name":"q","in":"query","type":"string"},
                      {"name":"body","in":"body","schema":{"format":"f"}}]}}}})"),
      path(field(8, field(8, field(1, field(2, field(3, field(4, "q") + field(2, "query") + field(6, "string"))))) +
                        field(8, field(1, field(1, field(2, "body") + field(3, "body") + field(5, field(2, "f"))))))));
}

TEST(OpenApiProtobuf, AnOperationContainsItsResponsesAndItsAction) {
  EXPECT_EQ(
      encoded(R"({"swagger":"2.0","paths":{"/a":{"get":{"responses":{"200":{"description":"OK","schema":
                      {"$ref":"#"}}},"x-kubernetes-action":"get"}}}})"),
      field(1, "2.0") +
          field(
              8,
              field(
                  2,
                  field(1, "/a") +
                      field(2,
                            field(2,
                                  field(9, field(1, field(1, "200") +
                                                        field(2, field(1, field(1, "OK") +
                                                                              field(2, field(1, field(1, "#"))))))) +
                                      field(13, field(1, "x-kubernetes-action") + field(2, field(2, "\"get\"\n"))))))));
}

TEST(OpenApiProtobuf, VersionThreeSeparatesReferencesFromSchemas) {
  const auto encoded_v3 = [](std::string_view text) {
    return encode_openapi_v3(json::parse(text).value().as_object());
  };
  const auto component = [](const std::string& schema) {
    return field(5, field(1, field(1, field(1, "T") + field(2, field(1, schema)))));
  };
  const std::string reference = field(2, field(1, "#/components/schemas/U"));
  const SchemaCase cases[] = {
      {R"({"type":"string","format":"byte"})", field(25, "string") + field(35, "byte")},
      {R"({"nullable":true})", std::string("\x08\x01", 2)},
      {R"({"allOf":[{"$ref":"#/components/schemas/U"}]})", field(26, reference)},
      {R"({"items":{"type":"string"}})", field(30, field(1, field(1, field(25, "string"))))},
      {R"({"properties":{"a":{"type":"string"}}})",
       field(31, field(1, field(1, "a") + field(2, field(1, field(25, "string")))))},
      {R"({"additionalProperties":true})", field(32, std::string("\x10\x01", 2))},
      {R"({"additionalProperties":{"$ref":"#/components/schemas/U"}})", field(32, field(1, reference))},
      {R"({"default":"x"})", field(33, field(3, "x"))},
      {R"({"default":{}})", ""},
      {R"({"x-a":1})", field(36, field(1, "x-a") + field(2, field(2, "1\n")))},
  };
  for (const SchemaCase& one : cases) {
    EXPECT_EQ(encoded_v3(fmt::format(R"({{"components":{{"schemas":{{"T":{}}}}}}})", one.json)), component(one.bytes))
        << one.json;
  }
  const std::string content = field(1, field(1, "j") + field(2, field(1, field(1, field(25, "s")))));
  EXPECT_EQ(
      encoded_v3(R"({"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{"200":{"description":"OK","content":
                     {"j":{"schema":{"type":"s"}}}}}},"parameters":[{"name":"n","in":"path"}]}}})"),
      field(1, "3.0.0") +
          field(4, field(1, field(1, "/a") +
                                field(2, field(4, field(8, field(2, field(1, "200") +
                                                                        field(2, field(1, field(1, "OK") +
                                                                                              field(3, content)))))) +
                                             field(13, field(1, field(1, "n") + field(2, "path")))))));
}

}  // namespace
}  // namespace pintle::apiserver
