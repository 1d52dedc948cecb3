// SPDX-License-Identifier: Apache-2.0
// CheckedAst: a tree with the types of its nodes and the declarations that they name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <re2/re2.h>

#include <pintle/cel/type.hpp>

#include "cel/syntax/ast.hpp"
#include "declarations.hpp"

namespace pintle::cel {

// The calls that the evaluator executes itself.
enum class Operation : std::uint8_t {
  call,
  conditional,
  logical_and,
  logical_or,
  not_strictly_false,
  equals,
  not_equals,
  in,
  index,
  optional_index,
  optional_select,
  optional_or,
  optional_or_value,
  map_insert,
  add,  // at least one overload adds lists
  matches,
};

enum class ReferenceKind : std::uint8_t { none, variable, local, type, function };

// The meaning of a name.
struct Reference {
  ReferenceKind kind = ReferenceKind::none;
  std::string name{};     // variable
  std::size_t slot = 0;   // local; variable: its place in CheckedAst::variables
  Type type{};            // type: the named type
  Overloads overloads{};  // function: those that may fit the arguments
  Operation operation = Operation::call;
  std::shared_ptr<const re2::RE2> pattern{};  // matches with a literal
};

// The slots of the variables of a fold are its first slot and the two behind it: accumulator, first and second
// variable.
struct CheckedAst {
  Ast tree{};
  std::vector<Type> types{};
  std::vector<Reference> references{};
  std::vector<std::size_t> fold_slots{};  // by node
  std::size_t slots = 0;                  // number of slots that an evaluation needs
  std::vector<std::string> variables{};   // those that the expression reads
};

}  // namespace pintle::cel
