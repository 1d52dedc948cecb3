// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

Environment make_checked_environment() {
  const auto inner = Type::object("Inner", {{"x", Type::integer()}});
  const auto self = Type::object("Self", {{"a", Type::string()},
                                          {"b", Type::integer()},
                                          {"list", Type::list(Type::integer())},
                                          {"map", Type::map(Type::string(), inner)},
                                          {"any", Type::dyn()}});
  const auto quantity = Type::opaque("kubernetes.Quantity");
  const Library library{
      .functions = {{"quantity", {{.parameters = {Type::string()}, .result = quantity}}},
                    {"sign", {{.parameters = {quantity}, .result = Type::integer()}}},
                    {"lists.range", {{.parameters = {Type::integer()}, .result = Type::list(Type::integer())}}}},
      .types = {self, quantity}};
  return make_environment({.variables = {{"self", self},
                                         {"s", Type::string()},
                                         {"any", Type::dyn()},
                                         {"old", Type::optional(Type::string())},
                                         {"a.b", Type::integer()}},
                           .libraries = {library}});
}

TEST(Checker, ReportsTheTypesThatDoNotFit) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"foo", "undeclared reference to 'foo' (in container '')"},
      {".foo", "undeclared reference to 'foo' (in container '')"},
      {"frob(1)", "undeclared reference to 'frob' (in container '')"},
      {"s.frob()", "undeclared reference to 'frob' (in container '')"},
      {"self.c", "undefined field 'c'"},
      {"self.map['k'].y", "undefined field 'y'"},
      {"s.x", "type 'string' does not support field selection"},
      {"1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"},
      {"true + true", "found no matching overload for '_+_' applied to '(bool, bool)'"},
      {"s == null", "found no matching overload for '_==_' applied to '(string, null)'"},
      {"s == old", "found no matching overload for '_==_' applied to '(string, optional_type(string))'"},
      {"1 == 1.5", "found no matching overload for '_==_' applied to '(int, double)'"},
      {"duration('1s') < timestamp(0)", "found no matching overload for '_<_' applied to '(duration, timestamp)'"},
      {"s.startsWith(1)", "found no matching overload for 'startsWith' applied to 'string.(int)'"},
      {"quantity(s).sign()", "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"},
      {"'a' in self.list", "found no matching overload for '@in' applied to '(string, list(int))'"},
      {"true ? 'a' : true", "found no matching overload for '_?_:_' applied to '(bool, string, bool)'"},
      {"1 && s", "expected type 'bool' but found 'int'; expected type 'bool' but found 'string'"},
      {"!s", "found no matching overload for '!_' applied to '(string)'"},
      {"[1, 'a']", "expected type 'int' but found 'string'"},
      {"{'a': 1, 'b': 'c'}", "expected type 'int' but found 'string'"},
      {"{'a': 1, 2: 1}", "expected type 'string' but found 'int'"},
      {"[?1]", "expected type 'optional_type(int)' but found 'int'"},
      {"[?old, 'a', 1]", "expected type 'string' but found 'int'"},
      {"s.all(x, true)",
       "expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)"},
      {"[1].all(x, x)", "expected type 'bool' but found 'int'"},
      {"[1].exists_one(x, x)", "found no matching overload for '_?_:_' applied to '(int, int, int)'"},
      {"[1].all(1)", "undeclared reference to 'all' (in container '')"},
      {"Self{a: 1}", "expected type of field 'a' is 'string' but provided type is 'int'"},
      {"Self{z: 1}", "undefined field 'z'"},
      {"Nothing{}", "undeclared reference to 'Nothing' (in container '')"},
      {"int{}", "'int' is not a message type"},
      {"duration('1x')", "invalid duration argument"},
      {"timestamp('yesterday')", "invalid timestamp argument"},
      {"s.matches('[')", "invalid matches argument"},
      {"lists.range('a')", "found no matching overload for 'lists.range' applied to '(string)'"},
      {"optional.of(1).orValue('a')",
       "found no matching overload for 'orValue' applied to 'optional_type(int).(string)'"},
      {"{}.map(x, [x])[0] + 1", "found no matching overload for '_+_' applied to '(list(dyn), int)'"},
  };

  for (const auto& [text, expected] : table) EXPECT_EQ(issues_of(make_checked_environment(), text), expected) << text;
}

TEST(Checker, InfersTheTypesOfExpressions) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"self.map.k.x", "int"},
      {"self.list.map(i, string(i))", "list(string)"},
      {"self.list.filter(i, i > 1)", "list(int)"},
      {"self.?a", "optional_type(string)"},
      {"self.?any.b.c", "optional_type(dyn)"},
      {"self.map[?'k'].x", "optional_type(int)"},
      {"self.list[?0].orValue(1)", "int"},
      {"self.any.x.y[0]", "dyn"},
      {"any + 1", "int"},
      {"any + any", "dyn"},
      {"any > 1", "bool"},
      {"1 < 1.5", "bool"},
      {"1u >= 1", "bool"},
      {"[[], [1]]", "list(list(int))"},
      {"{}", "map(dyn, dyn)"},
      {"[][0] + 1", "int"},
      {"[] + [s]", "list(string)"},
      {"true ? [] : [1]", "list(int)"},
      {"type(s)", "type(string)"},
      {"google.protobuf.Timestamp", "type(google.protobuf.Timestamp)"},
      {"a.b + 1", "int"},
      {"Self{a: 'x'}.a", "string"},
      {"lists.range(3)[0]", "int"},
      {"old == optional.none()", "bool"},
      {"self.list.exists_one(x, x == 1)", "bool"},
      {"old.optMap(v, size(v))", "optional_type(int)"},
      {"old.optFlatMap(v, optional.of(1))", "optional_type(int)"},
      {"timestamp(0) - timestamp(0)", "google.protobuf.Duration"},
      {"{'a': null}['a'] == null", "bool"},
  };

  for (const auto& [text, expected] : table) {
    const auto program = compile(make_checked_environment(), text);
    ASSERT_TRUE(program) << text << "\n" << program.error().message;
    EXPECT_EQ(program->result_type().to_string(), expected) << text;
  }
}

TEST(Checker, ResolvesNamesFromTheInnermostScope) {
  EXPECT_EQ(run("[1, 2].all(x, [3].all(x, x == 3))"), "true");
  EXPECT_EQ(run("[1, 2].map(x, [10].map(y, x + y)[0])"), "[11,12]");
  EXPECT_EQ(run("[[1], [2]].map(x, x.map(x, x * 2))"), "[[2],[4]]");
  EXPECT_EQ(issues_of(make_environment(), "[1].map(x, x) + [x]"), "undeclared reference to 'x' (in container '')");
  EXPECT_EQ(issues_of(make_checked_environment(), "[{'b': 'c'}].all(a, a.b == 'c')"), "");
}

TEST(Checker, CountsIssuesAboveTheLimit) {
  const auto environment = make_environment({.limits = {.max_issues = 2}});

  const auto program = compile(environment, "a + b + c + d");

  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().causes.size(), 2U);
  EXPECT_TRUE(program.error().message.ends_with("\n2 more errors were truncated"));
}

}  // namespace
}  // namespace pintle::cel
