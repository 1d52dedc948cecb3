// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

using Table = std::vector<std::pair<std::string, std::string>>;

void expect_all(const Table& table) {
  for (const auto& [text, expected] : table) EXPECT_EQ(run(text), expected) << text;
}

TEST(Evaluator, IgnoresErrorsThatDoNotDecide) {
  expect_all({
      {"true || 1 / 0 == 1", "true"},
      {"1 / 0 == 1 || true", "true"},
      {"1 / 0 == 1 || false", "error: division by zero"},
      {"false && 1 / 0 == 1", "false"},
      {"1 / 0 == 1 && false", "false"},
      {"1 / 0 == 1 && true", "error: division by zero"},
      {"1 / 0 == 1 || 1 % 0 == 1", "error: division by zero"},
      {"dyn(1) || true", "true"},
      {"dyn(1) || false", "error: no such overload"},
      {"true ? 1 : 1 / 0", "1"},
      {"false ? 1 / 0 : 2", "2"},
      {"1 / 0 == 1 ? 1 : 2", "error: division by zero"},
      {"dyn(1) ? 1 : 2", "error: no such overload"},
      {"[1, 0, 2].exists(x, 10 / x == 5)", "true"},
      {"[1, 0].exists(x, 10 / x == 5)", "error: division by zero"},
      {"[0, 1].all(x, 10 / x == 5)", "false"},
      {"[0, 5].all(x, 10 / x == 2)", "error: division by zero"},
      {"[1, 0].map(x, 10 / x)", "error: division by zero"},
      {"[1, 0].filter(x, 10 / x > 1)", "error: division by zero"},
      {"[1, 0].exists_one(x, 10 / x == 10)", "error: division by zero"},
      {"[1 / 0].size()", "error: division by zero"},
      {"optional.of(1).orValue(1 / 0)", "1"},
      {"optional.none().orValue(1 / 0)", "error: division by zero"},
      {"optional.of(1).or(optional.of(1 / 0)).value()", "1"},
  });
}

TEST(Evaluator, ComputesWithinTheRangesOfNumbers) {
  expect_all({
      {"9223372036854775807 + 1", "error: integer overflow"},
      {"-9223372036854775808 - 1", "error: integer overflow"},
      {"-(-9223372036854775808)", "error: integer overflow"},
      {"9223372036854775807 * 2", "error: integer overflow"},
      {"-9223372036854775808 / -1", "error: integer overflow"},
      {"-9223372036854775808 % -1", "error: integer overflow"},
      {"7 / 0", "error: division by zero"},
      {"7 % 0", "error: modulus by zero"},
      {"7u / 0u", "error: division by zero"},
      {"7u % 0u", "error: modulus by zero"},
      {"0u - 1u", "error: unsigned integer overflow"},
      {"18446744073709551615u + 1u", "error: unsigned integer overflow"},
      {"18446744073709551615u * 2u", "error: unsigned integer overflow"},
      {"-7 / 2", "-3"},
      {"-7 % 2", "-1"},
      {"string(1.0 / 0.0)", "\"+Inf\""},
      {"0.0 / 0.0 == 0.0 / 0.0", "false"},
      {"0.0 / 0.0 < 1.0", "error: NaN values cannot be ordered"},
  });
}

TEST(Evaluator, ComparesNumbersOfDifferentTypes) {
  expect_all({
      {"1 < 1.5 && 2 > 1.5 && 1u < 2 && -1 < 1u && 2u > -1", "true"},
      {"9223372036854775807 < 9223372036854775808.0", "true"},
      {"18446744073709551615u < 18446744073709551616.0", "true"},
      {"9007199254740993 > 9007199254740992.0", "true"},
      {"-1.5 < -1 && -1 < -0.5", "true"},
      {"dyn(1) == 1.0 && dyn(1u) == 1 && dyn(1) != 1.5", "true"},
      {"dyn(1) == '1'", "false"},
      {"1 in [dyn(1.0)]", "true"},
      {"[dyn(1), dyn(2)] == [dyn(1.0), dyn(2u)]", "true"},
      {"{1: 'a'}[dyn(1.0)]", "\"a\""},
      {"{'a': dyn(1), 'b': dyn(2)} == {'b': dyn(2u), 'a': dyn(1)}", "true"},
      {"null == dyn(1)", "false"},
      {"type(1) == int && type(type(1)) == type && type(null) == null_type", "true"},
      {"'a' < 'b' && b'a' < b'b' && false < true", "true"},
      {"dyn('a') < 1", "error: no such overload"},
  });
}

