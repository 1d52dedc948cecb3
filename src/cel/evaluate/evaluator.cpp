// SPDX-License-Identifier: Apache-2.0
#include "evaluator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "access.hpp"
#include "cel/check/checked.hpp"
#include "cel/library/cost.hpp"
#include "cel/syntax/ast.hpp"
#include "cel/value/containers.hpp"
#include "cel/value/order.hpp"
#include "cel/value/value_access.hpp"
#include "meter.hpp"
#include "unions.hpp"

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

tl::unexpected<Error> no_such_overload() { return fail(ErrorCode::invalid, "no such overload"); }

// Only the outermost kind is compared, and that of the first element, because the checker compared the rest where it
// was known.
bool fits(const Type& parameter, const Value& value) {
  switch (parameter.kind()) {
    case Kind::dyn:
    case Kind::parameter: return true;
    case Kind::object: return value.kind() == Kind::map;
    case Kind::opaque: return value.kind() == Kind::opaque && value.type_of() == parameter;
    case Kind::list: {
      const auto* list = value.as_list();
      if (list == nullptr || parameter.parameters().empty()) return list != nullptr;
      const Type& element = parameter.parameters()[0];
      const bool is_any = element.kind() == Kind::dyn || element.kind() == Kind::parameter;
      return is_any || list->size() == 0 || fits(element, list->at(0));
    }
    default: return value.kind() == parameter.kind();
  }
}

const Overload* choose(const Overloads& overloads, std::span<const Value> arguments) {
  const auto found = std::ranges::find_if(
      overloads, [&](const auto& overload) { return std::ranges::equal(overload->parameters, arguments, fits); });
  return found == overloads.end() ? nullptr : found->get();
}

// The work of a function that reads a value. The bytes of a text are read faster than other parts.
std::size_t parts_of(const Value& value) {
  constexpr std::size_t bytes_per_part = 16;
  switch (value.kind()) {
    case Kind::string: return 1 + value.as_string()->size() / bytes_per_part;
    case Kind::bytes: return 1 + value.as_bytes()->size() / bytes_per_part;
    case Kind::list: return value.as_list()->size();
    case Kind::map: return value.as_map()->size();
    default: return 1;
  }
}

// The arguments of a call. Most calls have at most two, which need no memory of the heap.
class CallArguments {
 public:
  void push_back(Value value) {
    if (size_ < few_.size()) {
      few_[size_++] = std::move(value);
      return;
    }
    if (many_.empty()) many_.assign(std::make_move_iterator(few_.begin()), std::make_move_iterator(few_.end()));
    many_.push_back(std::move(value));
  }
  [[nodiscard]] std::span<const Value> view() const {
    return many_.empty() ? std::span<const Value>(few_.data(), size_) : std::span<const Value>(many_);
  }

 private:
  std::array<Value, 2> few_{};
  std::size_t size_ = 0;
  std::vector<Value> many_{};
};

class Evaluator {
 public:
  Evaluator(const CheckedAst& program, const Activation& activation, Meter& meter)
      : program_(program), activation_(activation), meter_(meter), locals_(program.slots) {}

  Result<Value> evaluate_node(NodeId id) {
    if (meter_.is_exceeded()) return fail(Meter::exceeded());
    const Node& node = program_.tree[id];
    if (!node.is_constant) return evaluate_kind(id, node);
    const auto cost = meter_.cost();
    auto value = evaluate_kind(id, node);
    meter_.restore(cost);
    return value;
  }

 private:
  Result<Value> evaluate_kind(NodeId id, const Node& node) {
    switch (node.kind) {
      case NodeKind::constant: return node.constant;
      case NodeKind::identifier: return read_name(program_.references[id]);
      case NodeKind::select: return read_field(node);
      case NodeKind::call: return evaluate_call(id, node);
      case NodeKind::list: return make_list(node);
      case NodeKind::map: return make_map(node);
      case NodeKind::object: return make_object(id, node);
      default: return evaluate_fold(id, *node.fold);
    }
  }

  Result<Value> read_name(const Reference& reference) {
    if (const auto* value = find_name(reference)) return *value;
    meter_.charge(1);
    if (reference.kind == ReferenceKind::local) return locals_[reference.slot];
    if (reference.kind == ReferenceKind::type) return Value::type(reference.type);
    return fail(ErrorCode::invalid, "no such attribute(s): " + reference.name);
  }

