// SPDX-License-Identifier: Apache-2.0
// Ast: the tree of an expression, with its macros expanded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <pintle/cel/value.hpp>

namespace pintle::cel {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

enum class NodeKind : std::uint8_t { constant, identifier, select, call, list, map, object, fold };

// A loop over a range: all macros of lists and maps become one. The accumulator starts with `init`. For each element,
// while `condition` holds, `step` is the next accumulator. `result` is then the value of the fold.
struct Fold {
  std::string variable{};
  std::string second{};  // the name of the variable of the values, or ""
  std::string accumulator{};
  NodeId range = no_node;
  NodeId init = no_node;
  NodeId condition = no_node;
  NodeId step = no_node;
  NodeId result = no_node;
};

// An object literal has one name for each part.
struct Node {
  NodeKind kind = NodeKind::constant;
  bool is_test = false;      // select: has(a.b); the value states whether the field exists
  bool is_append = false;    // call of + with the accumulator of a fold, and a list with new elements
  bool is_constant = false;  // kube-apiserver computes the value in advance, so that it costs nothing
  std::size_t offset = 0;    // of the token that issues name: the operator, the bracket, or the name
  std::string name{};        // identifier, function, field of a select, type of an object
  Value constant{};
  NodeId target = no_node;      // the operand of a select, the receiver of a member call
  std::vector<NodeId> parts{};  // arguments, elements, values of fields; of a map, keys and values in turn
  std::vector<std::string> names{};
  std::vector<bool> optional{};  // whether an element, an entry or a field is optional; empty: none is
  std::unique_ptr<Fold> fold{};
};

struct Ast {
  std::vector<Node> nodes{};
  NodeId root = no_node;

  [[nodiscard]] Node& operator[](NodeId id) { return nodes[id]; }
  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id]; }
};

// The names of operators, which are functions in declarations and issues.
namespace op {
inline constexpr const char* conditional = "_?_:_";
inline constexpr const char* logical_and = "_&&_";
inline constexpr const char* logical_or = "_||_";
inline constexpr const char* logical_not = "!_";
inline constexpr const char* negate = "-_";
inline constexpr const char* add = "_+_";
inline constexpr const char* equals = "_==_";
inline constexpr const char* not_equals = "_!=_";
inline constexpr const char* in = "@in";
inline constexpr const char* index = "_[_]";
inline constexpr const char* optional_index = "_[?_]";
inline constexpr const char* optional_select = "_?._";
inline constexpr const char* not_strictly_false = "@not_strictly_false";
inline constexpr const char* map_insert = "cel.@mapInsert";  // called with the accumulator of a fold
}  // namespace op

}  // namespace pintle::cel
