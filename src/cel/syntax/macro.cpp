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

// The variables of a loop; the second one is "" if the macro has only one.
struct Variables {
  std::string first{};
  std::string second{};
};

std::optional<Variables> one_variable(TreeBuilder& tree, const MacroCall& call,
                                      std::string_view complaint = "argument must be a simple name") {
  auto name = variable_of(tree, call.arguments[0], complaint);
  return name ? std::optional(Variables{.first = *std::move(name)}) : std::nullopt;
}

std::optional<Variables> two_variables(TreeBuilder& tree, const MacroCall& call) {
  auto first = variable_of(tree, call.arguments[0], "argument must be a simple name");
  if (!first) return std::nullopt;
  auto second = variable_of(tree, call.arguments[1], "argument must be a simple name");
  if (!second) return std::nullopt;
  if (*first == *second) {
    tree.report(tree[call.arguments[1]].offset, "duplicate variable name: " + *first);
    return std::nullopt;
  }
  return Variables{.first = *std::move(first), .second = *std::move(second)};
}

Fold fold_over(NodeId range, Variables variables) {
  return {.variable = std::move(variables.first),
          .second = std::move(variables.second),
          .accumulator = accumulator,
          .range = range};
}

// all() ends at the first false, exists() at the first true; an error does not end them.
NodeId all_or_exists(TreeBuilder& tree, const MacroCall& call, std::optional<Variables> variables, bool is_all) {
  if (!variables) return no_node;
  auto open = accumulated(tree, call);
  if (!is_all) open = tree.call(call.offset, op::logical_not, {open});
  Fold fold = fold_over(call.target, *std::move(variables));
  fold.init = boolean(tree, call, is_all);
  fold.condition = tree.call(call.offset, op::not_strictly_false, {open});
  fold.step = tree.call(call.offset, is_all ? op::logical_and : op::logical_or,
                        {accumulated(tree, call), call.arguments.back()});
  fold.result = accumulated(tree, call);
  return tree.fold(call.offset, std::move(fold));
}

NodeId expand_all(TreeBuilder& tree, const MacroCall& call) {
  return all_or_exists(tree, call, one_variable(tree, call), true);
}
NodeId expand_all_pairs(TreeBuilder& tree, const MacroCall& call) {
  return all_or_exists(tree, call, two_variables(tree, call), true);
}
NodeId expand_exists(TreeBuilder& tree, const MacroCall& call) {
  return all_or_exists(tree, call, one_variable(tree, call), false);
}
NodeId expand_exists_pair(TreeBuilder& tree, const MacroCall& call) {
  return all_or_exists(tree, call, two_variables(tree, call), false);
}

NodeId exists_one(TreeBuilder& tree, const MacroCall& call, std::optional<Variables> variables) {
  if (!variables) return no_node;
  const auto one = [&] { return tree.constant(call.offset, Value::integer(1)); };
  Fold fold = fold_over(call.target, *std::move(variables));
  fold.init = tree.constant(call.offset, Value::integer(0));
  fold.condition = boolean(tree, call, true);
  const auto next = tree.call(call.offset, op::add, {accumulated(tree, call), one()});
  fold.step = step_if(tree, call, call.arguments.back(), next);
  fold.result = tree.call(call.offset, op::equals, {accumulated(tree, call), one()});
  return tree.fold(call.offset, std::move(fold));
}

NodeId expand_exists_one(TreeBuilder& tree, const MacroCall& call) {
  return exists_one(tree, call, one_variable(tree, call));
}
NodeId expand_exists_one_pair(TreeBuilder& tree, const MacroCall& call) {
  return exists_one(tree, call, two_variables(tree, call));
}

// Starts with an empty list or map; `step` adds to it where the condition holds.
NodeId collect(TreeBuilder& tree, const MacroCall& call, Variables variables, NodeId init, NodeId condition,
               NodeId step) {
  Fold fold = fold_over(call.target, std::move(variables));
  fold.init = init;
  fold.condition = boolean(tree, call, true);
  fold.step = condition == no_node ? step : step_if(tree, call, condition, step);
  fold.result = accumulated(tree, call);
  return tree.fold(call.offset, std::move(fold));
}