  // The value of a variable, without a copy of it. Null if it has none.
  const Value* find_name(const Reference& reference) {
    const Value* value = nullptr;
    if (reference.kind == ReferenceKind::local) {
      if (const auto& local = locals_[reference.slot]) value = &*local;
    } else if (reference.kind == ReferenceKind::variable) {
      value = find_variable(reference);
    }
    if (value != nullptr) meter_.charge(1);
    return value;
  }

  // Most expressions have few variables, and read them often.
  const Value* find_variable(const Reference& reference) {
    if (reference.slot < found_.size() && found_[reference.slot] != nullptr) return found_[reference.slot];
    const auto found = activation_.find(reference.name);
    if (found == activation_.end()) return nullptr;
    if (reference.slot < found_.size()) found_[reference.slot] = &found->second;
    return &found->second;
  }

  Result<Value> read_field(const Node& node) {
    if (program_.tree[node.target].kind == NodeKind::identifier) {
      if (const auto* operand = find_name(program_.references[node.target])) return read_field_of(*operand, node);
    }
    auto operand = evaluate_node(node.target);
    return operand ? read_field_of(*operand, node) : std::move(operand);
  }

  Result<Value> read_field_of(const Value& operand, const Node& node) {
    if (node.is_test) {
      auto has = has_key(operand, node.name);
      return has ? Result<Value>(Value::boolean(*has)) : fail(std::move(has.error()));
    }
    meter_.charge(1);
    return read_key(operand, Value::borrowed_string(node.name));
  }

  Result<Value> evaluate_call(NodeId id, const Node& node) {
    const auto& reference = program_.references[id];
    switch (reference.operation) {
      case Operation::conditional: return evaluate_conditional(node);
      case Operation::logical_and: return evaluate_logical(node, false);
      case Operation::logical_or: return evaluate_logical(node, true);
      case Operation::not_strictly_false: return evaluate_not_strictly_false(node);
      case Operation::optional_or:
      case Operation::optional_or_value: return evaluate_or(node, reference.operation);
      case Operation::map_insert: return insert_into_accumulator(node);
      default: break;
    }
    if (node.is_append) return append_to_accumulator(node);
    CallArguments evaluated;
    if (auto failed = evaluate_arguments(node, evaluated)) return fail(*std::move(failed));
    const auto arguments = evaluated.view();
    switch (reference.operation) {
      case Operation::equals: return compare(arguments, true);
      case Operation::not_equals: return compare(arguments, false);
      case Operation::in: return find_in(arguments, program_.tree[node.parts[1]].is_constant);
      case Operation::index: meter_.charge(1); return read_key(arguments[0], arguments[1]);
      case Operation::optional_index:
      case Operation::optional_select: meter_.charge(1); return read_optional_key(arguments[0], arguments[1]);
      case Operation::add:
        if (is_addition_to_keys(arguments)) return add_to_keys(arguments);
        return call_function(node, reference, arguments);
      case Operation::matches:
        if (reference.pattern) return match(arguments, *reference.pattern);
        [[fallthrough]];
      default: return call_function(node, reference, arguments);
    }
  }

  // Returns the first error.
  std::optional<Error> evaluate_arguments(const Node& node, CallArguments& arguments) {
    if (node.target != no_node) {
      auto receiver = evaluate_node(node.target);
      if (!receiver) return std::move(receiver.error());
      arguments.push_back(*std::move(receiver));
    }
    for (const auto part : node.parts) {
      auto argument = evaluate_node(part);
      if (!argument) return std::move(argument.error());
      arguments.push_back(*std::move(argument));
    }
    return std::nullopt;
  }

  Result<Value> call_function(const Node& node, const Reference& reference, std::span<const Value> arguments) {
    const auto* overload = choose(reference.overloads, arguments);
    if (overload == nullptr || !overload->function) return no_such_overload();
    for (const auto& argument : arguments) meter_.charge_work(parts_of(argument));
    if (meter_.is_exceeded()) return fail(Meter::exceeded());
    auto result = overload->function(arguments);
    if (!result) {
      meter_.charge(1);
      if (result.error().message.empty()) result.error().message = fmt::format("{}() failed", node.name);
      return result;
    }
    meter_.charge(overload->cost ? overload->cost(arguments, *result) : 1);
    return result;
  }

