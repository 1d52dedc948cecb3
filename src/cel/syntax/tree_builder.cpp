// SPDX-License-Identifier: Apache-2.0
#include "tree_builder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pintle::cel {

NodeId TreeBuilder::constant(std::size_t offset, Value value) {
  Node node{.kind = NodeKind::constant, .offset = offset};
  node.constant = std::move(value);
  return add(std::move(node));
}

NodeId TreeBuilder::identifier(std::size_t offset, std::string name) {
  return add({.kind = NodeKind::identifier, .offset = offset, .name = std::move(name)});
}

NodeId TreeBuilder::select(std::size_t offset, NodeId operand, std::string field, bool is_test) {
  Node node{.kind = NodeKind::select, .is_test = is_test, .offset = offset, .name = std::move(field)};
  node.target = operand;
  return add(std::move(node));
}

NodeId TreeBuilder::call(std::size_t offset, std::string function, std::vector<NodeId> arguments) {
  return member_call(offset, std::move(function), no_node, std::move(arguments));
}

NodeId TreeBuilder::member_call(std::size_t offset, std::string function, NodeId target,
                                std::vector<NodeId> arguments) {
  Node node{.kind = NodeKind::call, .offset = offset, .name = std::move(function)};
  node.target = target;
  node.parts = std::move(arguments);
  return add(std::move(node));
}

NodeId TreeBuilder::list(std::size_t offset, std::vector<NodeId> elements, std::vector<bool> optional) {
  Node node{.kind = NodeKind::list, .offset = offset};
  node.parts = std::move(elements);
  node.optional = std::move(optional);
  return add(std::move(node));
}

NodeId TreeBuilder::fold(std::size_t offset, Fold fold) {
  Node node{.kind = NodeKind::fold, .offset = offset};
  node.fold = std::make_unique<Fold>(std::move(fold));
  return add(std::move(node));
}

NodeId TreeBuilder::add(Node node) {
  const auto depth = depth_of(node);
  if (!is_full_ && depth > limits_.max_depth) {
    is_full_ = true;
    report(0, fmt::format("expression recursion limit exceeded: {}", limits_.max_depth));
  }
  if (!is_full_ && ast_.nodes.size() >= limits_.max_nodes) {
    is_full_ = true;
    report(0, fmt::format("expression node limit exceeded: {}", limits_.max_nodes));
  }
  ast_.nodes.push_back(std::move(node));
  depths_.push_back(static_cast<std::uint32_t>(depth));
  return static_cast<NodeId>(ast_.nodes.size() - 1);
}

std::size_t TreeBuilder::depth_of(const Node& node) const {
  std::uint32_t depth = 0;
  const auto below = [&](NodeId id) {
    if (id != no_node) depth = std::max(depth, depths_[id]);
  };
  below(node.target);
  std::ranges::for_each(node.parts, below);
  if (node.fold) {
    for (const auto id :
         {node.fold->range, node.fold->init, node.fold->condition, node.fold->step, node.fold->result}) {
      below(id);
    }
  }
  return depth + 1;
}

Ast TreeBuilder::finish(NodeId root) {
  ast_.root = root;
  return std::move(ast_);
}

}  // namespace pintle::cel
