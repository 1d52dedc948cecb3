// SPDX-License-Identifier: Apache-2.0
// Measures the evaluation of compiled rules. A rule of five operators takes at most 1 us. On a shared machine the
// minimum of many short runs in random order is the cost of the code:
//   pintle_cel_bench --benchmark_repetitions=60 --benchmark_min_time=0.02 --benchmark_enable_random_interleaving=true
#include <pintle/cel/program.hpp>

#include <string_view>

#include <benchmark/benchmark.h>

#include <pintle/json/document.hpp>

namespace pintle::cel {
namespace {

constexpr std::string_view object_text = R"({"replicas":3,"minReplicas":1,"maxReplicas":5,"name":"frontend-web",
    "ports":[80,443,8080],"labels":{"app":"web"}})";

Type object_type() {
  return Type::object("self", {{"replicas", Type::integer()},
                               {"minReplicas", Type::integer()},
                               {"maxReplicas", Type::integer()},
                               {"name", Type::string()},
                               {"ports", Type::list(Type::integer())},
                               {"labels", Type::map(Type::string(), Type::string())}});
}

// Evaluates an expression over `self` again and again.
void evaluate_rule(benchmark::State& state, std::string_view text) {
  const auto document = *json::Document::parse(object_text);
  const auto type = object_type();
  const auto environment = *Environment::create({.variables = {{"self", type}}});
  const auto program = *compile(environment, text);
  const Activation activation = {{"self", Value::from_json(document.root(), type)}};
  for (auto _ : state) {
    const auto evaluation = program.evaluate(activation);
    if (!evaluation.value || evaluation.value->as_bool() != true) state.SkipWithError("the rule does not hold");
    benchmark::DoNotOptimize(evaluation);
  }
}

BENCHMARK_CAPTURE(evaluate_rule, one_operator, "self.replicas > 0");
BENCHMARK_CAPTURE(evaluate_rule, five_operators,
                  "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas && self.name != ''");
BENCHMARK_CAPTURE(evaluate_rule, five_operators_with_arithmetic,
                  "self.replicas * 2 - 1 >= self.minReplicas + 1 && true");
BENCHMARK_CAPTURE(evaluate_rule, strings, "self.name.startsWith('frontend-') && self.name.size() < 63");
BENCHMARK_CAPTURE(evaluate_rule, pattern, "self.name.matches('^[a-z]+(-[a-z]+)*$')");
BENCHMARK_CAPTURE(evaluate_rule, loop_over_three_elements, "self.ports.all(p, p > 0 && p < 65536)");

// The work of a server for each rule, including the value of `self`.
void evaluate_with_value(benchmark::State& state) {
  const auto document = *json::Document::parse(object_text);
  const auto type = object_type();
  const auto environment = *Environment::create({.variables = {{"self", type}}});
  const auto program = *compile(
      environment, "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas && self.name != ''");
  for (auto _ : state) {
    const Activation activation = {{"self", Value::from_json(document.root(), type)}};
    const auto evaluation = program.evaluate(activation);
    benchmark::DoNotOptimize(evaluation);
  }
}
BENCHMARK(evaluate_with_value);

void compile_rule_text(benchmark::State& state) {
  const auto environment = *Environment::create({.variables = {{"self", object_type()}}});
  for (auto _ : state) {
    const auto program = compile(
        environment, "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas && self.name != ''");
    benchmark::DoNotOptimize(program);
  }
}
BENCHMARK(compile_rule_text);

}  // namespace
}  // namespace pintle::cel
