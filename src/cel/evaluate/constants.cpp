// SPDX-License-Identifier: Apache-2.0
#include "constants.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include <pintle/base/error.hpp>
#include <pintle/cel/program.hpp>

#include "cel/library/pattern.hpp"
#include "evaluator.hpp"
#include "meter.hpp"

namespace pintle::cel {
namespace {

constexpr std::uint64_t most_cost_of_constant = 10'000'000;
constexpr std::array<std::string_view, 10> conversions = {"bool", "bytes",  "double",    "duration", "dyn",
                                                          "int",  "string", "timestamp", "type",     "uint"};

class ConstantFinder {
 public:
  explicit ConstantFinder(CheckedAst& checked) : checked_(checked), is_visited_(checked.tree.nodes.size()) {}

  Result<void> visit(NodeId id) {
    if (id == no_node || is_visited_[id]) return {};
    is_visited_[id] = true;
    std::vector<NodeId> below = checked_.tree[id].parts;
    below.insert(below.begin(), checked_.tree[id].target);
    if (const auto& fold = checked_.tree[id].fold) {
      below.insert(below.end(), {fold->range, fold->init, fold->condition, fold->step, fold->result});
    }
    for (const NodeId part : below) {
      if (auto visited = visit(part); !visited) return visited;
    }
    return check(id);
  }

 private:
  [[nodiscard]] bool is_constant(NodeId id) const {
    const Node& node = checked_.tree[id];
    return node.kind == NodeKind::constant || node.is_constant;
  }
  [[nodiscard]] bool has_constant_parts(const Node& node) const {
    return std::ranges::none_of(node.optional, [](bool is_optional) { return is_optional; }) &&
           std::ranges::all_of(node.parts, [&](NodeId part) { return is_constant(part); });
  }

  Result<void> check(NodeId id) {
    Node& node = checked_.tree[id];
    switch (node.kind) {
      case NodeKind::identifier:
      case NodeKind::select: node.is_constant = checked_.references[id].kind == ReferenceKind::type; return {};
      case NodeKind::list:
      case NodeKind::map: node.is_constant = has_constant_parts(node); return {};
      case NodeKind::call: return check_call(id, node);
      default: return {};
    }
  }

  Result<void> check_call(NodeId id, Node& node) {
    if (node.name == "find" || node.name == "findAll") return check_pattern(node);
    if (node.target != no_node || node.parts.size() != 1 || !is_constant(node.parts[0])) return {};
    if (std::ranges::find(conversions, node.name) == conversions.end()) return {};
    Meter meter(most_cost_of_constant);
    auto value = evaluate_part(checked_, id, meter);
    if (!value) return fail(failed(std::move(value.error().message)));
    node.is_constant = true;
    return {};
  }

  [[nodiscard]] Result<void> check_pattern(const Node& node) const {
    if (node.target == no_node || node.parts.empty()) return {};
    const Node& pattern = checked_.tree[node.parts[0]];
    const auto text = pattern.kind == NodeKind::constant ? pattern.constant.as_string() : std::nullopt;
    if (!text) return {};
    const RE2 regex(re2::StringPiece(text->data(), text->size()), RE2::Quiet);
    if (regex.ok()) return {};
    return fail(failed(describe_pattern_error(regex)));
  }

  static Error failed(std::string message) {
    auto error = make_error(ErrorCode::invalid, std::move(message));
    error.reason = instantiation_failed;
    return error;
  }

  CheckedAst& checked_;
  std::vector<bool> is_visited_;
};

}  // namespace

Result<void> find_constants(CheckedAst& checked) { return ConstantFinder(checked).visit(checked.tree.root); }

}  // namespace pintle::cel