// map(x, f), map(x, p, f), filter(x, p), transformList(i, x, f) and transformList(i, x, p, f): f is the element that is
// added where the condition p holds.
NodeId fold_to_list(TreeBuilder& tree, const MacroCall& call, std::optional<Variables> variables, NodeId condition,
                    NodeId element) {
  if (!variables) return no_node;
  const auto init = tree.list(call.offset, {});
  return collect(tree, call, *std::move(variables), init, condition, append(tree, call, element));
}

constexpr std::string_view no_identifier = "argument is not an identifier";

NodeId expand_map(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, one_variable(tree, call, no_identifier), no_node, call.arguments[1]);
}
NodeId expand_map_where(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, one_variable(tree, call, no_identifier), call.arguments[1], call.arguments[2]);
}
NodeId expand_filter(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, one_variable(tree, call, no_identifier), call.arguments[1], call.arguments[0]);
}
NodeId expand_transform_list(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, two_variables(tree, call), no_node, call.arguments[2]);
}
NodeId expand_transform_list_where(TreeBuilder& tree, const MacroCall& call) {
  return fold_to_list(tree, call, two_variables(tree, call), call.arguments[2], call.arguments[3]);
}

// transformMap() adds the value of its last argument by the key of the element, transformMapEntry() the entries of it.
NodeId fold_to_map(TreeBuilder& tree, const MacroCall& call, bool has_key) {
  auto variables = two_variables(tree, call);
  if (!variables) return no_node;
  std::vector<NodeId> arguments = {accumulated(tree, call)};
  if (has_key) arguments.push_back(tree.identifier(call.offset, variables->first));
  arguments.push_back(call.arguments.back());
  const auto condition = call.arguments.size() == 4 ? call.arguments[2] : no_node;
  const auto step = tree.call(call.offset, op::map_insert, std::move(arguments));
  const auto init = tree.add({.kind = NodeKind::map, .offset = call.offset});
  return collect(tree, call, *std::move(variables), init, condition, step);
}

NodeId expand_transform_map(TreeBuilder& tree, const MacroCall& call) { return fold_to_map(tree, call, true); }
NodeId expand_transform_map_entry(TreeBuilder& tree, const MacroCall& call) { return fold_to_map(tree, call, false); }

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

// list.sortBy(x, key): sorts the list by the list of its keys.
NodeId expand_sort_by(TreeBuilder& tree, const MacroCall& call) {
  constexpr const char* input = "@__sortBy_input__";
  auto variables = one_variable(tree, call, no_identifier);
  if (!variables) return no_node;
  MacroCall map = call;
  map.target = tree.identifier(call.offset, input);
  const auto keys = fold_to_list(tree, map, std::move(variables), no_node, call.arguments[1]);
  const auto sorted =
      tree.member_call(call.offset, "@sortByAssociatedKeys", tree.identifier(call.offset, input), {keys});
  return bind(tree, call, input, call.target, sorted);
}

Macro member_macro(const char* name, std::size_t arguments, ExpandMacro expand) {
  return {.name = name, .arguments = arguments, .is_member = true, .expand = expand};
}

}  // namespace

std::vector<Macro> standard_macros() {
  return {
      {.name = "has", .arguments = 1, .is_member = false, .expand = expand_has},
      member_macro("all", 2, expand_all),
      member_macro("all", 3, expand_all_pairs),
      member_macro("exists", 2, expand_exists),
      member_macro("exists", 3, expand_exists_pair),
      member_macro("exists_one", 2, expand_exists_one),
      member_macro("exists_one", 3, expand_exists_one_pair),
      member_macro("existsOne", 2, expand_exists_one),
      member_macro("existsOne", 3, expand_exists_one_pair),
      member_macro("map", 2, expand_map),
      member_macro("map", 3, expand_map_where),
      member_macro("filter", 2, expand_filter),
      member_macro("transformList", 3, expand_transform_list),
      member_macro("transformList", 4, expand_transform_list_where),
      member_macro("transformMap", 3, expand_transform_map),
      member_macro("transformMap", 4, expand_transform_map),
      member_macro("transformMapEntry", 3, expand_transform_map_entry),
      member_macro("transformMapEntry", 4, expand_transform_map_entry),
      member_macro("sortBy", 2, expand_sort_by),
      member_macro("optMap", 2, expand_opt_map),
      member_macro("optFlatMap", 2, expand_opt_flat_map),
  };
}

}  // namespace pintle::cel
