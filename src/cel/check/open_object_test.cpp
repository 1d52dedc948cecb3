// SPDX-License-Identifier: Apache-2.0
// Open object types: `Object{spec: Object.spec{…}}`.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/cel/program.hpp>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

Environment with_open_object() { return make_environment({.libraries = {{.types = {Type::open_object("Object")}}}}); }

TEST(OpenObject, TakesFieldsOfAnyNameAndType) {
  EXPECT_EQ(run(with_open_object(), "Object{spec: Object.spec{replicas: 1, names: ['a']}, other: {'k': 'v'}}"),
            R"({"spec":{"replicas":1,"names":["a"]},"other":{"k":"v"}})");
  EXPECT_EQ(run(with_open_object(), "Object{}"), "{}");
  EXPECT_EQ(run(with_open_object(), "Object{?a: optional.none(), ?b: optional.of(1)}"), R"({"b":1})");
}

TEST(OpenObject, HasTheTypeOfItsName) {
  const auto program = compile(with_open_object(), "Object.spec.template{a: 1}");

  ASSERT_TRUE(program);
  EXPECT_EQ(program->result_type().to_string(), "Object.spec.template");
  EXPECT_EQ(program->evaluate({}).value->as_map()->type().name(), "Object.spec.template");
  EXPECT_EQ(run(with_open_object(), "Object{a: 1}.a + 1"), "2");
  EXPECT_EQ(issues_of(with_open_object(), "[Object{}, Object.spec{}]"),
            "expected type 'Object' but found 'Object.spec'");
}

TEST(OpenObject, IsDeclaredOnlyByTheEmbedder) {
  EXPECT_EQ(issues_of(make_environment(), "Object.spec{a: 1}"),
            "undeclared reference to 'Object.spec' (in container '')");
  EXPECT_EQ(issues_of(with_open_object(), "Objects.spec{}"),
            "undeclared reference to 'Objects.spec' (in container '')");
  const auto closed = make_environment({.libraries = {{.types = {Type::object("A", {{"b", Type::integer()}})}}}});
  EXPECT_EQ(issues_of(closed, "A.b{}"), "undeclared reference to 'A.b' (in container '')");
  EXPECT_EQ(issues_of(closed, "A{c: 1}"), "undefined field 'c'");
}

}  // namespace
}  // namespace pintle::cel
