// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

void expect_lists(const std::vector<std::pair<const char*, const char*>>& table) {
  const auto environment = make_environment();
  for (const auto& [text, expected] : table) EXPECT_EQ(run(environment, text), expected) << text;
}

TEST(Lists, AreReducedToOneValue) {
  expect_lists({{"[1, 2, 2].isSorted()", "true"},
                {"['b', 'a'].isSorted()", "false"},
                {"[1, 2, 3].sum()", "6"},
                {"[1u, 2u].sum()", "3"},
                {"[0.5, 0.25].sum()", "0.75"},
                {"[duration('1m'), duration('30s')].sum() == duration('90s')", "true"},
                {"[1].filter(x, x > 1).sum()", "0"},
                {"[9223372036854775807, 1].sum()", "error: integer overflow"},
                {"['b', 'c', 'a'].min()", "\"a\""},
                {"[1.5, 2.5].max()", "2.5"},
                {"[1].filter(x, x > 1).max()", "error: max called on empty list"},
                {"[1, 2, 1].indexOf(1)", "0"},
                {"[1, 2, 1].lastIndexOf(1)", "2"},
                {"[1, 2].lastIndexOf(3)", "-1"},
                {"[1, 2].first()", "some 1"},
                {"[1, 2].last().value()", "2"},
                {"[1].filter(x, x > 1).first()", "none"}});
}

TEST(Lists, AreTransformed) {
  expect_lists({{"[3, 1, 2].sort()", "[1,2,3]"},
                {"['b', 'a'].sort()", R"(["a","b"])"},
                {"[{'n': 2}, {'n': 1}].sortBy(e, e.n)", R"([{"n":1},{"n":2}])"},
                {"[[1, 2], [3]].sortBy(l, -l.size()).map(l, l[0])", "[1,3]"},
                {"[1, 2, 3].reverse()", "[3,2,1]"},
                {"[1, 2, 1].distinct()", "[1,2]"},
                {"[[dyn(1)], [dyn(2), dyn([3])]].flatten()", "[1,2,[3]]"},
                {"[dyn([1]), dyn([dyn(2), dyn([[3]])])].flatten(2)", "[1,2,[3]]"},
                {"[dyn([1])].flatten(-1)", "error: level must be non-negative"},
                {"[1, 2, 3].slice(1, 2)", "[2]"},
                {"[1].slice(-1, 1)", "error: cannot slice(-1, 1), negative indexes not supported"},
                {"[1].slice(1, 0)", "error: cannot slice(1, 0), start index must be less than or equal to end index"},
                {"[1].slice(0, 2)", "error: cannot slice(0, 2), list is length 1"},
                {"lists.range(3)", "[0,1,2]"},
                {"lists.range(-1)", "[]"},
                {"[0.0 / 0.0, 1.0, -1.0].sort()[1]", "-1.0"},
                {"[optional.of(1), optional.none()].unwrapOpt()", "[1]"},
                {"optional.unwrap([optional.of(1), optional.none()])", "[1]"},
                {"[1].sortBy(1, 2)",
                 "ERROR: <input>:1:12: argument is not an identifier\n | [1].sortBy(1, 2)\n | "
                 "...........^"}});
}

TEST(Lists, AreComparedAsSets) {
  expect_lists({{"sets.contains([1, 2], [2, 2])", "true"},
                {"sets.contains([1, 2], [3])", "false"},
                {"sets.contains([1], [])", "true"},
                {"sets.equivalent([1, 2], [2, 1, 1])", "true"},
                {"sets.equivalent([1, 2], [1])", "false"},
                {"sets.intersects([1, 2], [2, 3])", "true"},
                {"sets.intersects([1], [])", "false"}});
}

TEST(Lists, HaveLoopsWithTwoVariables) {
  expect_lists({{"[5, 6].all(i, v, v == i + 5)", "true"},
                {"[5, 6].exists(i, v, i == 1 && v == 6)", "true"},
                {"[1, 1].existsOne(i, v, v == 1)", "false"},
                {"[1, 2].exists_one(i, v, v == 1)", "true"},
                {"[7, 8].transformList(i, v, i * v)", "[0,8]"},
                {"[7, 8].transformList(i, v, i > 0, v)", "[8]"},
                {"{'a': 1}.transformList(k, v, k + string(v))", R"(["a1"])"},
                {"{'a': 1, 'b': 2}.transformMap(k, v, v * 2)", R"({"a":2,"b":4})"},
                {"{'a': 1, 'b': 2}.transformMap(k, v, k == 'b', v)", R"({"b":2})"},
                {"['a', 'b'].transformMap(i, v, v)[1]", "\"b\""},
                {"['a', 'b'].transformMapEntry(i, v, {v: i, v + v: i})", R"({"a":0,"aa":0,"b":1,"bb":1})"},
                {"['a', 'b'].transformMapEntry(i, v, i == 0, {v: i})", R"({"a":0})"},
                {"['a', 'a'].transformMapEntry(i, v, {v: i})", "error: insert failed: key a already exists"},
                {"[1].all(v, v, true)",
                 "ERROR: <input>:1:12: duplicate variable name: v\n | [1].all(v, v, true)\n | "
                 "...........^"},
                {"[1, 0].all(i, v, 1 / v > 0)", "error: division by zero"},
                {"[1, 0].exists(i, v, 1 / v > 0)", "true"}});
}

TEST(Lists, GrowMapsWithoutCopies) {
  json::array numbers;
  for (int i = 0; i < 20'000; ++i) numbers.emplace_back(i);
  const json::Value json = numbers;
  const auto program =
      compile(make_environment({.variables = {{"x", Type::list(Type::integer())}}}), "x.transformMap(i, v, v).size()");

  EXPECT_EQ(describe(program->evaluate({{"x", Value::from_json(json)}}).value), "20000");
}

TEST(Lists, EndAnExpensiveComparison) {
  json::array numbers;
  for (int i = 0; i < 20'000; ++i) numbers.emplace_back(i);
  const json::Value json = numbers;
  const auto environment = make_environment({.variables = {{"x", Type::list(Type::integer())}}});
  for (const char* text : {"x.distinct().size() == 0", "sets.contains(x.reverse(), x)"}) {
    const auto evaluation = compile(environment, text)->evaluate({{"x", Value::from_json(json)}});
    EXPECT_EQ(describe(evaluation.value), "error: comparison of too many values") << text;
  }
}

TEST(Lists, ChargeTheCostOfKubernetes) {
  const auto environment = make_environment({.variables = {{"x", Type::list(Type::integer())}}});
  const auto json = *json::parse("[1,2,3,4,5,6,7,8,9,10]");
  const std::vector<std::pair<const char*, std::uint64_t>> table = {{"x.sum()", 11},
                                                                    {"x.isSorted()", 11},
                                                                    {"x.sort()", 212},
                                                                    {"x.sortBy(e, e)", 1 + 1 + 142 + 201},
                                                                    {"x.distinct()", 212},
                                                                    {"x.reverse()", 22},
                                                                    {"x.slice(0, 5)", 17},
                                                                    {"lists.range(5)", 16},
                                                                    {"x.first()", 2},
                                                                    {"x.indexOf(1)", 11},
                                                                    {"sets.contains(x, x)", 103},
                                                                    {"sets.equivalent(x, x)", 203}};
  for (const auto& [text, cost] : table) {
    EXPECT_EQ(compile(environment, text)->evaluate({{"x", Value::from_json(json)}}).cost, cost) << text;
  }
}

}  // namespace
}  // namespace pintle::cel
