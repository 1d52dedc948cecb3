// SPDX-License-Identifier: Apache-2.0
#include "checker.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include <pintle/cel/type.hpp>

#include "cel/syntax/ast.hpp"
#include "cel/syntax/issues.hpp"
#include "checked.hpp"
#include "declarations.hpp"
#include "unifier.hpp"

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

struct Local {
  std::string name;
  Type type;
};

constexpr std::array<std::pair<std::string_view, Operation>, 13> operations = {
    {{op::conditional, Operation::conditional},
     {op::logical_and, Operation::logical_and},
     {op::logical_or, Operation::logical_or},
     {op::not_strictly_false, Operation::not_strictly_false},
     {op::equals, Operation::equals},
     {op::not_equals, Operation::not_equals},
     {op::in, Operation::in},
     {op::index, Operation::index},
     {op::optional_index, Operation::optional_index},
     {op::optional_select, Operation::optional_select},
     {"or", Operation::optional_or},
     {"orValue", Operation::optional_or_value},
     {op::map_insert, Operation::map_insert}}};

bool is_wildcard_type(const Type& type) noexcept { return type.kind() == Kind::dyn || type.kind() == Kind::error; }

class Checker {
 public:
  Checker(Ast tree, const Declarations& declarations, Issues& issues) : declarations_(declarations), issues_(issues) {
    const auto size = tree.nodes.size();
    out_.tree = std::move(tree);
    out_.types.resize(size);
    out_.references.resize(size);
    out_.fold_slots.resize(size);
    is_checked_.resize(size);
  }

