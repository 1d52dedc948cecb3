// SPDX-License-Identifier: Apache-2.0
// TreeBuilder: makes the nodes of a tree, within the limits of their number and depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pintle/cel/environment.hpp>

#include "ast.hpp"
#include "issues.hpp"

namespace pintle::cel {

class TreeBuilder {
 public:
  TreeBuilder(const CompileLimits& limits, Issues& issues) noexcept : limits_(limits), issues_(issues) {}

  NodeId constant(std::size_t offset, Value value);
  NodeId identifier(std::size_t offset, std::string name);
  NodeId select(std::size_t offset, NodeId operand, std::string field, bool is_test = false);
  NodeId call(std::size_t offset, std::string function, std::vector<NodeId> arguments);
  NodeId member_call(std::size_t offset, std::string function, NodeId target, std::vector<NodeId> arguments);
  NodeId list(std::size_t offset, std::vector<NodeId> elements, std::vector<bool> optional = {});
  NodeId fold(std::size_t offset, Fold fold);
  NodeId add(Node node);

  [[nodiscard]] const Node& operator[](NodeId id) const { return ast_[id]; }
  void set_append(NodeId call) { ast_[call].is_append = true; }
  void report(std::size_t offset, std::string message) { issues_.add(offset, std::move(message)); }
  // True after a limit was exceeded; the parser must then stop.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }

  [[nodiscard]] Ast finish(NodeId root);

 private:
  [[nodiscard]] std::size_t depth_of(const Node& node) const;

  const CompileLimits& limits_;
  Issues& issues_;
  Ast ast_{};
  std::vector<std::uint32_t> depths_{};
  bool is_full_ = false;
};

}  // namespace pintle::cel
