// SPDX-License-Identifier: Apache-2.0
// cel::Environment: the declarations that expressions are compiled with.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/cel/function.hpp>

namespace pintle::cel {

class Declarations;

/// Limits of one expression. A text above a limit does not compile.
struct CompileLimits {
  std::size_t max_code_points = 100'000;  ///< length of the text
  std::size_t max_depth = 250;            ///< nesting of the text and of the tree
  std::size_t max_nodes = 200'000;        ///< after the expansion of macros
  std::size_t max_issues = 100;           ///< further issues are only counted
};

struct EnvironmentOptions {
  std::vector<Variable> variables{};
  std::vector<Library> libraries{};
  CompileLimits limits{};
};

/// Contains the standard library, optional values, the libraries and macros of Kubernetes 1.36 (docs/cel.md lists
/// them), and the declarations of the options. As in Kubernetes, the elements of a list literal must have one type, and
/// so must the keys and the values of a map literal. Literals of durations, timestamps and regular expressions are
/// checked when an expression is compiled. Numbers of different types can be compared. Immutable and thread-safe;
/// copies share the declarations.
class PINTLE_EXPORT Environment {
 public:
  /// Error: invalid, if a variable or type is declared twice with different types, or if a type or a function has no
  /// name.
  [[nodiscard]] static Result<Environment> create(EnvironmentOptions options);

  /// Returns an environment with further declarations; this one does not change.
  [[nodiscard]] Result<Environment> extend(EnvironmentOptions options) const;

 private:
  friend class EnvironmentAccess;
  explicit Environment(std::shared_ptr<const Declarations> declarations) noexcept
      : declarations_(std::move(declarations)) {}

  std::shared_ptr<const Declarations> declarations_;
};

}  // namespace pintle::cel
