// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "test_support.hpp"

namespace pintle::cel {
namespace {

TEST(Program, ReturnsTheTypeOfItsResult) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"1 < 2", "bool"},
      {"'a'", "string"},
      {"[1]", "list(int)"},
      {"{'a': 1u}", "map(string, uint)"},
      {"null", "null_type"},
      {"[]", "list(dyn)"},
      {"dyn(1)", "dyn"},
      {"optional.of(1)", "optional_type(int)"},
      {"type(1)", "type(int)"},
      {"b'a'", "bytes"},
      {"duration('1s')", "google.protobuf.Duration"},
      {"[1].map(x, [x])", "list(list(int))"},
  };

  for (const auto& [text, expected] : table) {
    const auto program = compile(make_environment(), text);
    ASSERT_TRUE(program) << text << program.error().message;
    EXPECT_EQ(program->result_type().to_string(), expected) << text;
  }
}

TEST(Program, EvaluatesARuleAboutAnObject) {
  const auto object = *json::Document::parse(R"({"spec":{"replicas":12}})");

  // [rule]
  const auto environment = cel::Environment::create({.variables = {{"self", cel::Type::dyn()}}});
  const auto program = cel::compile(*environment, "self.spec.replicas <= 10");
  const auto evaluation = program->evaluate({{"self", cel::Value::from_json(object.root())}});
  const bool is_violated = evaluation.value && evaluation.value->as_bool() == false;
  // [/rule]

  EXPECT_TRUE(is_violated);
}

TEST(Program, StatesTheRequiredTypesOfItsResult) {
  const auto program = *compile(make_environment(), "1");
  const std::array one = {Type::boolean()};
  const std::array two = {Type::string(), Type::null()};
  const std::array same = {Type::string(), Type::integer()};

  EXPECT_EQ(require_result_type(program, one).error().message, "must evaluate to bool but got int");
  EXPECT_EQ(require_result_type(program, two).error().message,
            "must evaluate to one of [string null_type] but got int");
  EXPECT_TRUE(require_result_type(program, same));
}

TEST(Program, ReportsAllIssuesInTheOrderOfTheText) {
  const auto undeclared = compile(make_environment(), "foo\n\t+ '\u00e4' + bar");

  ASSERT_FALSE(undeclared);
  EXPECT_EQ(undeclared.error().code, ErrorCode::invalid);
  EXPECT_EQ(undeclared.error().message,
            "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^\n"
            "ERROR: <input>:2:10: undeclared reference to 'bar' (in container '')\n |  + '\u00e4' + bar\n | "
            "....\uff0e....^");
  ASSERT_EQ(undeclared.error().causes.size(), 2U);
  EXPECT_EQ(undeclared.error().causes[1].field, "2:10");
}

TEST(Program, ReadsJsonWithoutACopy) {
  const auto json = *json::parse(R"({"text":"a long text that no small buffer holds"})");
  const auto program = *compile(make_environment({.variables = {{"object", Type::dyn()}}}), "object.text");

  const auto evaluation = program.evaluate({{"object", Value::from_json(json)}});

  ASSERT_TRUE(evaluation.value);
  EXPECT_EQ(static_cast<const void*>(evaluation.value->as_string()->data()),
            static_cast<const void*>(json.at("text").as_string().data()));
}

TEST(Program, ListsTheVariablesThatItUses) {
  const auto environment =
      make_environment({.variables = {{"a", Type::dyn()}, {"b", Type::dyn()}, {"c.d", Type::dyn()}}});
  const auto program = *compile(environment, "[1].all(b, b == 1) && a.b == c.d");

  EXPECT_TRUE(program.uses("a"));
  EXPECT_FALSE(program.uses("b"));
  EXPECT_TRUE(program.uses("c.d"));
}

TEST(Program, OutlivesItsEnvironment) {
  const auto program = [] {
    const auto function = [](std::span<const Value>) -> Result<Value> { return Value::integer(7); };
    const Library library{.functions = {{"seven", {{.result = Type::integer(), .function = function}}}}};
    return *compile(make_environment({.libraries = {library}}), "seven()");
  }();

  EXPECT_EQ(describe(program.evaluate({}).value), "7");
}

TEST(Environment, RejectsContradictingDeclarations) {
  const auto twice = Environment::create({.variables = {{"a", Type::string()}, {"a", Type::integer()}}});
  const auto nameless = Environment::create({.libraries = {{.functions = {{.name = ""}}}}});
  const auto same = Environment::create({.variables = {{"a", Type::string()}, {"a", Type::string()}}});

  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "variable a is declared with the types string and int");
  EXPECT_FALSE(nameless);
  EXPECT_TRUE(same);
}

TEST(Environment, IsNotChangedByItsExtension) {
  const auto environment = make_environment({.variables = {{"a", Type::string()}}});
  const auto extended = *environment.extend({.variables = {{"b", Type::string()}}});

  EXPECT_EQ(issues_of(environment, "a + b"), "undeclared reference to 'b' (in container '')");
  EXPECT_EQ(issues_of(extended, "a + b"), "");
}

}  // namespace
}  // namespace pintle::cel