  CheckedAst run() {
    check_node(out_.tree.root);
    for (auto& type : out_.types) type = unifier_.resolve(type, true);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Node& node(NodeId id) const { return out_.tree[id]; }
  [[nodiscard]] Type type_of(NodeId id) const { return out_.types[id]; }
  void report(NodeId id, std::string message) { issues_.add(node(id).offset, std::move(message)); }
  void report_undeclared(NodeId id, std::string_view name) {
    if (name.starts_with('.')) name.remove_prefix(1);
    report(id, fmt::format("undeclared reference to '{}' (in container '')", name));
  }
  void report_mismatch(NodeId id, const Type& expected, const Type& actual) {
    report(id, fmt::format("expected type '{}' but found '{}'", describe_type(expected), describe_type(actual)));
  }

  // The expansion of a macro may use a node twice, always in the same scope.
  void check_node(NodeId id) {
    if (is_checked_[id]) return;
    is_checked_[id] = true;
    switch (node(id).kind) {
      case NodeKind::constant: out_.types[id] = node(id).constant.type_of(); break;
      case NodeKind::identifier: check_identifier(id); break;
      case NodeKind::select: check_select(id); break;
      case NodeKind::call: check_call(id); break;
      case NodeKind::list: check_list(id); break;
      case NodeKind::map: check_map(id); break;
      case NodeKind::object: check_object(id); break;
      case NodeKind::fold: check_fold(id); break;
    }
  }

  bool resolve_name(NodeId id, std::string_view name) {
    if (const auto found =
            std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& local) { return local.name == name; });
        found != locals_.rend()) {
      const auto slot = static_cast<std::size_t>(locals_.rend() - found) - 1;
      out_.references[id] = {.kind = ReferenceKind::local, .slot = slot};
      out_.types[id] = found->type;
      return true;
    }
    if (const auto* type = declarations_.variable(name)) {
      if (name.starts_with('.')) name.remove_prefix(1);
      out_.references[id] = {
          .kind = ReferenceKind::variable, .name = std::string(name), .slot = slot_of_variable(name)};
      out_.types[id] = *type;
      return true;
    }
    if (const auto type = declarations_.type(name)) {
      out_.references[id] = {.kind = ReferenceKind::type, .type = *type};
      out_.types[id] = Type::type(*type);
      return true;
    }
    return false;
  }

  std::size_t slot_of_variable(std::string_view name) {
    const auto found = std::ranges::find(out_.variables, name);
    const auto slot = static_cast<std::size_t>(found - out_.variables.begin());
    if (found == out_.variables.end()) out_.variables.emplace_back(name);
    return slot;
  }

  void check_identifier(NodeId id) {
    if (resolve_name(id, node(id).name)) return;
    report_undeclared(id, node(id).name);
    out_.types[id] = Type::error();
  }

  // Returns "a.b.c" for a chain of names.
  [[nodiscard]] std::optional<std::string> qualified_name(NodeId id) const {
    if (node(id).kind == NodeKind::identifier) return node(id).name;
    if (node(id).kind != NodeKind::select || node(id).is_test) return std::nullopt;
    auto name = qualified_name(node(id).target);
    if (name) *name += "." + node(id).name;
    return name;
  }

  // A local variable hides all declarations that start with its name.
  [[nodiscard]] bool starts_with_local(std::string_view name) const {
    const auto first = name.substr(0, name.find('.'));
    return std::ranges::any_of(locals_, [&](const Local& local) { return local.name == first; });
  }

  void check_select(NodeId id) {
    if (const auto name = qualified_name(id); name && !starts_with_local(*name) && resolve_name(id, *name)) {
      out_.tree[id].kind = NodeKind::identifier;
      return;
    }
    const auto field = check_field(id, node(id).target, node(id).name, false);
    out_.types[id] = node(id).is_test ? Type::boolean() : unifier_.resolve(field);
  }

  Type check_field(NodeId id, NodeId operand, std::string_view field, bool is_optional) {
    check_node(operand);
    auto type = unifier_.resolve(type_of(operand));
    if (type.kind() == Kind::optional) {
      is_optional = true;
      type = Type(type.parameters()[0]);
    }
    auto result = field_type(id, type, field);
    return is_optional ? Type::optional(std::move(result)) : result;
  }

  Type field_type(NodeId id, const Type& type, std::string_view field) {
    switch (type.kind()) {
      case Kind::map: return type.parameters()[1];
      case Kind::object:
        if (const auto* found = type.field(field)) return *found;
        report(id, fmt::format("undefined field '{}'", field));
        return Type::error();
      case Kind::parameter: (void)unifier_.assign(Type::dyn(), type); return Type::dyn();
      case Kind::dyn:
      case Kind::error: return Type::dyn();
      default:
        report(id, fmt::format("type '{}' does not support field selection", describe_type(type)));
        return Type::dyn();
    }
  }

  void check_call(NodeId id) {
    if (node(id).name == op::optional_select) return check_optional_select(id);
    for (const auto part : std::vector(node(id).parts)) check_node(part);
    if (node(id).target != no_node) {
      const auto prefix = qualified_name(node(id).target);
      const auto name = prefix ? *prefix + "." + node(id).name : std::string();
      if (prefix && !starts_with_local(name) && declarations_.function(name) != nullptr) {
        out_.tree[id].target = no_node;
        out_.tree[id].name = name;
      } else {
        check_node(node(id).target);
      }
    }
    const auto* overloads = declarations_.function(node(id).name);
    if (overloads == nullptr) {
      report_undeclared(id, node(id).name);
      out_.types[id] = Type::error();
    } else if (node(id).name == op::logical_and || node(id).name == op::logical_or) {
      check_logical(id);
    } else {
      resolve_overload(id, *overloads);
    }
  }

  void check_optional_select(NodeId id) {
    const std::string field(*node(node(id).parts[1]).constant.as_string());
    check_node(node(id).parts[1]);
    out_.types[id] = unifier_.resolve(check_field(id, node(id).parts[0], field, true));
    out_.references[id] = {.kind = ReferenceKind::function, .operation = Operation::optional_select};
  }

  void check_logical(NodeId id) {
    out_.types[id] = Type::boolean();
    out_.references[id] = {.kind = ReferenceKind::function, .operation = operation_of(id, {})};
    for (const auto part : node(id).parts) {
      if (unifier_.assign(type_of(part), Type::boolean())) continue;
      report_mismatch(part, Type::boolean(), type_of(part));
      out_.types[id] = Type::error();
    }
  }

  void resolve_overload(NodeId id, const Overloads& overloads) {
    const bool is_member = node(id).target != no_node;
    std::vector<Type> arguments;
    if (is_member) arguments.push_back(type_of(node(id).target));
    for (const auto part : node(id).parts) arguments.push_back(type_of(part));

    std::optional<Type> result;
    Reference reference{.kind = ReferenceKind::function};
    for (const auto& overload : overloads) {
      if (overload->is_member != is_member || overload->parameters.size() != arguments.size()) continue;
      Unifier::Instance instance(unifier_);
      std::vector<Type> parameters;
      for (const auto& parameter : overload->parameters) parameters.push_back(instance.of(parameter));
      if (!unifier_.assign(arguments, parameters)) continue;
      reference.overloads.push_back(overload);
      auto type = unifier_.resolve(instance.of(overload->result));
      if (!result) {
        result = std::move(type);
      } else if (result->kind() != Kind::dyn && *result != type) {
        result = Type::dyn();
      }
    }
    if (!result) return report_no_overload(id, arguments);
    out_.types[id] = *std::move(result);
    reference.operation = operation_of(id, reference.overloads);
    if (reference.operation == Operation::matches) reference.pattern = literal_pattern(node(id).parts.back());
    out_.references[id] = std::move(reference);
  }

  // The evaluator executes a call itself only if no declaration gave the function code.
  [[nodiscard]] Operation operation_of(NodeId id, const Overloads& overloads) const {
    const auto& name = node(id).name;
    if (name == "matches" && overloads.size() == 1) return Operation::matches;
    const auto takes_list = [](const auto& overload) {
      return !overload->parameters.empty() && overload->parameters[0].kind() == Kind::list;
    };
    if (name == op::add && std::ranges::any_of(overloads, takes_list)) return Operation::add;
    if (std::ranges::any_of(overloads, [](const auto& overload) { return overload->function != nullptr; })) {
      return Operation::call;
    }
    const auto found = std::ranges::find(operations, name, [](const auto& row) { return row.first; });
    return found == operations.end() ? Operation::call : found->second;
  }

  [[nodiscard]] std::shared_ptr<const re2::RE2> literal_pattern(NodeId id) const {
    const auto text = node(id).kind == NodeKind::constant ? node(id).constant.as_string() : std::nullopt;
    if (!text) return nullptr;
    auto pattern = std::make_shared<const re2::RE2>(re2::StringPiece(text->data(), text->size()), re2::RE2::Quiet);
    return pattern->ok() ? std::move(pattern) : nullptr;
  }

  void report_no_overload(NodeId id, std::span<const Type> arguments) {
    std::string signature;
    const bool is_member = node(id).target != no_node;
    if (is_member) {
      signature = describe_type(unifier_.resolve(arguments[0], true)) + ".";
      arguments = arguments.subspan(1);
    }
    signature += "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i > 0) signature += ", ";
      signature += describe_type(unifier_.resolve(arguments[i], true));
    }
    report(id, fmt::format("found no matching overload for '{}' applied to '{})'", node(id).name, signature));
    out_.types[id] = Type::error();
  }

  // The type of an optional element is that of the value in it.
  Type check_element(NodeId element, bool is_optional) {
    check_node(element);
    auto type = unifier_.resolve(type_of(element));
    if (!is_optional || is_wildcard_type(type)) return type;
    if (type.kind() == Kind::optional) return type.parameters()[0];
    report_mismatch(element, Type::optional(type), type);
    return type;
  }

  // check_literals() compares the types of elements; here they only decide whether the elements are dyn.
  Type join(const std::optional<Type>& previous, const Type& current) {
    if (!previous) return current;
    return unifier_.assign(*previous, current) ? most_general(*previous, current) : Type::dyn();
  }

  [[nodiscard]] bool is_optional(NodeId id, std::size_t index) const {
    return index < node(id).optional.size() && node(id).optional[index];
  }

  void check_list(NodeId id) {
    std::optional<Type> elements;
    for (std::size_t i = 0; i < node(id).parts.size(); ++i) {
      elements = join(elements, check_element(node(id).parts[i], is_optional(id, i)));
    }
    out_.types[id] = Type::list(elements ? *std::move(elements) : unifier_.make_parameter());
  }

  void check_map(NodeId id) {
    std::optional<Type> keys;
    std::optional<Type> values;
    for (std::size_t i = 0; i + 1 < node(id).parts.size(); i += 2) {
      keys = join(keys, check_element(node(id).parts[i], false));
      values = join(values, check_element(node(id).parts[i + 1], is_optional(id, i / 2)));
    }
    if (!keys) keys = unifier_.make_parameter();
    if (!values) values = unifier_.make_parameter();
    out_.types[id] = Type::map(*std::move(keys), *std::move(values));
  }

  void check_object(NodeId id) {
    const auto type = declarations_.type(node(id).name);
    const bool is_object = type && type->kind() == Kind::object;
    if (!type) {
      report_undeclared(id, node(id).name);
    } else if (!is_object) {
      report(id, fmt::format("'{}' is not a message type", type->name()));
    }
    out_.types[id] = is_object ? *type : Type::error();
    out_.references[id] = {.kind = ReferenceKind::type, .type = out_.types[id]};
    for (std::size_t i = 0; i < node(id).parts.size(); ++i) {
      const auto value = check_element(node(id).parts[i], is_optional(id, i));
      if (!is_object) continue;
      const auto field = field_type(id, *type, node(id).names[i]);
      if (unifier_.assign(field, value)) continue;
      report(id, fmt::format("expected type of field '{}' is '{}' but provided type is '{}'", node(id).names[i],
                             describe_type(field), describe_type(value)));
    }
  }

  void check_fold(NodeId id) {
    const Fold& fold = *node(id).fold;
    check_node(fold.range);
    check_node(fold.init);
    const auto range = unifier_.resolve(type_of(fold.range));
    const auto accumulator = type_of(fold.init);
    const auto [first, second] = variables_of(fold, range);

    out_.fold_slots[id] = locals_.size();
    locals_.push_back({fold.accumulator, accumulator});
    locals_.push_back({fold.variable, first});
    locals_.push_back({fold.second, second});
    out_.slots = std::max(out_.slots, locals_.size());
    check_node(fold.condition);
    require(fold.condition, Type::boolean());
    check_node(fold.step);
    require(fold.step, accumulator);
    locals_.resize(locals_.size() - 2);
    check_node(fold.result);
    locals_.pop_back();
    out_.types[id] = unifier_.resolve(type_of(fold.result));
  }

  std::pair<Type, Type> variables_of(const Fold& fold, const Type& range) {
    switch (range.kind()) {
      case Kind::list:
        if (fold.second.empty()) return {range.parameters()[0], Type::dyn()};
        return {Type::integer(), range.parameters()[0]};
      case Kind::map: return {range.parameters()[0], range.parameters()[1]};
      case Kind::dyn:
      case Kind::error:
      case Kind::parameter: (void)unifier_.assign(Type::dyn(), range); return {Type::dyn(), Type::dyn()};
      default:
        report(fold.range, fmt::format("expression of type '{}' cannot be range of a comprehension (must be list, map, "
                                       "or dynamic)",
                                       describe_type(range)));
        return {Type::error(), Type::error()};
    }
  }

  void require(NodeId id, const Type& type) {
    if (!unifier_.assign(type, type_of(id))) report_mismatch(id, type, type_of(id));
  }

  const Declarations& declarations_;
  Issues& issues_;
  Unifier unifier_{};
  CheckedAst out_{};
  std::vector<bool> is_checked_{};
  std::vector<Local> locals_{};
};

}  // namespace

CheckedAst check(Ast tree, const Declarations& declarations, Issues& issues) {
  return Checker(std::move(tree), declarations, issues).run();
}

}  // namespace pintle::cel
