// SPDX-License-Identifier: Apache-2.0
#include "syntax_error.hpp"

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

TEST(SyntaxError, IsThatOfTheParserOfTheServer) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case each[] = {
      {"", "unexpected end of JSON input"},
      {"  ", "unexpected end of JSON input"},
      {"{", "unexpected end of JSON input"},
      {R"({"a":1)", "unexpected end of JSON input"},
      {R"({"a)", "unexpected end of JSON input"},
      {R"({"a":tru)", "unexpected end of JSON input"},
      {"kind: Pod", "invalid character 'k' looking for beginning of value"},
      {"{a:1}", "invalid character 'a' looking for beginning of object key string"},
      {R"({"a" 1})", "invalid character '1' after object key"},
      {R"({"a":1 "b":2})", "invalid character '\"' after object key:value pair"},
      {R"({"a":1,})", "invalid character '}' looking for beginning of object key string"},
      {"[1 2]", "invalid character '2' after array element"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {"{} x", "invalid character 'x' after top-level value"},
      {"{}{}", "invalid character '{' after top-level value"},
      {"tru ", "invalid character ' ' in literal true (expecting 'e')"},
      {"nil", "invalid character 'i' in literal null (expecting 'u')"},
      {"-x", "invalid character 'x' in numeric literal"},
      {"1.x", "invalid character 'x' after decimal point in numeric literal"},
      {"1ex", "invalid character 'x' in exponent of numeric literal"},
      {"01", "invalid character '1' after top-level value"},
      {"\"\n\"", "invalid character '\\n' in string literal"},
      {"\"\x01\"", "invalid character '\\x01' in string literal"},
      {R"("\x")", "invalid character 'x' in string escape code"},
      {R"("\u12g4")", "invalid character 'g' in \\u hexadecimal character escape"},
      {"'a'", "invalid character '\\'' looking for beginning of value"},
      {"\xe9", "invalid character 'é' looking for beginning of value"},
  };
  for (const Case& one : each) EXPECT_EQ(syntax_error(one.text), one.error) << one.text;
}

TEST(SyntaxError, IsEmptyForJson) {
  for (const char* text : {"{}", " [] ", R"({"a":[1,-0.5e+3,{"b":null}],"c":"\u00e9\n"})", "true", "0", "\"\x7f\""}) {
    EXPECT_EQ(syntax_error(text), "") << text;
  }
}

TEST(SyntaxError, TakesNoStackForNestedText) {
  EXPECT_EQ(syntax_error(std::string(1'000'000, '[')), "invalid character '[' exceeded max depth");
  EXPECT_EQ(syntax_error(std::string(5'000, '[')), "unexpected end of JSON input");
}

}  // namespace
}  // namespace pintle::apiserver