  Result<Value> match(std::span<const Value> arguments, const re2::RE2& pattern) {
    const auto text = arguments[0].as_string();
    if (!text || !arguments[1].as_string()) return no_such_overload();
    meter_.charge(cost_of_match(arguments));
    meter_.charge_work(parts_of(arguments[0]));
    if (meter_.is_exceeded()) return fail(Meter::exceeded());
    return Value::boolean(RE2::PartialMatch(re2::StringPiece(text->data(), text->size()), pattern));
  }

  Result<Value> compare(std::span<const Value> arguments, bool is_equals) {
    if (arguments[0].as_integer() && arguments[1].as_integer()) {
      meter_.charge(1);
      return Value::boolean((*arguments[0].as_integer() == *arguments[1].as_integer()) == is_equals);
    }
    meter_.charge(cost_of_comparison(arguments));
    for (const auto& argument : arguments) meter_.charge_work(argument.as_string() ? parts_of(argument) : 1);
    auto same = equal_values(arguments[0], arguments[1], meter_.work());
    if (meter_.work() == 0 || meter_.is_exceeded()) return fail_with_exceeded();
    if (!same) return fail(std::move(same.error()));
    return Value::boolean(*same == is_equals);
  }

  static bool is_addition_to_keys(std::span<const Value> arguments) {
    const auto* list = arguments[0].as_list();
    return list != nullptr && list->keys() != nullptr && arguments[1].as_list() != nullptr;
  }

  Result<Value> add_to_keys(std::span<const Value> arguments) {
    meter_.charge(1);
    for (const auto& argument : arguments) meter_.charge_work(parts_of(argument));
    if (meter_.is_exceeded()) return fail(Meter::exceeded());
    return unions_.add(arguments[0], *arguments[1].as_list());
  }

  Result<Value> fail_with_exceeded() {
    meter_.charge_work(meter_.work());
    return fail(Meter::exceeded());
  }

  // The elements of a constant list are found in a table, which costs nothing.
  Result<Value> find_in(std::span<const Value> arguments, bool is_constant) {
    if (const auto* map = arguments[1].as_map()) {
      meter_.charge(1);
      auto found = map->find(arguments[0]);
      if (!found) return fail(std::move(found.error()));
      return Value::boolean(found->has_value());
    }
    const auto* list = arguments[1].as_list();
    if (list == nullptr) return no_such_overload();
    if (!is_constant) meter_.charge(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (meter_.is_exceeded() || meter_.work() == 0) return fail_with_exceeded();
      auto same = equal_values(arguments[0], list->at(i), meter_.work());
      if (!same) return fail(std::move(same.error()));
      if (*same) return Value::boolean(true);
    }
    return Value::boolean(false);
  }

  Result<Value> evaluate_conditional(const Node& node) {
    auto condition = evaluate_node(node.parts[0]);
    if (!condition) return condition;
    const auto flag = condition->as_bool();
    if (!flag) return no_such_overload();
    const auto chosen = node.parts[*flag ? 1 : 2];
    auto value = evaluate_node(chosen);
    // Kubernetes counts the steps below the first name of a chosen path, but not the name.
    if (value && is_path(chosen)) meter_.restore(meter_.cost() - 1);
    return value;
  }

  [[nodiscard]] bool is_path(NodeId id) const {
    const Node& node = program_.tree[id];
    const auto operation = program_.references[id].operation;
    return (node.kind == NodeKind::identifier && !node.is_constant) ||
           (node.kind == NodeKind::select && !node.is_constant && !node.is_test) ||
           (node.kind == NodeKind::call && (operation == Operation::index || operation == Operation::optional_index ||
                                            operation == Operation::optional_select));
  }

  // The value that decides (true for ||) takes precedence over errors, on both sides of them.
  Result<Value> evaluate_logical(const Node& node, bool decisive) {
    std::optional<Error> error;
    for (const auto part : node.parts) {
      auto value = evaluate_node(part);
      if (meter_.is_exceeded()) return fail(Meter::exceeded());
      const auto flag = value ? value->as_bool() : std::nullopt;
      if (flag == decisive) return Value::boolean(decisive);
      if (flag || error) continue;
      error = value ? make_error(ErrorCode::invalid, "no such overload") : std::move(value.error());
    }
    if (error) return fail(*std::move(error));
    return Value::boolean(!decisive);
  }

