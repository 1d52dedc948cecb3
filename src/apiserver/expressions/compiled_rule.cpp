// SPDX-License-Identifier: Apache-2.0
#include "compiled_rule.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/cel/cost.hpp>

#include "authorizer.hpp"

namespace pintle::apiserver {
namespace {

using cel::Type;

std::uint64_t max_cost_of(const cel::Program& program, const SchemaType& type) {
  return cel::estimate_cost(program, [&](std::span<const std::string> path) { return type.max_size_at(path); }).max;
}

// Compiles an expression that must have a type. Returns the mistake, or "".
std::string compile_as(const cel::Environment& environment, const std::string& text, const Type& result,
                       std::optional<cel::Program>& out, std::string_view subject, std::string_view wrong_type) {
  auto program = cel::compile(environment, text);
  if (!program) {
    const bool is_compiled = program.error().reason == cel::instantiation_failed;
    const std::string_view of = subject.empty() && is_compiled ? "program " : subject;
    return fmt::format("{}{} failed: {}", of, is_compiled ? "instantiation" : "compilation", program.error().message);
  }
  if (program->result_type() != result) return std::string(wrong_type);
  out = *std::move(program);
  return {};
}

// A step of a fieldPath: ".name" or "['name']". Nothing if the path is malformed.
std::optional<std::string> take_step(std::string_view& path) {
  std::string name;
  if (path.starts_with('.')) {
    path.remove_prefix(1);
    const auto end = std::min(path.find_first_of(".[]"), path.size());
    name = path.substr(0, end);
    path.remove_prefix(end);
    return name.empty() ? std::nullopt : std::optional(std::move(name));
  }
  if (!path.starts_with("['")) return std::nullopt;
  path.remove_prefix(2);
  while (!path.empty() && path.front() != '\'') {
    if (path.front() == '\\') path.remove_prefix(1);
    if (path.empty()) return std::nullopt;
    name += path.front();
    path.remove_prefix(1);
  }
  if (!path.starts_with("']")) return std::nullopt;
  path.remove_prefix(2);
  return name;
}

}  // namespace

std::string describe_rule(const ValidationRule& rule) {
  return std::string(trim(rule.message.empty() ? rule.rule : rule.message));
}

std::optional<std::string> field_of_path(const SchemaNode& node, std::string_view path) {
  std::string field;
  const SchemaNode* at = &node;
  while (!path.empty()) {
    const auto name = take_step(path);
    if (!name) return std::nullopt;
    if (!at->properties.empty()) {
      const auto found = at->properties.find(*name);
      if (found == at->properties.end()) return std::nullopt;
      field += (field.empty() ? "" : ".") + *name;
      at = found->second.get();
    } else if (at->additional != nullptr) {
      field += "[" + *name + "]";
      at = at->additional.get();
    } else {
      return std::nullopt;
    }
  }
  return field;
}

CompiledRule compile_rule(const ValidationRule& rule, const SchemaNode& node, const SchemaType& type) {
  CompiledRule out{.source = &rule};
  if (trim(rule.rule).empty()) return out;
  const auto old_self = rule.optional_old_self.value_or(false) ? Type::optional(type.type) : type.type;
  const auto environment = cel::Environment::create(
      {.variables = {{.name = "self", .type = type.type}, {.name = "oldSelf", .type = old_self}},
       // Rules have no authorizer, but kube-apiserver declares its functions for them.
       .libraries = {authorizer_library()}});
  if (!environment) {
    out.mistake = environment.error().message;
    return out;
  }
  out.mistake =
      compile_as(*environment, rule.rule, Type::boolean(), out.program, "", "cel expression must evaluate to a bool");
  if (!out.program) return out;
  out.uses_old_self = out.program->uses("oldSelf");
  out.max_cost = max_cost_of(*out.program, type);
  if (!rule.message_expression.empty()) {
    out.message_mistake = compile_as(*environment, rule.message_expression, Type::string(), out.message,
                                     "messageExpression ", "messageExpression must evaluate to a string");
    if (out.message) out.max_message_cost = max_cost_of(*out.message, type);
  }
  if (!rule.field_path.empty()) out.field = field_of_path(node, rule.field_path).value_or("");
  return out;
}

}  // namespace pintle::apiserver
