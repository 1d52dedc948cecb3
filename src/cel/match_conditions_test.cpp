// SPDX-License-Identifier: Apache-2.0
// The expressions of the recorded webhook configurations, with the variables that the API server gives them. The
// functions of the authorizer come from the embedder.
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "test_support.hpp"

namespace pintle::cel {
namespace {

class Authorizer final : public Opaque {
 public:
  Authorizer(std::string type, std::string path) : type_(std::move(type)), path_(std::move(path)) {}
  [[nodiscard]] Type type() const override { return Type::opaque(type_); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string type_;
  std::string path_;
};

// A step of an authorization check: it appends its argument to the path of its receiver.
FunctionDeclaration step(std::string name, const std::string& from, const std::string& to) {
  const auto function = [name, to](std::span<const Value> arguments) -> Result<Value> {
    auto path = arguments[0].as_opaque<Authorizer>()->path() + "/" + std::string(*arguments[1].as_string());
    return Value::opaque(std::make_shared<Authorizer>(to, std::move(path)));
  };
  return {name,
          {{.parameters = {Type::opaque(from), Type::string()},
            .result = Type::opaque(to),
            .is_member = true,
            .function = function,
            .cost = [name](std::span<const Value>, const Value&) { return name == "check" ? 350'000U : 1U; }}}};
}

Library authorizer_library() {
  const auto allowed = [](std::span<const Value> arguments) -> Result<Value> {
    return Value::boolean(arguments[0].as_opaque<Authorizer>()->path() == "//configmaps/wh-cond/create");
  };
  return {.functions = {step("group", "Authorizer", "GroupCheck"),
                        step("resource", "GroupCheck", "ResourceCheck"),
                        step("namespace", "ResourceCheck", "ResourceCheck"),
                        step("check", "ResourceCheck", "Decision"),
                        {"allowed",
                         {{.parameters = {Type::opaque("Decision")},
                           .result = Type::boolean(),
                           .is_member = true,
                           .function = allowed}}}},
          .variables = {{"authorizer", Type::opaque("Authorizer")}}};
}

Environment conditions() {
  const auto kind =
      Type::object("Kind", {{"group", Type::string()}, {"version", Type::string()}, {"kind", Type::string()}});
  const auto resource =
      Type::object("Resource", {{"group", Type::string()}, {"version", Type::string()}, {"resource", Type::string()}});
  const auto user = Type::object("UserInfo", {{"username", Type::string()}, {"groups", Type::list(Type::string())}});
  const auto request = Type::object("AdmissionRequest", {{"kind", kind},
                                                         {"resource", resource},
                                                         {"operation", Type::string()},
                                                         {"name", Type::string()},
                                                         {"namespace", Type::string()},
                                                         {"userInfo", user},
                                                         {"dryRun", Type::boolean()},
                                                         {"options", Type::dyn()}});
  const auto metadata = Type::object("NamespaceMetadata", {{"name", Type::string()}});
  return make_environment({.variables = {{"object", Type::dyn()},
                                         {"oldObject", Type::dyn()},
                                         {"request", request},
                                         {"namespaceObject", Type::object("Namespace", {{"metadata", metadata}})}},
                           .libraries = {authorizer_library()}});
}

// Evaluates a condition for the creation of a ConfigMap.
std::string run_condition(std::string_view text) {
  const auto object =
      *json::parse(R"({"kind":"ConfigMap","metadata":{"name":"x1","labels":{"all":"1"}},"data":{"k":"1"}})");
  const auto request = *json::parse(R"({"kind":{"group":"","version":"v1","kind":"ConfigMap"},
      "resource":{"group":"","version":"v1","resource":"configmaps"},"operation":"CREATE","name":"probe",
      "namespace":"wh-cond","userInfo":{"username":"admin","groups":["system:masters"]},"dryRun":true,
      "options":{"kind":"CreateOptions"}})");
  return run(conditions(), text,
             {{"object", Value::from_json(object)},
              {"oldObject", Value::null()},
              {"request", Value::from_json(request)},
              {"authorizer", Value::opaque(std::make_shared<Authorizer>("Authorizer", ""))}});
}

TEST(MatchConditions, EvaluateTheRecordedExpressions) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"object != null && object.metadata.name.startsWith('x')", "true"},
      {"request.operation == 'UPDATE'", "false"},
      {"oldObject.data.k != object.data.k", "error: no such key: data"},
      {"request.userInfo.username == 'nobody' || !('system:masters' in request.userInfo.groups)", "false"},
      {"request.dryRun && has(request.options) && request.name == 'probe'", "true"},
      {"!authorizer.group('').resource('configmaps').namespace(request.namespace).check('create').allowed()", "false"},
      {"request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.resource.version == "
       "'v1' && request.namespace == 'wh-cond' && object.metadata.?labels['all'].orValue('') == '1'",
       "true"},
      {"object.data.must == 'x'", "error: no such key: must"},
      {"object.metadata.name == 'never'", "false"},
  };

  for (const auto& [text, expected] : table) EXPECT_EQ(run_condition(text), expected) << text;
}

TEST(MatchConditions, ChargeTheCostOfHostFunctions) {
  const auto program = compile(conditions(), "authorizer.group('').resource('pods').check('get').allowed()");
  ASSERT_TRUE(program) << program.error().message;
  const Activation activation = {{"authorizer", Value::opaque(std::make_shared<Authorizer>("Authorizer", ""))}};

  const auto evaluation = program->evaluate(activation);
  const auto limited = program->evaluate(activation, {.max_cost = 300'000});

  EXPECT_EQ(describe(evaluation.value), "false");
  EXPECT_EQ(evaluation.cost, 350'004U);
  ASSERT_FALSE(limited.value);
  EXPECT_EQ(limited.value.error().reason, cost_exceeded);
}

// Returns the complaint of the API server about a condition, or "".
std::string complaint_about(std::string_view text) {
  const auto program = compile(conditions(), text);
  if (!program) return "compilation failed: " + program.error().message;
  const std::array types = {Type::boolean()};
  const auto required = require_result_type(*program, types);
  return required ? "" : required.error().message;
}

bool fits_pattern(std::string_view text, std::string_view pattern) {
  const auto wildcard = pattern.find("<*>");
  if (wildcard == std::string_view::npos) return text == pattern;
  return text.starts_with(pattern.substr(0, wildcard)) && text.ends_with(pattern.substr(wildcard + 3));
}

// The recorded configurations have one webhook; the cause of its first condition is the message to compare.
TEST(MatchConditions, AreRejectedWithTheRecordedMessages) {
  const auto scenario = read_scenario("webhook-conditions");
  int compared = 0;
  for (const auto& step : scenario.at("steps").as_array()) {
    const auto* id = step.as_object().if_contains("id");
    if (id == nullptr || !id->as_string().starts_with("bad-") || id->as_string().ends_with("name")) continue;
    const auto& condition = step.at("body").at("webhooks").at(0).at("matchConditions").at(0);
    const std::string text(condition.at("expression").as_string());
    if (text.empty()) continue;
    const auto& details = step.at("response").at("body").at("/details");
    const std::string recorded =
        details.is_null() ? "" : std::string(details.at("causes").at(0).at("message").as_string());

    const auto complaint = complaint_about(text);

    const auto message = complaint.empty() ? "" : "Invalid value: \"" + text + "\": " + complaint;
    EXPECT_TRUE(fits_pattern(message, recorded)) << message << "\nrecorded: " << recorded;
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace pintle::cel