  Result<Value> evaluate_not_strictly_false(const Node& node) {
    auto value = evaluate_node(node.parts[0]);
    if (meter_.is_exceeded()) return fail(Meter::exceeded());
    meter_.charge(1);
    return Value::boolean(!value || value->as_bool() != false);
  }

  // a.or(b) and a.orValue(b) evaluate b only if a has no value.
  Result<Value> evaluate_or(const Node& node, Operation operation) {
    auto first = evaluate_node(node.target);
    if (!first) return first;
    if (!first->is_optional()) return no_such_overload();
    meter_.charge(1);
    const auto* value = first->optional_value();
    if (value == nullptr) return evaluate_node(node.parts[0]);
    return operation == Operation::optional_or ? *first : *value;
  }

  // accumulator + [a, b]: the elements are appended to the accumulator instead of copying it.
  Result<Value> append_to_accumulator(const Node& node) {
    const auto slot = program_.references[node.parts[0]].slot;
    auto added = elements_of(program_.tree[node.parts[1]]);
    if (!added) return fail(std::move(added.error()));
    meter_.charge(program_.tree[node.parts[1]].is_constant ? 2 : 2 + cost_of_list);
    if (!locals_[slot]) return locals_[slot];
    auto accumulator = *std::exchange(locals_[slot], Value());
    if (ValueAccess::append(accumulator, *added)) return accumulator;
    return no_such_overload();
  }

