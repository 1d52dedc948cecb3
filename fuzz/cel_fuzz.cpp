// SPDX-License-Identifier: Apache-2.0
// The first line is JSON, the value of `x`; the rest is an expression. A compiled expression always ends, and its
// result has the type that the checker found. The estimate of its cost ends too. Printed issues and results do not
// depend on the order of runs.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <pintle/cel/cost.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace {

using pintle::cel::Type;

// null may take the place of a value of the other types.
bool is_exact(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::boolean:
    case Type::Kind::integer:
    case Type::Kind::unsigned_integer:
    case Type::Kind::number:
    case Type::Kind::string:
    case Type::Kind::bytes:
    case Type::Kind::list:
    case Type::Kind::map: return true;
    default: return false;
  }
}

std::string describe(const pintle::cel::Evaluation& evaluation) {
  if (!evaluation.value) return evaluation.value.error().message;
  const auto json = evaluation.value->to_json();
  return json ? pintle::json::print(*json) : json.error().message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cel = pintle::cel;
  static const auto environment = cel::Environment::create({.variables = {{"x", Type::dyn()}}});
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = text.find('\n');
  const auto document = pintle::json::Document::parse(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);

  const auto program = cel::compile(*environment, text);
  if (!program) {
    const auto again = cel::compile(*environment, text);
    if (again || again.error().message != program.error().message) std::abort();
    if (program.error().causes.empty() && program.error().reason != cel::instantiation_failed) std::abort();
    return 0;
  }
  (void)cel::estimate_cost(*program);
  if (!document) return 0;
  const cel::Activation activation = {{"x", cel::Value::from_json(document->root())}};
  constexpr std::uint64_t max_cost = 3'000;
  const auto evaluation = program->evaluate(activation, {.max_cost = max_cost});
  if (describe(evaluation) != describe(program->evaluate(activation, {.max_cost = max_cost}))) std::abort();
  if (evaluation.value && evaluation.cost > max_cost) std::abort();
  const auto expected = program->result_type().kind();
  if (evaluation.value && is_exact(expected) && evaluation.value->kind() != expected) std::abort();

  const auto copied = document->root().to_value();
  const auto other = program->evaluate({{"x", cel::Value::from_json(copied)}}, {.max_cost = max_cost});
  if (other.value.has_value() != evaluation.value.has_value()) std::abort();
  return 0;
}
