// SPDX-License-Identifier: Apache-2.0
// cel::Library: functions, types and variables that the embedder adds to the language.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/type.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

/// The code of a function. It is called with arguments that fit the parameters of the overload; for a member function,
/// the first argument is the receiver. An error ends the evaluation with its message, unless &&, ||, all() or exists()
/// ignores it. Must be thread-safe and must not block.
using Function = std::function<Result<Value>(std::span<const Value> arguments)>;

/// The cost of one call in units, in addition to the cost of its arguments (see EvaluationOptions).
using FunctionCost = std::function<std::uint64_t(std::span<const Value> arguments, const Value& result)>;

/// One signature of a function.
struct Overload {
  std::vector<Type> parameters{};  ///< may contain type parameters, such as list(T)
  Type result{};
  bool is_member = false;  ///< true: called as `a.f(b)`; the receiver is the first parameter
  Function function{};
  FunctionCost cost{};  ///< default: 1 unit
};

/// A function by its name. A name with dots, such as "sets.contains", is called like a member of a namespace. The
/// overloads of all declarations of one name are combined; two of them must not accept the same arguments.
struct FunctionDeclaration {
  std::string name{};
  std::vector<Overload> overloads{};
};

/// A variable. Its value is in the Activation.
struct Variable {
  std::string name{};
  Type type{};
};

/// A set of declarations that belong together.
struct Library {
  std::vector<FunctionDeclaration> functions{};
  std::vector<Variable> variables{};
  /// Object and opaque types that expressions may name, as in `type(x) == net.IP`, and object types also in
  /// `Object{a: 1}`.
  std::vector<Type> types{};
};

}  // namespace pintle::cel