  // Adds entries to the accumulator instead of copying it: one of a key and a value, or those of a map.
  Result<Value> insert_into_accumulator(const Node& node) {
    const auto slot = program_.references[node.parts[0]].slot;
    std::vector<Value> added;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      auto value = evaluate_node(node.parts[i]);
      if (!value) return value;
      added.push_back(*std::move(value));
    }
    meter_.charge(2);
    if (!locals_[slot]) return locals_[slot];
    auto accumulator = *std::exchange(locals_[slot], Value());
    auto* map = ValueAccess::own_map(accumulator);
    if (map == nullptr) return no_such_overload();
    auto inserted = added.size() == 2 ? insert_entry(*map, added[0], added[1]) : insert_entries(*map, added[0]);
    if (!inserted) return fail(std::move(inserted.error()));
    return accumulator;
  }

  Result<void> insert_entry(EntryMap& map, const Value& key, Value value) {
    constexpr std::size_t entries_per_part = 64;  // the order of the entries is moved to make room
    meter_.charge_work(1 + map.size() / entries_per_part);
    if (!is_key(key)) return fail(unsupported_key(key));
    if (map.insert(key, std::move(value))) return {};
    return fail(ErrorCode::invalid, fmt::format("insert failed: key {} already exists", describe_key(key)));
  }

  Result<void> insert_entries(EntryMap& map, const Value& entries) {
    const auto* added = entries.as_map();
    if (added == nullptr) return fail(ErrorCode::invalid, "no such overload");
    for (std::size_t i = 0; i < added->size(); ++i) {
      const auto key = added->key_at(i);
      auto value = added->find(key);
      if (!value) return fail(std::move(value.error()));
      if (auto inserted = insert_entry(map, key, value->value_or(Value())); !inserted) return inserted;
    }
    return {};
  }

  [[nodiscard]] static bool is_key(const Value& key) {
    const auto kind = key.kind();
    return kind == Kind::string || kind == Kind::integer || kind == Kind::unsigned_integer || kind == Kind::boolean;
  }
  [[nodiscard]] static Error unsupported_key(const Value& key) {
    return make_error(ErrorCode::invalid, fmt::format("unsupported key type: {}", key.type_of().to_string()));
  }

  [[nodiscard]] static bool is_optional(const Node& node, std::size_t index) {
    return index < node.optional.size() && node.optional[index];
  }

  // Evaluates an element. Returns nothing for an optional element without a value.
  Result<std::optional<Value>> evaluate_element(NodeId part, bool is_optional) {
    auto value = evaluate_node(part);
    if (!value) return fail(std::move(value.error()));
    if (!is_optional) return std::optional(*std::move(value));
    if (!value->is_optional()) {
      return fail(ErrorCode::invalid, fmt::format("cannot initialize optional entry from non-optional value of type {}",
                                                  value->type_of().to_string()));
    }
    const auto* inner = value->optional_value();
    return inner == nullptr ? std::optional<Value>() : std::optional(*inner);
  }

  Result<std::vector<Value>> elements_of(const Node& node) {
    std::vector<Value> elements;
    elements.reserve(node.parts.size());
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      auto element = evaluate_element(node.parts[i], is_optional(node, i));
      if (!element) return fail(std::move(element.error()));
      if (element->has_value()) elements.push_back(**std::move(element));
    }
    return elements;
  }

  Result<Value> make_list(const Node& node) {
    auto elements = elements_of(node);
    if (!elements) return fail(std::move(elements.error()));
    meter_.charge(cost_of_list);
    return Value::list(*std::move(elements));
  }

  Result<Value> make_map(const Node& node) {
    std::vector<std::pair<Value, Value>> entries;
    for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
      auto key = evaluate_node(node.parts[i]);
      if (!key) return key;
      if (!is_key(*key)) return fail(unsupported_key(*key));
      auto value = evaluate_element(node.parts[i + 1], is_optional(node, i / 2));
      if (!value) return fail(std::move(value.error()));
      if (value->has_value()) entries.emplace_back(*std::move(key), **std::move(value));
    }
    meter_.charge(cost_of_map);
    return Value::map(std::shared_ptr<const Map>(std::make_shared<EntryMap>(std::move(entries))));
  }

  Result<Value> make_object(NodeId id, const Node& node) {
    std::vector<std::pair<Value, Value>> entries;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      auto value = evaluate_element(node.parts[i], is_optional(node, i));
      if (!value) return fail(std::move(value.error()));
      if (value->has_value()) entries.emplace_back(Value::string(node.names[i]), **std::move(value));
    }
    meter_.charge(cost_of_object);
    return Value::map(
        std::shared_ptr<const Map>(std::make_shared<EntryMap>(std::move(entries), program_.references[id].type)));
  }

  Result<Value> evaluate_fold(NodeId id, const Fold& fold) {
    auto range = evaluate_node(fold.range);
    if (!range) return range;
    const auto* list = range->as_list();
    const auto* map = range->as_map();
    if (list == nullptr && map == nullptr) return no_such_overload();
    const auto slot = program_.fold_slots[id];
    locals_[slot] = evaluate_node(fold.init);
    const auto size = list != nullptr ? list->size() : map->size();
    for (std::size_t i = 0; i < size; ++i) {
      if (auto bound = bind_variables(slot, fold, list, map, i); !bound) return fail(std::move(bound.error()));
      const auto condition = evaluate_node(fold.condition);
      if (meter_.is_exceeded()) return fail(Meter::exceeded());
      if (condition && condition->as_bool() == false) break;
      auto next = evaluate_node(fold.step);
      locals_[slot] = std::move(next);
    }
    return evaluate_node(fold.result);
  }

  Result<void> bind_variables(std::size_t slot, const Fold& fold, const List* list, const Map* map, std::size_t i) {
    const bool has_second = !fold.second.empty();
    if (list != nullptr) {
      if (has_second) locals_[slot + 1] = Value::integer(static_cast<std::int64_t>(i));
      locals_[slot + (has_second ? 2 : 1)] = list->at(i);
      return {};
    }
    auto key = map->key_at(i);
    if (has_second) {
      auto value = map->find(key);
      if (!value) return fail(std::move(value.error()));
      locals_[slot + 2] = value->value_or(Value());
    }
    locals_[slot + 1] = std::move(key);
    return {};
  }

  const CheckedAst& program_;
  const Activation& activation_;
  Meter& meter_;
  std::array<const Value*, 4> found_{};  // the values of the first variables, when they were read
  std::vector<Result<Value>> locals_;
  Unions unions_{};
};

}  // namespace

Result<Value> evaluate_part(const CheckedAst& program, NodeId part, Meter& meter) {
  return Evaluator(program, {}, meter).evaluate_node(part);
}

Result<Value> evaluate(const CheckedAst& program, const Activation& activation, Meter& meter) {
  auto value = Evaluator(program, activation, meter).evaluate_node(program.tree.root);
  if (meter.is_exceeded()) return fail(Meter::exceeded());
  return value;
}

}  // namespace pintle::cel
