// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

using Table = std::vector<std::pair<std::string, std::string>>;

TEST(Parser, ReadsLiterals) {
  const Table table = {
      {"0", "0"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"0xff", "255"},
      {"-0x10", "-16"},
      {"18446744073709551615u", "18446744073709551615"},
      {"0xFFu", "255"},
      {"1.5e3", "1.5E3"},
      {".5", "5E-1"},
      {"1e2", "1E2"},
      {"- 1", "-1"},
      {"'a\\n\\x41\\u00e4\\101\\\\'", R"("a\nA\u00e4A\\")"},
      {"r'a\\n'", R"("a\\n")"},
      {R"("""a"b
c""")",
       R"("a\"b\nc")"},
      {"'''it's'''", R"("it's")"},
      {R"('\U0001F600')", "\"\U0001F600\""},
      {"b'\\xff\\001' == b'\\377\\x01'", "true"},
      {"size(b'\u00e4')", "2"},
      {"br'\\x' == b'\\\\x'", "true"},
      {"''", R"("")"},
      {"1 // a comment\n + 2", "3"},
      {"[1, 2,]", "[1,2]"},
      {"{'a': 1,}", R"({"a":1})"},
      {"[,]", "[]"},
      {"true", "true"},
      {"null", "null"},
  };

  for (const auto& [text, expected] : table) {
    const auto value = json::parse(run(text));
    ASSERT_TRUE(value) << text;
    EXPECT_TRUE(json::equal(*value, *json::parse(expected))) << text << " is " << json::print(*value);
  }
}

TEST(Parser, AppliesThePrecedenceOfOperators) {
  const Table table = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"10 - 4 - 3", "3"},
      {"100 / 10 / 5", "2"},
      {"-2 * 3", "-6"},
      {"!true || true", "true"},
      {"!!true", "true"},
      {"---1", "-1"},
      {"1 < 2 == true", "true"},
      {"true || false && false", "true"},
      {"false ? 1 : true ? 2 : 3", "2"},
      {"1 + 1 in [2]", "true"},
      {"[1, 2][0] + {'a': 3}.a", "4"},
      {"-[1][0]", "-1"},
      {"1.0 - -1.0 == 2.0", "true"},
  };

  for (const auto& [text, expected] : table) EXPECT_EQ(run(text), expected) << text;
}

TEST(Parser, ReportsMistakesInTheGrammar) {
  const Table table = {
      {"1 +",
       "Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', "
       "'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"&& 1",
       "Syntax error: extraneous input '&&' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', "
       "'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"1)", "Syntax error: extraneous input ')' expecting <EOF>"},
      {"1 2 3", "Syntax error: mismatched input '2' expecting <EOF>"},
      {"(1", "Syntax error: missing ')' at '<EOF>'"},
      {"[1 2]", "Syntax error: mismatched input '2' expecting ']'"},
      {"true ? 1", "Syntax error: missing ':' at '<EOF>'"},
      {"a.true", "Syntax error: mismatched input 'true' expecting IDENTIFIER"},
      {"'a",
       "Syntax error: token recognition error at: ''a'; Syntax error: mismatched input '<EOF>' expecting {'[', "
       "'{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
       "IDENTIFIER}"},
      {"1 = 1", "Syntax error: token recognition error at: '= '; Syntax error: extraneous input '1' expecting <EOF>"},
      {"1 # ", "Syntax error: token recognition error at: '#'"},
      {"9223372036854775808", "invalid int literal"},
      {"18446744073709551616u", "invalid uint literal"},
      {"1e999", "invalid double literal"},
      {"'\\ud800'", "invalid unicode code point"},
      {"b'\\u0041'", "unable to unescape string"},
      {"for == 1", "reserved identifier: for"},
      {"{'a': 1}.`a`", "unsupported syntax: '`'"},
      {"has(1)", "invalid argument to has() macro"},
      {"[1].all(1, true)", "argument must be a simple name"},
      {"[1].map(a.b, 1)", "argument is not an identifier"},
      {"[1].all(__result__, true)", "iteration variable overwrites accumulator variable"},
      {"optional.of(1).optMap(1, 2)", "optMap() variable name must be a simple identifier"},
  };

  for (const auto& [text, expected] : table) EXPECT_EQ(issues_of(make_environment(), text), expected) << text;
}

TEST(Parser, BoundsTheText) {
  const auto environment = make_environment({.limits = {.max_code_points = 20, .max_depth = 9, .max_nodes = 20}});

  EXPECT_EQ(issues_of(environment, "'\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4'"), "");
  EXPECT_EQ(issues_of(environment, "'123456789012345678901'"),
            "expression code point size exceeds limit: size: 23, limit 20");
  EXPECT_EQ(issues_of(environment, "[[[[[[[[[[]]]]]]]]]]"), "Syntax error: expression recursion limit exceeded: 9");
  EXPECT_EQ(issues_of(environment, "1+1+1+1+1+1+1+1+1"), "");
  EXPECT_EQ(issues_of(environment, "1+1+1+1+1+1+1+1+1+1"), "expression recursion limit exceeded: 9");
  const auto small = make_environment({.limits = {.max_nodes = 4}});
  EXPECT_EQ(issues_of(small, "[1,1,1]"), "");
  EXPECT_EQ(issues_of(small, "[1,1,1,1]"), "expression node limit exceeded: 4");
}

TEST(Parser, BoundsTheNestingOfEveryForm) {
  for (const std::string form : {"(", "[", "{1:", "-(", "!(", "f(", "a[", "true ? 1 : ", "[1].all(x, "}) {
    std::string text;
    for (int i = 0; i < 9000; ++i) text += form;

    const auto program = compile(make_environment(), text);

    ASSERT_FALSE(program) << form;
    EXPECT_NE(program.error().message.find("expression recursion limit exceeded: 250"), std::string::npos) << form;
  }
}

TEST(Parser, KeepsSharedPartsOfMacrosSmall) {
  std::string text = "optional.of(1)";
  for (int i = 0; i < 60; ++i) text += ".optMap(x, x + 1)";

  const auto program = compile(make_environment(), text);

  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->evaluate({}).value.error().reason, cost_exceeded);
}

}  // namespace
}  // namespace pintle::cel
