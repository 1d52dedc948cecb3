// SPDX-License-Identifier: Apache-2.0
// The rules of the recorded CRDs that need only the standard library. Each recorded request contains the value of one
// field, and the response states which rules of it failed.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "test_support.hpp"

namespace pintle::cel {
namespace {

const json::Value* member_of(const json::Value& value, std::string_view name) {
  const auto* object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

std::string_view text_of(const json::Value& value, std::string_view name) {
  const auto* text = member_of(value, name);
  return text != nullptr && text->is_string() ? std::string_view(text->get_string()) : std::string_view();
}

Type type_of_schema(const json::Value& schema, const std::string& name);

Type type_of_object(const json::Value& schema, const std::string& name) {
  if (const auto* values = member_of(schema, "additionalProperties")) {
    return Type::map(Type::string(), type_of_schema(*values, name + ".@values"));
  }
  std::vector<Field> fields;
  if (const auto* properties = member_of(schema, "properties")) {
    for (const auto& [key, property] : properties->as_object()) {
      fields.push_back({std::string(key), type_of_schema(property, name + "." + std::string(key))});
    }
  }
  return Type::object(name, std::move(fields));
}

Type type_of_text(std::string_view format) {
  if (format == "duration") return Type::duration();
  if (format == "date-time" || format == "date") return Type::timestamp();
  if (format == "byte") return Type::bytes();
  return Type::string();
}

Type type_of_schema(const json::Value& schema, const std::string& name) {
  const auto type = text_of(schema, "type");
  if (type == "object") return type_of_object(schema, name);
  if (type == "array") return Type::list(type_of_schema(schema.at("items"), name + ".@items"));
  if (type == "string") return type_of_text(text_of(schema, "format"));
  if (type == "integer") return Type::integer();
  if (type == "number") return Type::number();
  if (type == "boolean") return Type::boolean();
  return Type::dyn();
}

const json::Value& spec_of(const json::Value& crd) {
  return crd.at("spec").at("versions").at(0).at("schema").at("openAPIV3Schema").at("properties").at("spec");
}

bool is_crd(const json::Value& step) {
  return text_of(step, "path").find("/customresourcedefinitions") != std::string::npos;
}

// ---- compile errors
// --------------------------------------------------------------------------------------------------

// The issues of these steps come from functions of Kubernetes, or not from the compiler.
bool is_beyond_the_language(std::string_view id) {
  const std::set<std::string_view> ids = {"reverse", "format", "format2", "format3", "signfn", "authz"};
  return ids.contains(id) || id.starts_with("path") || id.starts_with("several");
}

TEST(RecordedRules, HaveTheRecordedCompileErrors) {
  constexpr std::string_view prefix = "compilation failed: ";
  const auto scenario = read_scenario("cel-compile");
  int compared = 0;
  for (const auto& step : scenario.at("steps").as_array()) {
    const auto id = text_of(step, "id");
    if (!is_crd(step) || is_beyond_the_language(id)) continue;
    const auto* details = member_of(step.at("response").at("body"), "/details");
    if (details == nullptr || details->is_null()) continue;
    const std::string message(text_of(details->at("causes").at(0), "message"));
    if (message.find("\"Rule\"") == std::string::npos || message.find(prefix) == std::string::npos) continue;
    const auto expected = message.substr(message.find(prefix) + prefix.size());
    const auto& schema = spec_of(step.at("body")).at("properties").at("f");
    const auto& rule = schema.at("x-kubernetes-validations").at(0);
    const auto self = type_of_schema(schema, "self");
    std::string text(text_of(rule, "rule"));
    if (message.find("messageExpression") != std::string::npos && !text_of(rule, "messageExpression").empty()) {
      if (message.find("messageExpression compilation") == std::string::npos) continue;
      text = text_of(rule, "messageExpression");
    }
    std::vector<Variable> variables = {{"self", self}};
    if (text.find("oldSelf") != std::string::npos) variables.push_back({"oldSelf", Type::optional(self)});

    const auto program = compile(make_environment({.variables = variables}), text);

    ASSERT_FALSE(program) << text;
    if (expected.find("<*>") == std::string::npos) {
      EXPECT_EQ(program.error().message, expected) << id;
    }
    ++compared;
  }
  EXPECT_GE(compared, 33);
}

// ---- evaluation
// ------------------------------------------------------------------------------------------------------

struct Rule {
  std::string field;
  std::string text;
  std::string message;  // or "", if the rule has none
  bool is_fixed;        // whether the text of the cause does not depend on other expressions or settings
  Program program;
};

std::vector<Rule> compile_rules(const json::Value& crd) {
  std::vector<Rule> rules;
  for (const auto& [name, schema] : spec_of(crd).at("properties").as_object()) {
    const auto* validations = member_of(schema, "x-kubernetes-validations");
    // The types of the language have no sets. A default value is not part of the recorded request.
    if (validations == nullptr || text_of(schema, "x-kubernetes-list-type") == "set" || name == "n08") continue;
    const auto environment = make_environment({.variables = {{"self", type_of_schema(schema, std::string(name))}}});
    for (const auto& validation : validations->as_array()) {
      const auto text = text_of(validation, "rule");
      auto program = compile(environment, text);
      if (!program) continue;  // a function of Kubernetes, or oldSelf
      const bool is_fixed = text_of(validation, "messageExpression").empty() && text_of(validation, "reason").empty() &&
                            text_of(validation, "fieldPath").empty();
      rules.push_back({std::string(name), std::string(text), std::string(text_of(validation, "message")), is_fixed,
                       *std::move(program)});
    }
  }
  return rules;
}

// Returns the text that the cause of a failed rule contains, or "" if it holds.
std::string expected_complaint(const Rule& rule, const json::Value& value, const Type& type) {
  const auto evaluation = rule.program.evaluate({{"self", Value::from_json(value, type)}});
  if (evaluation.value) {
    if (evaluation.value->as_bool() == true) return "";
    return rule.message.empty() ? "failed rule: " + rule.text : rule.message;
  }
  const auto& message = evaluation.value.error().message;
  // The server replaces this message by an explanation.
  if (message.starts_with("no such overload")) return "'no such overload'";
  return message + " evaluating rule: " + rule.text;
}

std::vector<std::string> causes_of(const json::Value& step, const std::string& field) {
  std::vector<std::string> messages;
  const auto* causes = member_of(step.at("response").at("body"), "/details/causes");
  if (causes == nullptr || !causes->is_array()) return messages;
  for (const auto& cause : causes->as_array()) {
    if (text_of(cause, "field").starts_with(field)) messages.emplace_back(text_of(cause, "message"));
  }
  return messages;
}

int compare_step(const std::vector<Rule>& rules, const json::Value& crd, const json::Value& step) {
  int compared = 0;
  const auto& spec = step.at("body").at("spec");
  for (const auto& rule : rules) {
    const auto* value = member_of(spec, rule.field);
    if (value == nullptr || value->is_null()) continue;
    const auto type = type_of_schema(spec_of(crd).at("properties").at(rule.field), rule.field);
    const auto complaint = expected_complaint(rule, *value, type);
    const auto causes = causes_of(step, "spec." + rule.field);
    const bool is_reported = std::ranges::any_of(causes, [&](const auto& cause) {
      return !rule.is_fixed || cause.find(complaint.empty() ? rule.text : complaint) != std::string::npos;
    });
    EXPECT_EQ(is_reported, !complaint.empty())
        << text_of(step, "id") << ": " << rule.text << " for " << json::print(*value) << ": " << complaint
        << "\nrecorded: " << (causes.empty() ? "" : causes.front());
    ++compared;
  }
  return compared;
}

int compare_scenario(std::string_view name) {
  const auto scenario = read_scenario(name);
  const json::Value* crd = nullptr;
  std::vector<Rule> rules;
  int compared = 0;
  for (const auto& step : scenario.at("steps").as_array()) {
    const auto* body = member_of(step, "body");
    if (text_of(step, "method") != "POST" || body == nullptr || member_of(step, "response") == nullptr) continue;
    if (text_of(*body, "kind") == "CustomResourceDefinition") {
      if (text_of(step, "path").find("dryRun") != std::string::npos) continue;
      crd = body;
      rules = compile_rules(*crd);
    } else if (crd != nullptr && member_of(*body, "spec") != nullptr) {
      compared += compare_step(rules, *crd, step);
    }
  }
  return compared;
}

class RecordedRulesOf : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(RecordedRulesOf, FailForTheRecordedValues) { EXPECT_GE(compare_scenario(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(Scenarios, RecordedRulesOf,
                         testing::Values(std::pair("cel-lists", 40), std::pair("cel-maps", 60),
                                         std::pair("cel-numbers", 90), std::pair("cel-types", 60),
                                         std::pair("cel-messages", 10), std::pair("cel-strings", 15)));

}  // namespace
}  // namespace pintle::cel