TEST(Evaluator, ReadsMembersAndElements) {
  expect_all({
      {"{'a': {'b': 1}}.a.b", "1"},
      {"{'a': 1}.b", "error: no such key: b"},
      {"{'a': 1}['b']", "error: no such key: b"},
      {"{1: 2}[3]", "error: no such key: 3"},
      {"[1, 2][2]", "error: index out of bounds: 2"},
      {"[1, 2][-1]", "error: index out of bounds: -1"},
      {"[1, 2][dyn(1.0)]", "2"},
      {"[1, 2][dyn(0.5)]", "error: unsupported index value 0.5 in list"},
      {"dyn(null).a", "error: no such key: a"},
      {"dyn(1)[0]", "error: no such key: 0"},
      {"has({'a': 1}.a) && !has({'a': 1}.b)", "true"},
      {"has(dyn({'a': 1}).b.c)", "error: no such key: b"},
      {"has(dyn(null).a)", "false"},
      {"'a' in {'a': 1} && !(1 in {2: 1})", "true"},
      {"{'a': 1, 'a': 2}", R"({"a":2})"},
      {"{dyn(1.5): 1}", "error: unsupported key type: double"},
      {"[1, 2] + [3] + []", "[1,2,3]"},
      {"([1, 2] + [3])[2] + ([1] + [2, 3])[0]", "4"},
      {"'a' + 'b'", "\"ab\""},
      {"b'a' + b'b' == b'ab'", "true"},
  });
}

TEST(Evaluator, ReadsOptionalMembers) {
  expect_all({
      {"{'a': 1}.?a", "some 1"},
      {"{'a': 1}.?b", "none"},
      {"{'a': {'b': 1}}.?a.b", "some 1"},
      {"{'a': {'b': 1}}.?x.b", "none"},
      {"{'a': {'b': 1}}.?a.c", "none"},
      {"[1][?0]", "some 1"},
      {"[1][?1]", "none"},
      {"{'a': [1]}.?a[0]", "some 1"},
      {"{'a': [1]}.?a[?3]", "none"},
      {"dyn(null).?a", "none"},
      {"has({'a': {'b': 1}}.?a.b) && !has({'a': {'b': 1}}.?x.b)", "true"},
      {"[?{'a': 1}.?a, ?{'a': 1}.?b, 3]", "[1,3]"},
      {"{?'a': optional.of(1), ?'b': optional.none()}", R"({"a":1})"},
      {"[?dyn(1)]", "error: cannot initialize optional entry from non-optional value of type int"},
      {"optional.none().value()", "error: optional.none() dereference"},
      {"optional.ofNonZeroValue('')", "none"},
      {"optional.ofNonZeroValue([0])", "some [0]"},
      {"optional.of(2).optMap(x, x * x)", "some 4"},
      {"optional.none().optMap(x, x)", "none"},
      {"optional.of(2).optFlatMap(x, x > 1 ? optional.of('y') : optional.none())", "some \"y\""},
      {"optional.of(1) == optional.of(dyn(1.0)) && optional.of(1) != optional.none()", "true"},
      {"type(optional.none()) == optional_type", "true"},
  });
}

