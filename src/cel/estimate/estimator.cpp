// SPDX-License-Identifier: Apache-2.0
#include "estimator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/cel/type.hpp>

#include "call.hpp"
#include "cel/check/checked.hpp"
#include "cel/library/cost.hpp"
#include "cel/syntax/ast.hpp"
#include "range.hpp"

namespace pintle::cel {
namespace {

using Kind = Type::Kind;
using Path = std::vector<std::string>;

// The sizes of the keys and values of a list or a map.
struct EntrySize {
  bool is_list = false;
  Range key{};
  Range value{};
};

struct LocalSize {
  std::string name{};
  Path path{};
  std::optional<Range> size{};
  std::optional<EntrySize> entries{};
};

bool is_scalar_type(const Type& type) noexcept {
  switch (type.kind()) {
    case Kind::boolean:
    case Kind::number:
    case Kind::duration:
    case Kind::integer:
    case Kind::timestamp:
    case Kind::unsigned_integer: return true;
    case Kind::optional: return is_scalar_type(type.parameters()[0]);
    default: return false;
  }
}

std::optional<EntrySize> unite(const std::optional<EntrySize>& a, const std::optional<EntrySize>& b) {
  if (!a || !b) return std::nullopt;
  return EntrySize{a->is_list, unite(a->key, b->key), unite(a->value, b->value)};
}

class CostEstimator {
 public:
  CostEstimator(const CheckedAst& checked, const MaxSize& max_size)
      : checked_(checked), max_size_(max_size), nodes_(checked.tree.nodes.size()) {}

  // The expansion of a macro may use a node twice, always in the same scope.
  Range cost_of(NodeId id) {
    if (!nodes_[id].cost) nodes_[id].cost = compute(id);
    return *nodes_[id].cost;
  }

 private:
  Range compute(NodeId id) {
    switch (node(id).kind) {
      case NodeKind::constant: return {};
      case NodeKind::identifier: return cost_of_name(id);
      case NodeKind::select: return cost_of_select(id);
      case NodeKind::call: return cost_of_call(id);
      case NodeKind::list: return cost_of_new_list(id);
      case NodeKind::map: return cost_of_new_map(id);
      case NodeKind::object: return cost_of_parts(id) + Range::exactly(cost_of_object);
      default: return is_binding(*node(id).fold) ? cost_of_binding(id) : cost_of_fold(id);
    }
  }

  // The known facts about a node.
  struct Facts {
    std::optional<Range> cost{};
    Path path{};
    std::optional<Range> size{};
    std::optional<EntrySize> entries{};
  };

  [[nodiscard]] const Node& node(NodeId id) const { return checked_.tree[id]; }
  [[nodiscard]] const Type& type_of(NodeId id) const { return checked_.types[id]; }

  [[nodiscard]] const LocalSize* local(NodeId id) const {
    if (node(id).kind != NodeKind::identifier) return nullptr;
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&](const LocalSize& each) { return each.name == node(id).name; });
    return found == locals_.rend() ? nullptr : &*found;
  }

  [[nodiscard]] const Path& path_of(NodeId id) const {
    const auto* variable = local(id);
    return variable != nullptr ? variable->path : nodes_[id].path;
  }

  [[nodiscard]] static std::optional<Range> size_of_literal(const Node& node) {
    switch (node.kind) {
      case NodeKind::constant: return Range::exactly(size_of(node.constant));
      case NodeKind::list: return Range::exactly(node.parts.size());
      case NodeKind::map: return Range::exactly(node.parts.size() / 2);
      default: return std::nullopt;
    }
  }

  // The size of the value of a node, as far as it is determined.
  [[nodiscard]] std::optional<Range> size_at(NodeId id) const {
    if (nodes_[id].size) return nodes_[id].size;
    if (auto size = size_of_literal(node(id))) return size;
    if (const auto& path = path_of(id); !path.empty() && max_size_) {
      if (const auto size = max_size_(path)) return Range{0, *size};
    }
    if (is_scalar_type(type_of(id))) return Range::exactly(1);
    const auto* variable = local(id);
    return variable == nullptr ? std::nullopt : variable->size;
  }
  [[nodiscard]] Range size_or_unknown(NodeId id) const { return size_at(id).value_or(Range::unknown()); }

