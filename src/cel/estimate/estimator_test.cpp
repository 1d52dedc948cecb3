// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/cost.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

// A list of up to 10 texts of up to 40 bytes, a map with up to 5 entries, and a number.
Environment sized_environment() {
  const auto texts = Type::list(Type::string());
  return make_environment({.variables = {{"l", texts},
                                         {"m", Type::map(Type::string(), Type::string())},
                                         {"n", Type::integer()},
                                         {"s", Type::string()},
                                         {"o", Type::object("O", {{"a", texts}})}}});
}

std::optional<std::uint64_t> size_in_environment(std::span<const std::string> path) {
  if (path.back() == "@items" || path.back() == "@values" || path.back() == "s") return 40;
  if (path.back() == "l" || path.back() == "a") return 10;
  if (path.back() == "m") return 5;
  return std::nullopt;
}

std::uint64_t max_cost(std::string_view text) {
  const auto program = compile(sized_environment(), text);
  EXPECT_TRUE(program) << text;
  return program ? estimate_cost(*program, size_in_environment).max : 0;
}

TEST(CostEstimate, IsThatOfKubernetes) {
  const std::vector<std::pair<const char*, std::uint64_t>> table = {
      {"1", 0},
      {"n", 1},
      {"o.a", 2},
      {"has(o.a)", 1},
      {"n + 1", 2},
      {"n == 1", 2},
      {"s == 'abc'", 2},
      {"s == s", 6},
      {"s + s", 10},
      {"[n, n]", 12},
      {"{n: n}", 32},
      {"n > 1 && n < 5 || n == 7", 6},
      {"n > 1 ? s : s + s", 12},
      {"s.startsWith('a')", 2},
      {"s.contains('abcdefghijkl')", 1 + 4 * 2},
      {"s.matches('^[a-z]+$')", 1 + 5 * 2},
      {"s in l", 12},
      {"n in [1, 2, 3]", 1 + 10 + 3},
      {"l.all(x, x == 'a')", 1 + 10 * (1 + 1 + 1 + 1 + 1) + 1},
      {"l.map(x, x + 'b').size()", 1 + 10 + 10 * (1 + 5 + 10 + 1 + 1) + 1 + 1},
      {"l.sort()", 1 + 210 + 11},
      {"l.isSorted()", 1 + 10 * 5},
      {"l.join(',')", 1 + 41},
      {"s.split(',').size()", 1 + 8 + 1},
      {"lists.range(3)", 14},
      {"sets.contains(l, ['a'])", 1 + 10 + 10 + 1},
      {"m.exists(k, m[k] == 'a')", 1 + 5 * (3 + 1 + 1 + 1 + 1 + 1) + 1},
      {"quantity(s).isGreaterThan(quantity('1'))", 1 + 4 + 1 + 1},
      {"ip(s) == ip('::1')", 1 + 4 + 1 + 1},
      {"cidr('10.0.0.0/8').containsIP(s)", 1 + 1 + 4 + 4},
      {"l[0] == 'a'", 1 + 1 + 1},
      {"l.first().orValue('a') == 'b'", 1 + 1 + 1 + 1},
      {"dyn(s) == 'abc'", 3},
  };
  for (const auto& [text, cost] : table) EXPECT_EQ(max_cost(text), cost) << text;
}

TEST(CostEstimate, OfAnUnknownSizeIsTheHighest) {
  EXPECT_GT(max_cost("'a' + string(n)"), 1'000'000'000'000'000'000U);
  EXPECT_LT(max_cost("'a%d'.format([n])"), 20U);
  EXPECT_EQ(estimate_cost(*compile(sized_environment(), "l.all(x, x == s)")).max, UINT64_MAX);
}

TEST(CostEstimate, IsNotBelowTheCostOfAnEvaluation) {
  const json::Value texts = json::array(10, json::Value(std::string(40, 'a')));
  const json::Value map = {{"a", std::string(40, 'a')}, {"b", "b"}};
  const std::string text(40, 'a');
  const Activation activation = {{"l", Value::from_json(texts)},
                                 {"m", Value::from_json(map)},
                                 {"n", Value::integer(3)},
                                 {"s", Value::borrowed_string(text)}};
  for (const char* expression :
       {"l.all(x, x.matches('a+$'))", "l.map(x, x + s).join(s)", "l.sort().distinct()", "m.all(k, v, v != k || true)",
        "l.exists(x, x.split('a').size() == n)", "s.replace('a', 'bb') + s.upperAscii()", "s in l && s == l[n]",
        "sets.equivalent(l, l.reverse())", "l.filter(x, x.contains('b')).size() > n"}) {
    const auto program = compile(sized_environment(), expression);
    ASSERT_TRUE(program) << expression;
    EXPECT_GE(estimate_cost(*program, size_in_environment).max, program->evaluate(activation).cost) << expression;
  }
}

TEST(CostEstimate, EndsForNestedOptionals) {
  std::string text = "optional.of(1)";
  for (int i = 0; i < 60; ++i) text += ".optMap(x, x + 1)";

  EXPECT_GT(max_cost(text), 60U);
}

}  // namespace
}  // namespace pintle::cel
