// SPDX-License-Identifier: Apache-2.0
#include "policy_types.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/cel/type.hpp>

#include "apiserver/expressions/expression_compiler.hpp"
#include "apiserver/expressions/published_type.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

constexpr std::size_t most_kinds_of_rule = 10;

// Sorts by group, version and kind.
struct ByKind {
  bool operator()(const ResourcePtr& a, const ResourcePtr& b) const {
    return std::tie(a->group, a->version, a->kind) < std::tie(b->group, b->version, b->kind);
  }
};
using Kinds = std::set<ResourcePtr, ByKind>;

std::vector<std::string_view> sorted_texts(View list) {
  std::vector<std::string_view> out;
  for (const View one : list.elements()) out.push_back(one.text());
  std::sort(out.begin(), out.end());
  return out;
}

// Adds the kinds that a rule names. A wildcard and a subresource name none. Returns false if the rule has too many.
bool add_kinds(const Catalog& catalog, View rule, Kinds& kinds) {
  std::size_t count = 0;
  for (const std::string_view group : sorted_texts(rule.member("apiGroups"))) {
    for (const std::string_view version : sorted_texts(rule.member("apiVersions"))) {
      for (const std::string_view plural : sorted_texts(rule.member("resources"))) {
        ResourcePtr found = catalog.find(group, version, plural);
        if (found == nullptr) continue;
        kinds.insert(std::move(found));
        if (++count == most_kinds_of_rule) return false;
      }
    }
  }
  return true;
}

Kinds matched_kinds(const Catalog& catalog, View spec) {
  Kinds out;
  for (const View rule : spec["/matchConstraints/resourceRules"].elements()) {
    if (!add_kinds(catalog, rule, out)) break;
  }
  // The objects of a kind without a schema can have any form.
  std::erase_if(out, [](const ResourcePtr& kind) { return !kind->strategy->schema().member("properties").exists(); });
  return out;
}

// "apps/v1, Kind=Deployment"
std::string describe_kind(const Resource& kind) {
  return fmt::format("{}/{}, Kind={}", kind.group, kind.version, kind.kind);
}

// The type of the objects of a kind. The schema of a definition need not declare the members that every object has.
cel::Type type_of_kind(const Catalog& catalog, const Resource& kind, const std::string& name) {
  cel::Type type = published_type(kind.strategy->schema(), name);
  if (!kind.custom || type.kind() != cel::Type::Kind::object) return type;
  std::vector<cel::Field> fields{{.name = "apiVersion", .type = cel::Type::string()},
                                 {.name = "kind", .type = cel::Type::string()}};
  const ResourcePtr any = catalog.find("", "v1", "configmaps");
  fields.push_back({.name = "metadata",
                    .type = published_type(any->strategy->schema()["/properties/metadata"], name + ".metadata")});
  for (const cel::Field& field : type.fields()) {
    const bool is_there =
        std::any_of(fields.begin(), fields.end(), [&](const cel::Field& one) { return one.name == field.name; });
    if (!is_there) fields.push_back(field);
  }
  return cel::Type::object(name, std::move(fields));
}

// The compilers of one policy, one for each kind.
class TypeCheck {
 public:
  TypeCheck(const Catalog& catalog, View spec) {
    ExpressionScope scope{.has_variables = true};
    if (const View param = spec.member("paramKind")) {
      const auto kind = catalog.find_kind(param.member("apiVersion").text(), param.member("kind").text());
      scope.has_params = kind != nullptr;
      if (kind != nullptr) scope.params = type_of_kind(catalog, *kind, "params." + kind->kind);
    }
    for (const ResourcePtr& kind : matched_kinds(catalog, spec)) {
      scope.object = type_of_kind(catalog, *kind, kind->kind);
      ExpressionCompiler compiler(scope);
      for (const View variable : spec.member("variables").elements()) {
        // An error in a variable is reported where the variable is used.
        (void)compiler.add_variable(std::string(variable.member("name").text()), variable.member("expression").text());
      }
      kinds_.emplace_back(describe_kind(*kind), std::move(compiler));
    }
  }

  void check(std::string field, std::string_view expression, json::array& warnings) const {
    std::string text;
    for (const auto& [kind, compiler] : kinds_) {
      const auto program = compiler.compile(ExpressionUse::variable, expression);
      if (program) continue;
      std::string_view why = program.error().message;
      constexpr std::string_view prefix = "compilation failed: ";
      if (why.starts_with(prefix)) why.remove_prefix(prefix.size());
      text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", kind, why);
    }
    if (text.empty()) return;
    warnings.emplace_back(json::object{{"fieldRef", std::move(field)}, {"warning", std::move(text)}});
  }

 private:
  std::vector<std::pair<std::string, ExpressionCompiler>> kinds_{};
};

}  // namespace

json::array type_warnings(const Catalog& catalog, View policy) {
  const View spec = policy.member("spec");
  const TypeCheck types(catalog, spec);
  json::array out;
  std::size_t index = 0;
  for (const View validation : spec.member("validations").elements()) {
    for (const char* name : {"expression", "messageExpression"}) {
      const std::string_view expression = validation.member(name).text();
      if (!expression.empty()) types.check(fmt::format("spec.validations[{}].{}", index, name), expression, out);
    }
    ++index;
  }
  return out;
}

}  // namespace pintle::apiserver