  [[nodiscard]] std::optional<EntrySize> entries_at(NodeId id) const {
    if (nodes_[id].entries) return nodes_[id].entries;
    const auto* variable = local(id);
    return variable == nullptr ? std::nullopt : variable->entries;
  }

  [[nodiscard]] Operand operand(NodeId id) const {
    return {.type = type_of(id),
            .path = path_of(id),
            .size = size_at(id),
            .literal = node(id).kind == NodeKind::constant ? &node(id).constant : nullptr};
  }

  Range cost_of_name(NodeId id) {
    const auto* variable = local(id);
    nodes_[id].path = variable != nullptr ? variable->path : Path{node(id).name};
    return Range::exactly(1);
  }

  Range cost_of_select(NodeId id) {
    const auto target = node(id).target;
    auto cost = cost_of(target);
    if (node(id).is_test) return cost;
    const auto kind = type_of(target).kind();
    if (kind == Kind::map || kind == Kind::object) cost = cost + Range::exactly(1);
    nodes_[id].path = path_of(target);
    nodes_[id].path.push_back(node(id).name);
    return cost;
  }

  Range cost_of_parts(NodeId id) {
    Range sum;
    for (const auto part : node(id).parts) sum = sum + cost_of(part);
    return sum;
  }

  Range cost_of_new_list(NodeId id) {
    const auto& parts = node(id).parts;
    const auto cost = cost_of_parts(id);
    Range elements{parts.empty() ? 0 : UINT64_MAX, 0};
    for (const auto part : parts) elements = unite(elements, size_or_unknown(part));
    nodes_[id].entries = EntrySize{true, Range::exactly(1), elements};
    return cost + Range::exactly(cost_of_list);
  }

