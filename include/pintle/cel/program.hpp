// SPDX-License-Identifier: Apache-2.0
// cel::compile() and cel::Program: compile an expression of the Common Expression Language once, and evaluate it often.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/environment.hpp>
#include <pintle/cel/type.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

/// The values of the variables, by name. A variable without a value is an error when an expression reads it.
using Activation = std::map<std::string, Value, std::less<>>;

/// The `reason` of the error of an evaluation that exceeded EvaluationOptions::max_cost.
inline constexpr std::string_view cost_exceeded = "CostExceeded";

/// The `reason` of the error of compile() if the expression has no issues, but kube-apiserver cannot create a program
/// from it: for example, a conversion of a constant fails (int('a')), or a pattern of find() is invalid.
inline constexpr std::string_view instantiation_failed = "InstantiationFailed";

struct EvaluationOptions {
  /// The evaluation ends with an error with the reason `cost_exceeded` when it costs more units than this. A unit is
  /// about one operation on a small value; operations on long strings and large lists cost more.
  std::uint64_t max_cost = 1'000'000;
};

/// The outcome of one evaluation.
struct Evaluation {
  Result<Value> value;     ///< error: the message is that of CEL, such as "no such key: a"
  std::uint64_t cost = 0;  ///< also counted if the evaluation failed
};

/// A compiled expression. Immutable and thread-safe; copies share the program. A program contains its own copy of the
/// declarations that it needs, so the environment may be destroyed.
class PINTLE_EXPORT Program {
 public:
  [[nodiscard]] const Type& result_type() const noexcept;
  [[nodiscard]] std::string_view text() const noexcept;
  /// Returns whether the expression reads this variable.
  [[nodiscard]] bool uses(std::string_view variable) const noexcept;

  /// Evaluates the expression. It always ends: max_cost bounds the time, and the size of strings and lists is bounded.
  /// The result may refer to values of the activation.
  [[nodiscard]] Evaluation evaluate(const Activation& activation, EvaluationOptions options = {}) const;

 private:
  friend class ProgramAccess;
  struct Parts;
  explicit Program(std::shared_ptr<const Parts> parts) noexcept : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

/// Compiles an expression. Error: invalid. Its message contains all issues in the form of Kubernetes:
///
///     ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')
///      | foo == 1
///      | ^
///
/// Error::causes has one cause for each issue: `message` without the position, and `field` with line and column
/// ("1:1"). An error with the reason `instantiation_failed` has no causes; its message is that of the failed
/// conversion.
[[nodiscard]] PINTLE_EXPORT Result<Program> compile(const Environment& environment, std::string_view text);

/// Checks that the result of a program has one of these types. Error: invalid, with the message of Kubernetes: "must
/// evaluate to bool but got string", or for several types "must evaluate to one of [string null_type] but got int".
[[nodiscard]] PINTLE_EXPORT Result<void> require_result_type(const Program& program, std::span<const Type> types);

}  // namespace pintle::cel