TEST(Evaluator, ExpandsMacros) {
  expect_all({
      {"[1, 2, 3].all(x, x > 0)", "true"},
      {"[].all(x, x)", "true"},
      {"[].exists(x, x)", "false"},
      {"[1, 2, 2].exists_one(x, x == 1) && ![1, 2, 2].exists_one(x, x == 2)", "true"},
      {"[1, 2, 3].map(x, x > 1, x * 2)", "[4,6]"},
      {"[1, 2, 3].filter(x, x % 2 == 1)", "[1,3]"},
      {"{'b': 1, 'a': 2}.map(k, k)", R"(["b","a"])"},
      {"{'b': 1, 'a': 2}.filter(k, k == 'a')", R"(["a"])"},
      {"[1].map(x, [2].map(y, [x, y]))", "[[[1,2]]]"},
      {"[[1, 2], [3]].map(l, l.filter(x, x > 1))", "[[2],[3]]"},
      {"dyn('a').all(x, x)", "error: no such overload"},
  });
}

TEST(Evaluator, ReadsBothFormsOfJson) {
  const auto value = *json::parse(
      R"({"i":1,"u":18446744073709551615,"d":1.0,"s":"a","n":null,"l":[1,"b"],"o":{"x":true},"b":"aGk=","t":"1h"})");
  const json::Document document(value);
  const auto environment = make_environment({.variables = {{"x", Type::dyn()}}});
  const Table table = {
      {"x.i == 1 && type(x.i) == int", "true"},
      {"x.u == 18446744073709551615u", "true"},
      {"type(x.d) == double", "true"},
      {"x.n == null && has(x.n)", "true"},
      {"x.l[1] + x.s", "\"ba\""},
      {"x.o", R"({"x":true})"},
      {"x.map(k, k)[8]", "\"t\""},
      {"x.size() + x.l.size()", "11"},
      {"x == x && x.o != x.l", "true"},
  };

  for (const auto& [text, expected] : table) {
    EXPECT_EQ(run(environment, text, {{"x", Value::from_json(value)}}), expected) << text;
    EXPECT_EQ(run(environment, text, {{"x", Value::from_json(document.root())}}), expected) << text;
  }
}

TEST(Evaluator, ConvertsJsonToDeclaredTypes) {
  const auto type = Type::object("O", {{"d", Type::number()},
                                       {"i", Type::integer()},
                                       {"b", Type::bytes()},
                                       {"t", Type::timestamp()},
                                       {"l", Type::list(Type::duration())},
                                       {"n", Type::string()}});
  const auto json = *json::parse(R"({"d":1,"i":2.0,"b":"aGk=","t":"2024-02-03","l":["1h","x"],"n":null})");
  const auto environment = make_environment({.variables = {{"x", type}}});
  const Activation activation = {{"x", Value::from_json(json, type)}};

  EXPECT_EQ(run(environment, "x.d / 2.0 == 0.5 && x.i % 2 == 0", activation), "true");
  EXPECT_EQ(run(environment, "x.b == b'hi' && x.t.getMonth() == 1", activation), "true");
  EXPECT_EQ(run(environment, "x.l[0] == duration('60m')", activation), "true");
  EXPECT_EQ(run(environment, "x.l[1].getHours()", activation), "error: no such overload");
  EXPECT_EQ(run(environment, "has(x.n)", activation), "false");
  EXPECT_EQ(run(environment, "type(x)", activation), "type O");
}

TEST(Evaluator, ReportsAVariableWithoutAValue) {
  const auto environment = make_environment({.variables = {{"x", Type::dyn()}}});

  EXPECT_EQ(run(environment, "x == 1"), "error: no such attribute(s): x");
  EXPECT_EQ(run(environment, "x == 1 || true"), "true");
}

TEST(Evaluator, MakesObjects) {
  const auto type = Type::object("Object", {{"a", Type::integer()}, {"b", Type::string()}});
  const auto environment = make_environment({.libraries = {{.types = {type}}}});

  EXPECT_EQ(run(environment, "Object{a: 1, b: 'x'}"), R"({"a":1,"b":"x"})");
  EXPECT_EQ(run(environment, "Object{a: 1, ?b: optional.none()}"), R"({"a":1})");
  EXPECT_EQ(run(environment, "type(Object{}) == Object && !has(Object{}.a)"), "true");
}

}  // namespace
}  // namespace pintle::cel
