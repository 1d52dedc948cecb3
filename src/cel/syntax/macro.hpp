// SPDX-License-Identifier: Apache-2.0
// Macro: a call that the parser replaces by another tree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tree_builder.hpp"

namespace pintle::cel {

struct MacroCall {
  std::size_t offset = 0;
  NodeId target = no_node;
  std::vector<NodeId> arguments{};
};

// Returns the replacement, or no_node after adding an issue.
using ExpandMacro = NodeId (*)(TreeBuilder& tree, const MacroCall& call);

struct Macro {
  std::string name{};
  std::size_t arguments = 0;
  bool is_member = false;
  ExpandMacro expand = nullptr;
};

// Those of the language, of loops with two variables, of lists (sortBy) and of optional values.
[[nodiscard]] std::vector<Macro> standard_macros();

}  // namespace pintle::cel
