// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of CEL.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/file.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

namespace pintle::cel {

inline Environment make_environment(EnvironmentOptions options = {}) {
  return *Environment::create(std::move(options));
}

// Text of an outcome: JSON for a value, the name for a type, and "error: " with the message.
inline std::string describe(const Result<Value>& value) {
  if (!value) return "error: " + value.error().message;
  if (const auto* type = value->as_type()) return "type " + type->to_string();
  if (value->is_optional()) {
    return value->optional_value() == nullptr ? "none" : "some " + describe(*value->optional_value());
  }
  const auto json = value->to_json();
  return json ? json::print(*json) : value->type_of().to_string();
}

// Compiles and evaluates an expression.
inline std::string run(const Environment& environment, std::string_view text, const Activation& activation = {}) {
  const auto program = compile(environment, text);
  if (!program) return program.error().message;
  return describe(program->evaluate(activation).value);
}
inline std::string run(std::string_view text) { return run(make_environment(), text); }

// The messages of all issues, without their places, separated by "; ".
inline std::string issues_of(const Environment& environment, std::string_view text) {
  const auto program = compile(environment, text);
  if (program) return "";
  std::string out;
  for (const auto& cause : program.error().causes) out += (out.empty() ? "" : "; ") + cause.message;
  return out;
}

// A recorded scenario of a real API server.
inline json::Value read_scenario(std::string_view name) {
  const auto path = "tests/data/conformance/scenarios/" + std::string(name) + ".json";
  return *json::parse(*read_file(path));
}

}  // namespace pintle::cel
