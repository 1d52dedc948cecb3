// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/program.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/cost.hpp>

#include "check/checked.hpp"
#include "check/checker.hpp"
#include "check/declarations.hpp"
#include "estimate/estimator.hpp"
#include "evaluate/constants.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/meter.hpp"
#include "syntax/issues.hpp"
#include "syntax/parser.hpp"

namespace pintle::cel {

struct Program::Parts {
  std::string text{};
  CheckedAst checked{};
};

// Makes programs, and gives this layer access to them.
class ProgramAccess {
 public:
  [[nodiscard]] static const CheckedAst& checked(const Program& program) { return program.parts_->checked; }
  static Program make(std::string text, CheckedAst checked) {
    return Program(
        std::make_shared<const Program::Parts>(Program::Parts{.text = std::move(text), .checked = std::move(checked)}));
  }
};

namespace {

Error describe_issues(const Issues& issues, const Source& source) {
  auto error = make_error(ErrorCode::invalid, issues.describe(source));
  for (const auto& issue : issues.sorted()) {
    const auto [line, column] = source.position(issue.offset);
    error.causes.push_back({.message = issue.message, .field = fmt::format("{}:{}", line, column)});
  }
  return error;
}

}  // namespace

Result<Program> compile(const Environment& environment, std::string_view text) {
  const auto& declarations = EnvironmentAccess::declarations(environment);
  const Source source(text);
  Issues issues(declarations.limits().max_issues);
  auto tree = parse(source, declarations.macros(), declarations.limits(), issues);
  if (!issues.empty()) return fail(describe_issues(issues, source));
  auto checked = check(std::move(tree), declarations, issues);
  if (issues.empty()) check_literals(checked, issues);
  if (!issues.empty()) return fail(describe_issues(issues, source));
  if (auto found = find_constants(checked); !found) return fail(std::move(found.error()));
  return ProgramAccess::make(std::string(text), std::move(checked));
}

const Type& Program::result_type() const noexcept { return parts_->checked.types[parts_->checked.tree.root]; }

std::string_view Program::text() const noexcept { return parts_->text; }

bool Program::uses(std::string_view variable) const noexcept {
  return std::ranges::any_of(parts_->checked.references, [&](const Reference& reference) {
    return reference.kind == ReferenceKind::variable && reference.name == variable;
  });
}

Evaluation Program::evaluate(const Activation& activation, EvaluationOptions options) const {
  Meter meter(options.max_cost);
  auto value = cel::evaluate(parts_->checked, activation, meter);
  return {.value = std::move(value), .cost = meter.cost()};
}

CostEstimate estimate_cost(const Program& program, const MaxSize& max_size) {
  const auto range = estimate(ProgramAccess::checked(program), max_size);
  return {.min = range.min, .max = range.max};
}

Result<void> require_result_type(const Program& program, std::span<const Type> types) {
  const auto& type = program.result_type();
  if (std::ranges::find(types, type) != types.end()) return {};
  std::string expected;
  for (const auto& each : types) {
    if (!expected.empty()) expected += ' ';
    expected += each.to_string();
  }
  if (types.size() != 1) expected = "one of [" + expected + "]";
  return fail(ErrorCode::invalid, fmt::format("must evaluate to {} but got {}", expected, type.to_string()));
}

}  // namespace pintle::cel
