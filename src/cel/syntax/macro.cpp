// SPDX-License-Identifier: Apache-2.0
#include "macro.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast.hpp"
#include "tree_builder.hpp"

namespace pintle::cel {
namespace {

// An expression cannot contain this name, so a variable cannot hide it.
constexpr const char* accumulator = "@result";

// Returns the name that a macro declares, from its first argument.
std::optional<std::string> variable_of(TreeBuilder& tree, NodeId argument, std::string_view complaint) {
  const Node& node = tree[argument];
  if (node.kind != NodeKind::identifier || node.name.starts_with('.')) {
    tree.report(node.offset, std::string(complaint));
    return std::nullopt;
  }
  if (node.name == "__result__") {
    tree.report(node.offset, "iteration variable overwrites accumulator variable");
    return std::nullopt;
  }
  return node.name;
}

NodeId accumulated(TreeBuilder& tree, const MacroCall& call) { return tree.identifier(call.offset, accumulator); }

NodeId boolean(TreeBuilder& tree, const MacroCall& call, bool value) {
  return tree.constant(call.offset, Value::boolean(value));
}

// Evaluates `condition ? then : accumulator`.
NodeId step_if(TreeBuilder& tree, const MacroCall& call, NodeId condition, NodeId then) {
  return tree.call(call.offset, op::conditional, {condition, then, accumulated(tree, call)});
}

NodeId append(TreeBuilder& tree, const MacroCall& call, NodeId element) {
  const auto added = tree.list(call.offset, {element});
  const auto sum = tree.call(call.offset, op::add, {accumulated(tree, call), added});
  tree.set_append(sum);
  return sum;
}

NodeId expand_has(TreeBuilder& tree, const MacroCall& call) {
  const Node& field = tree[call.arguments[0]];
  if (field.kind != NodeKind::select || field.is_test) {
    tree.report(field.offset, "invalid argument to has() macro");
    return no_node;
  }
  return tree.select(call.offset, field.target, field.name, true);
}

// all() ends at the first false, exists() at the first true; an error does not end them.
NodeId expand_all_or_exists(TreeBuilder& tree, const MacroCall& call, bool is_all) {
  auto variable = variable_of(tree, call.arguments[0], "argument must be a simple name");
  if (!variable) return no_node;
  auto open = accumulated(tree, call);
  if (!is_all) open = tree.call(call.offset, op::logical_not, {open});
  Fold fold{.variable = *std::move(variable), .accumulator = accumulator, .range = call.target};
  fold.init = boolean(tree, call, is_all);
  fold.condition = tree.call(call.offset, op::not_strictly_false, {open});
  fold.step =
      tree.call(call.offset, is_all ? op::logical_and : op::logical_or, {accumulated(tree, call), call.arguments[1]});
  fold.result = accumulated(tree, call);
  return tree.fold(call.offset, std::move(fold));
}

NodeId expand_all(TreeBuilder& tree, const MacroCall& call) { return expand_all_or_exists(tree, call, true); }
NodeId expand_exists(TreeBuilder& tree, const MacroCall& call) { return expand_all_or_exists(tree, call, false); }

NodeId expand_exists_one(TreeBuilder& tree, const MacroCall& call) {
  auto variable = variable_of(tree, call.arguments[0], "argument must be a simple name");
  if (!variable) return no_node;
  const auto one = [&] { return tree.constant(call.offset, Value::integer(1)); };
  Fold fold{.variable = *std::move(variable), .accumulator = accumulator, .range = call.target};
  fold.init = tree.constant(call.offset, Value::integer(0));
  fold.condition = boolean(tree, call, true);
  const auto next = tree.call(call.offset, op::add, {accumulated(tree, call), one()});
  fold.step = step_if(tree, call, call.arguments[1], next);
  fold.result = tree.call(call.offset, op::equals, {accumulated(tree, call), one()});
  return tree.fold(call.offset, std::move(fold));
}

// map(x, f), map(x, p, f) and filter(x, p): f is the element that is added where the condition p holds.
NodeId fold_to_list(TreeBuilder& tree, const MacroCall& call, NodeId condition, NodeId element) {
  auto variable = variable_of(tree, call.arguments[0], "argument is not an identifier");
  if (!variable) return no_node;
  Fold fold{.variable = *std::move(variable), .accumulator = accumulator, .range = call.target};
  fold.init = tree.list(call.offset, {});
  fold.condition = boolean(tree, call, true);
  fold.step = append(tree, call, element);
  if (condition != no_node) fold.step = step_if(tree, call, condition, fold.step);
  fold.result = accumulated(tree, call);
  return tree.fold(call.offset, std::move(fold));
}

NodeId expand_map(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, no_node, call.arguments[1]);
}
NodeId expand_map_where(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, call.arguments[1], call.arguments[2]);
}
NodeId expand_filter(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, call.arguments[1], call.arguments[0]);
}

// A fold over nothing, whose accumulator is the variable: it gives a value a name.
NodeId bind(TreeBuilder& tree, const MacroCall& call, std::string variable, NodeId value, NodeId result) {
  Fold fold{.variable = "#unused", .accumulator = variable};
  fold.range = tree.list(call.offset, {});
  fold.init = value;
  fold.condition = boolean(tree, call, false);
  fold.step = tree.identifier(call.offset, std::move(variable));
  fold.result = result;
  return tree.fold(call.offset, std::move(fold));
}

NodeId expand_optional(TreeBuilder& tree, const MacroCall& call, std::string_view name, bool is_flat) {
  auto variable =
      variable_of(tree, call.arguments[0], std::string(name) + "() variable name must be a simple identifier");
  if (!variable) return no_node;
  const auto member = [&](const char* function) { return tree.member_call(call.offset, function, call.target, {}); };
  const auto in_namespace = [&](const char* function, std::vector<NodeId> arguments) {
    return tree.member_call(call.offset, function, tree.identifier(call.offset, "optional"), std::move(arguments));
  };
  auto result = bind(tree, call, *std::move(variable), member("value"), call.arguments[1]);
  if (!is_flat) result = in_namespace("of", {result});
  return tree.call(call.offset, op::conditional, {member("hasValue"), result, in_namespace("none", {})});
}

NodeId expand_opt_map(TreeBuilder& tree, const MacroCall& call) { return expand_optional(tree, call, "optMap", false); }
NodeId expand_opt_flat_map(TreeBuilder& tree, const MacroCall& call) {
  return expand_optional(tree, call, "optFlatMap", true);
}

}  // namespace

std::vector<Macro> standard_macros() {
  return {
      {.name = "has", .arguments = 1, .is_member = false, .expand = expand_has},
      {.name = "all", .arguments = 2, .is_member = true, .expand = expand_all},
      {.name = "exists", .arguments = 2, .is_member = true, .expand = expand_exists},
      {.name = "exists_one", .arguments = 2, .is_member = true, .expand = expand_exists_one},
      {.name = "existsOne", .arguments = 2, .is_member = true, .expand = expand_exists_one},
      {.name = "map", .arguments = 2, .is_member = true, .expand = expand_map},
      {.name = "map", .arguments = 3, .is_member = true, .expand = expand_map_where},
      {.name = "filter", .arguments = 2, .is_member = true, .expand = expand_filter},
      {.name = "optMap", .arguments = 2, .is_member = true, .expand = expand_opt_map},
      {.name = "optFlatMap", .arguments = 2, .is_member = true, .expand = expand_opt_flat_map},
  };
}

}  // namespace pintle::cel
