// SPDX-License-Identifier: Apache-2.0
#include "admission_fields.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::size_t max_match_conditions = 64;

using Causes = std::vector<StatusCause>;

// Refuses "*" beside other items.
void validate_wildcard(View list, const std::string& field, std::string_view what, Causes& causes) {
  bool has_all = false;
  for (const View item : list.elements()) has_all = has_all || item == "*";
  if (!has_all || list.size() == 1) return;
  causes.push_back(
      invalid_value(field, list.to_value(), fmt::format("if '*' is present, must not specify other {}", what)));
}

void validate_operations(View operations, const std::string& field, Causes& causes) {
  if (operations.empty()) causes.push_back(required(field));
  validate_wildcard(operations, field, "operations", causes);
  std::size_t i = 0;
  for (const View operation : operations.elements()) {
    validate_choice(operation, fmt::format("{}[{}]", field, i++), {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"},
                    causes);
  }
}

void validate_rule_resources(View resources, const std::string& field, Causes& causes) {
  if (resources.empty()) causes.push_back(required(field));
  std::vector<std::string_view> whole;  // those with all their subresources, "pods/*"
  std::vector<std::string_view> parts;  // subresources of all resources, "*/status"
  bool has_all = false;
  bool has_everything = false;
  std::size_t without_part = 0;
  std::size_t i = 0;
  for (const View resource : resources.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view text = resource.text();
    if (text.empty()) {
      causes.push_back(required(at));
      continue;
    }
    const std::size_t slash = text.find('/');
    const std::string_view plural = text.substr(0, slash);
    if (slash == std::string_view::npos) {
      ++without_part;
      has_all = has_all || text == "*";
      continue;
    }
    const std::string_view part = text.substr(slash + 1);
    const auto covers = [&](const std::vector<std::string_view>& list, std::string_view one, std::string_view pattern) {
      if (std::find(list.begin(), list.end(), one) == list.end()) return;
      causes.push_back(
          invalid_value(at, Value(text), fmt::format("if '{}' is present, must not specify {}", pattern, text)));
    };
    covers(whole, plural, fmt::format("{}/*", plural));
    covers(parts, part, fmt::format("*/{}", part));
    if (text == "*/*") {
      has_everything = true;
    } else if (part == "*") {
      whole.push_back(plural);
    } else if (plural == "*") {
      parts.push_back(part);
    }
  }
  if (has_everything && resources.size() > 1) {
    causes.push_back(
        invalid_value(field, resources.to_value(), "if '*/*' is present, must not specify other resources"));
  }
  if (has_all && without_part > 1) {
    causes.push_back(invalid_value(field, resources.to_value(),
                                   "if '*' is present, must not specify other resources without subresources"));
  }
}

}  // namespace

void validate_choice(View value, const std::string& field, const std::vector<std::string>& supported, Causes& causes) {
  const std::string_view text = value.text();
  const bool fits = std::find(supported.begin(), supported.end(), text) != supported.end();
  if (value.exists() && !fits) causes.push_back(not_supported(field, Value(text), supported));
}

void validate_rule(View rule, const std::string& field, Causes& causes) {
  validate_operations(rule.member("operations"), field + ".operations", causes);
  for (const auto& [name, what] : {std::pair("apiGroups", "API groups"), std::pair("apiVersions", "API versions")}) {
    const View list = rule.member(name);
    const std::string at = fmt::format("{}.{}", field, name);
    if (list.empty()) causes.push_back(required(at));
    validate_wildcard(list, at, what, causes);
  }
  std::size_t i = 0;
  for (const View version : rule.member("apiVersions").elements()) {
    if (version.text().empty()) causes.push_back(required(fmt::format("{}.apiVersions[{}]", field, i)));
    ++i;
  }
  validate_rule_resources(rule.member("resources"), field + ".resources", causes);
  validate_choice(rule.member("scope"), field + ".scope", {"*", "Cluster", "Namespaced"}, causes);
}

StatusCause wrong_expression(std::string field, std::string_view expression, const Error& error) {
  if (error.reason != cel::instantiation_failed) {
    return invalid_value(std::move(field), Value(expression), error.message);
  }
  return {.reason = "InternalError", .message = "Internal error: " + error.message, .field = std::move(field)};
}

void validate_conditions(View conditions, const std::string& field, const ExpressionCompiler& compiler,
                         Causes& causes) {
  if (conditions.size() > max_match_conditions) {
    causes.push_back(
        {.reason = "FieldValueTooMany",
         .message = fmt::format("Too many: {}: must have at most {} items", conditions.size(), max_match_conditions),
         .field = field});
  }
  std::vector<std::string_view> seen;
  for (const View condition : conditions.elements()) {
    const std::string at = fmt::format("{}[{}]", field, seen.size());
    const std::string_view name = condition.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else if (const auto error = qualified_name_error(name)) {
      causes.push_back(invalid_value(at + ".name", Value(name), *error));
    } else if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      causes.push_back(duplicate_value(at + ".name", Value(name)));
    }
    seen.push_back(name);
    const std::string_view expression = condition.member("expression").text();
    if (expression.empty()) {
      causes.push_back(required(at + ".expression"));
    } else if (const auto program = compiler.compile(ExpressionUse::condition, expression); !program) {
      causes.push_back(wrong_expression(at + ".expression", expression, program.error()));
    }
  }
}

}  // namespace pintle::apiserver