  Range cost_of_new_map(NodeId id) {
    const auto& parts = node(id).parts;
    const auto cost = cost_of_parts(id);
    Range keys{parts.empty() ? 0 : UINT64_MAX, 0};
    Range values = keys;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      keys = unite(keys, size_or_unknown(parts[i]));
      values = unite(values, size_or_unknown(parts[i + 1]));
    }
    nodes_[id].entries = EntrySize{false, keys, values};
    return cost + Range::exactly(cost_of_map);
  }

  // ---- calls

  Range cost_of_call(NodeId id) {
    const Node& call = node(id);
    const auto& reference = checked_.references[id];
    switch (reference.operation) {
      case Operation::logical_and:
      case Operation::logical_or: return cost_of_logical(call);
      case Operation::conditional: return cost_of_conditional(id);
      case Operation::optional_select: return cost_of_parts(id) + Range::exactly(1);
      default: break;
    }
    if (call.name == "dyn") {
      const auto cost = cost_of(call.parts[0]) + Range::exactly(1);
      copy_sizes(id, call.parts[0]);
      return cost;
    }
    auto cost = cost_of_parts(id);
    std::vector<Operand> arguments;
    for (const auto part : call.parts) arguments.push_back(operand(part));
    std::optional<Operand> target;
    if (call.target != no_node) {
      cost = cost + cost_of(call.target);
      target = operand(call.target);
    }
    if (reference.overloads.empty()) return {};
    return cost + cost_of_overloads(id, target ? &*target : nullptr, arguments);
  }

  // The range that includes all overloads that may be called.
  Range cost_of_overloads(NodeId id, const Operand* target, const std::vector<Operand>& arguments) {
    const Node& call = node(id);
    Range cost{UINT64_MAX, 0};
    std::optional<Range> size;
    for (const auto& overload : checked_.references[id].overloads) {
      const auto estimate = estimate_call(call.name, *overload, target, arguments, max_size_);
      cost = unite(cost, estimate ? estimate->cost : Range::exactly(1));
      if (estimate && estimate->size) size = size ? unite(*size, *estimate->size) : *estimate->size;
      if (call.name == op::index) {
        size = index_size(id, *overload);
      } else if (call.name == op::add && overload->parameters[0].kind() != Kind::integer) {
        if (auto entries = unite(entries_at(call.parts[0]), entries_at(call.parts[1]))) nodes_[id].entries = entries;
      }
      if (!size) size = size_at(id);
    }
    if (size) nodes_[id].size = size;
    return cost;
  }

  // The path of an element, and its size if it is an element of a literal.
  std::optional<Range> index_size(NodeId id, const Overload& overload) {
    const auto kind = overload.parameters[0].kind();
    if (kind != Kind::list && kind != Kind::map) return std::nullopt;
    const auto range = node(id).parts[0];
    nodes_[id].path = path_of(range);
    nodes_[id].path.emplace_back(kind == Kind::list ? "@items" : "@values");
    const auto entries = entries_at(range);
    return entries ? std::optional(entries->value) : std::nullopt;
  }

  Range cost_of_logical(const Node& call) {
    auto cost = cost_of(call.parts[0]);
    for (std::size_t i = 1; i < call.parts.size(); ++i) cost.max = (cost + cost_of(call.parts[i])).max;
    return cost;
  }

  Range cost_of_conditional(NodeId id) {
    const auto& parts = node(id).parts;
    const auto condition = cost_of(parts[0]);
    const auto if_true = cost_of(parts[1]);
    const auto if_false = cost_of(parts[2]);
    if (auto entries = unite(entries_at(parts[1]), entries_at(parts[2]))) nodes_[id].entries = entries;
    nodes_[id].size = unite(size_or_unknown(parts[1]), size_or_unknown(parts[2]));
    return condition + unite(if_true, if_false);
  }

  void copy_sizes(NodeId to, NodeId from) {
    if (auto size = size_at(from)) nodes_[to].size = size;
    if (auto entries = entries_at(from)) nodes_[to].entries = entries;
  }

  // ---- folds

  // A fold that only gives a value a name.
  [[nodiscard]] bool is_binding(const Fold& fold) const {
    return node(fold.range).kind == NodeKind::list && node(fold.range).parts.empty() &&
           node(fold.condition).kind == NodeKind::constant && node(fold.condition).constant.as_bool() == false;
  }

  void push_accumulator(const Fold& fold) {
    locals_.push_back({fold.accumulator, path_of(fold.init), size_at(fold.init), entries_at(fold.init)});
  }

  Range cost_of_binding(NodeId id) {
    const Fold& fold = *node(id).fold;
    auto cost = cost_of(fold.range) + cost_of(fold.init);
    push_accumulator(fold);
    cost = cost + cost_of(fold.result);
    copy_sizes(id, fold.result);
    locals_.pop_back();
    return cost;
  }

  void push_variable(const std::string& name, const Fold& fold, bool is_value) {
    const auto entries = entries_at(fold.range);
    const bool is_list = entries ? entries->is_list : type_of(fold.range).kind() == Kind::list;
    LocalSize variable{.name = name, .path = path_of(fold.range)};
    variable.path.emplace_back(is_value ? (is_list ? "@items" : "@values") : (is_list ? "@indices" : "@keys"));
    if (entries) variable.size = is_value ? entries->value : entries->key;
    locals_.push_back(std::move(variable));
  }

  void push_variables(const Fold& fold) {
    const auto entries = entries_at(fold.range);
    const bool is_list = entries ? entries->is_list : type_of(fold.range).kind() == Kind::list;
    push_variable(fold.variable, fold, fold.second.empty() && is_list);
    if (!fold.second.empty()) push_variable(fold.second, fold, true);
  }

  Range cost_of_fold(NodeId id) {
    const Fold& fold = *node(id).fold;
    auto cost = cost_of(fold.range) + cost_of(fold.init);
    push_accumulator(fold);
    const auto depth = locals_.size();
    push_variables(fold);
    const auto condition = cost_of(fold.condition);
    const auto step = cost_of(fold.step);
    locals_.resize(depth);
    cost = cost + cost_of(fold.result);
    locals_.pop_back();
    const auto count = size_or_unknown(fold.range);
    cost = cost + count * (step + condition);
    if (node(fold.init).kind == NodeKind::constant) {
      nodes_[id].size = size_at(fold.init);
    } else if (node(fold.init).kind == NodeKind::list || node(fold.init).kind == NodeKind::map) {
      nodes_[id].size = count;
      if (auto entries = entries_at(fold.step)) nodes_[id].entries = entries;
    }
    return cost;
  }

  const CheckedAst& checked_;
  const MaxSize& max_size_;
  std::vector<Facts> nodes_;
  std::vector<LocalSize> locals_{};
};

}  // namespace

Range estimate(const CheckedAst& checked, const MaxSize& max_size) {
  return CostEstimator(checked, max_size).cost_of(checked.tree.root);
}

}  // namespace pintle::cel
