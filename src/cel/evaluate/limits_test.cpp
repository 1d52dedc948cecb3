// SPDX-License-Identifier: Apache-2.0
// Every evaluation ends, and its result is bounded.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

Evaluation evaluate_text(std::string_view text, const Activation& activation = {}, EvaluationOptions options = {}) {
  std::vector<Variable> variables;
  for (const auto& [name, value] : activation) variables.push_back({name, Type::dyn()});
  return compile(make_environment({.variables = variables}), text)->evaluate(activation, options);
}

std::string nested_loops(int depth) {
  std::string text = "true";
  for (int i = 0; i < depth; ++i) text = "[1,2,3,4,5,6,7,8,9,10].all(x" + std::to_string(i) + ", " + text + ")";
  return text;
}

TEST(Limits, EndNestedLoops) {
  const auto evaluation = evaluate_text(nested_loops(12));

  ASSERT_FALSE(evaluation.value);
  EXPECT_EQ(evaluation.value.error().reason, cost_exceeded);
  EXPECT_EQ(evaluation.value.error().message, "operation cancelled: actual cost limit exceeded");
  EXPECT_LT(evaluation.cost, 1'001'000U);
}

TEST(Limits, AreNotIgnoredByLogicalOperators) {
  for (const auto& text : {nested_loops(12) + " || true", "false && " + nested_loops(2) + " || " + nested_loops(12),
                           "[1].exists(x, " + nested_loops(12) + " || true)"}) {
    const auto evaluation = evaluate_text(text);
    ASSERT_FALSE(evaluation.value) << text;
    EXPECT_EQ(evaluation.value.error().reason, cost_exceeded) << text;
  }
}

TEST(Limits, BoundTheSizeOfResults) {
  std::string strings = "'0123456789'";
  std::string lists = "[1]";
  for (int i = 0; i < 40; ++i) {
    strings = "[" + strings + "].map(s, s + s)[0]";
    lists = "[" + lists + "].map(s, s + s)[0]";
  }

  const auto long_string = evaluate_text(strings, {}, {.max_cost = UINT64_MAX / 1000});
  const auto long_list = evaluate_text(lists);

  EXPECT_EQ(describe(long_string.value), "error: the result of an addition is too long");
  EXPECT_EQ(describe(long_list.value), "error: the result of an addition is too long");
}

TEST(Limits, CountTheWorkThatHasNoCost) {
  json::array numbers;
  for (int i = 0; i < 30'000; ++i) numbers.emplace_back(i);
  const json::Value json = json::array{numbers, numbers};
  const Activation activation = {{"a", Value::from_json(json)}, {"b", Value::from_json(json)}};

  const auto evaluation = evaluate_text("a[0].all(x, [a] == [b])", activation, {.max_cost = 20'000});

  ASSERT_FALSE(evaluation.value);
  EXPECT_EQ(evaluation.value.error().reason, cost_exceeded);
  EXPECT_LT(evaluation.cost, 20'000U);
}

TEST(Limits, ChargeTheCostOfKubernetes) {
  const std::vector<std::pair<std::string, std::uint64_t>> table = {
      {"1", 0},
      {"x", 1},
      {"x.a", 2},
      {"has(x.a)", 1},
      {"x.a.b.c == 1", 5},
      {"1 + 2", 1},
      {"[1, x.size()]", 12},
      {"{'a': x}", 31},
      {"1 in [1, x.size()]", 14},
      // Constants are computed in advance and cost nothing.
      {"[1, 2]", 0},
      {"{'a': [1, int('2')]}", 0},
      {"1 in [1, 2, 3]", 0},
      {"type(x) == map", 3},
      {"double(5) < 10.0", 1},
      {"x.a == {}", 2},
      // The first name of a chosen path is not counted.
      {"true ? x : x.a", 0},
      {"true ? x.a.b : x", 2},
      {"[1, 2].exists_one(i, i == 2)", 8},
      {"[1, 2].map(i, i)", 27},
      {"'0123456789012345' + '0123456789'", 3},
      {"'0123456789012345'.startsWith('0')", 2},
      {"'0123456789012345'.matches('01234567')", 4},
      {"'0123456789012345'.contains('0123456789012')", 4},
      {"true || x.a", 0},
      {"true ? 1 : 2", 0},
  };
  const auto json = *json::parse(R"({"a":{"b":{"c":1}}})");

  for (const auto& [text, cost] : table) {
    EXPECT_EQ(evaluate_text(text, {{"x", Value::from_json(json)}}).cost, cost) << text;
  }
}

TEST(Limits, AllowALoopOverALargeList) {
  json::array numbers;
  for (int i = 0; i < 20'000; ++i) numbers.emplace_back(i);
  const json::Value json = numbers;

  const auto evaluation = evaluate_text("x.map(i, i + 1).size()", {{"x", Value::from_json(json)}});

  EXPECT_EQ(describe(evaluation.value), "20000");
}

}  // namespace
}  // namespace pintle::cel
