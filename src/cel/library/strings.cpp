// SPDX-License-Identifier: Apache-2.0
// Functions of strings and sizes.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/value/text.hpp"
#include "cost.hpp"
#include "declare.hpp"
#include "libraries.hpp"
#include "pattern.hpp"

namespace pintle::cel {
namespace {

Result<Value> size(Arguments arguments) { return Value::integer(static_cast<std::int64_t>(size_of(arguments[0]))); }

Result<Value> contains(Arguments arguments) {
  return Value::boolean(find_part(*arguments[0].as_string(), *arguments[1].as_string()) != std::string_view::npos);
}
Result<Value> starts_with(Arguments arguments) {
  return Value::boolean(arguments[0].as_string()->starts_with(*arguments[1].as_string()));
}
Result<Value> ends_with(Arguments arguments) {
  return Value::boolean(arguments[0].as_string()->ends_with(*arguments[1].as_string()));
}

Result<Value> matches(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  const auto pattern = *arguments[1].as_string();
  const RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
  if (!regex.ok()) return failure(describe_pattern_error(regex));
  return Value::boolean(RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex));
}

std::uint64_t cost_of_receiver(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversal(size_of(arguments[0]));
}
std::uint64_t cost_of_search(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversal(size_of(arguments[0])) * cost_of_traversal(size_of(arguments[1]));
}
std::uint64_t cost_of_pattern(Arguments arguments, const Value& /*result*/) { return cost_of_match(arguments); }

}  // namespace

Library string_library() {
  const auto string = Type::string();
  const std::vector<Type> two = {string, string};
  FunctionDeclaration sizes{.name = "size"};
  for (const auto& type : {Type::bytes(), Type::list(Type::parameter("A")),
                           Type::map(Type::parameter("A"), Type::parameter("B")), string}) {
    sizes.overloads.push_back(global({type}, Type::integer(), size));
    sizes.overloads.push_back(member({type}, Type::integer(), size));
  }
  return {.functions = {sizes,
                        {"contains", {member(two, Type::boolean(), contains, cost_of_search)}},
                        {"startsWith", {member(two, Type::boolean(), starts_with, cost_of_receiver)}},
                        {"endsWith", {member(two, Type::boolean(), ends_with, cost_of_receiver)}},
                        {"matches",
                         {member(two, Type::boolean(), matches, cost_of_pattern),
                          global(two, Type::boolean(), matches, cost_of_pattern)}}}};
}

}  // namespace pintle::cel
