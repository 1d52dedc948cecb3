// SPDX-License-Identifier: Apache-2.0
#include "expression_compiler.hpp"

#include <algorithm>
#include <utility>

#include "admission_types.hpp"
#include "authorizer.hpp"
#include "patch_types.hpp"

namespace pintle::apiserver {
namespace {

using cel::Type;

// The variables and functions of every expression. Built once, because it contains the standard library.
const Result<cel::Environment>& base_environment() {
  static const auto environment =
      cel::Environment::create({.variables = {{.name = "request", .type = admission_request_type()},
                                              {.name = "namespaceObject", .type = namespace_type()}},
                                .libraries = {authorizer_library()}});
  return environment;
}

std::vector<Type> result_types(ExpressionUse use) {
  switch (use) {
    case ExpressionUse::condition:
    case ExpressionUse::validation: return {Type::boolean()};
    case ExpressionUse::message: return {Type::string()};
    case ExpressionUse::annotation: return {Type::string(), Type::null()};
    case ExpressionUse::apply: return {object_type()};
    case ExpressionUse::json_patch: return {Type::list(json_patch_type())};
    default: return {};
  }
}

// kube-apiserver declares a variable with an object type as dyn.
Type declared_type(const Type& type) {
  switch (type.kind()) {
    case Type::Kind::list: return Type::list(declared_type(type.parameters()[0]));
    case Type::Kind::map: return Type::map(declared_type(type.parameters()[0]), declared_type(type.parameters()[1]));
    case Type::Kind::object:
    case Type::Kind::opaque:
    case Type::Kind::optional:
    case Type::Kind::type: return Type::dyn();
    default: return type;
  }
}

}  // namespace

Result<cel::Program> ExpressionCompiler::compile(ExpressionUse use, std::string_view text) const {
  if (!base_environment()) return fail(base_environment().error());
  cel::EnvironmentOptions more;
  more.variables = {{.name = "object", .type = scope_.object}, {.name = "oldObject", .type = scope_.object}};
  if (scope_.has_params) more.variables.push_back({.name = "params", .type = scope_.params});
  if (scope_.has_variables && use != ExpressionUse::condition) {
    more.variables.push_back({.name = "variables", .type = Type::object("kubernetes.variables", variables_)});
  }
  if (use != ExpressionUse::message) {
    for (cel::Variable& variable : authorizer_variables()) more.variables.push_back(std::move(variable));
  }
  if (use == ExpressionUse::apply || use == ExpressionUse::json_patch) more.libraries.push_back(patch_library());
  auto environment = base_environment()->extend(std::move(more));
  if (!environment) return fail(std::move(environment.error()));
  auto program = cel::compile(*environment, text);
  if (!program) {
    const bool is_compiled = program.error().reason == cel::instantiation_failed;
    program.error().message.insert(0, is_compiled ? "program instantiation failed: " : "compilation failed: ");
    return program;
  }
  const auto accepted = result_types(use);
  if (accepted.empty()) return program;
  if (auto fits = cel::require_result_type(*program, accepted); !fits) return fail(std::move(fits.error()));
  return program;
}

Result<cel::Program> ExpressionCompiler::add_variable(const std::string& name, std::string_view text) {
  auto program = compile(ExpressionUse::variable, text);
  std::erase_if(variables_, [&](const cel::Field& field) { return field.name == name; });
  variables_.push_back({.name = name, .type = program ? declared_type(program->result_type()) : Type::dyn()});
  return program;
}

}  // namespace pintle::apiserver
