// SPDX-License-Identifier: Apache-2.0
// Functions of lists: those of Kubernetes, the lists extension of CEL in version 3, and first() and last().
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "cel/value/order.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

const std::vector<Type>& comparable_types() {
  static const std::vector<Type> types = {Type::integer(),  Type::unsigned_integer(), Type::number(), Type::boolean(),
                                          Type::duration(), Type::timestamp(),        Type::string(), Type::bytes()};
  return types;
}

std::vector<Value> elements_of(const List& list) {
  std::vector<Value> elements;
  elements.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) elements.push_back(list.at(i));
  return elements;
}

// ---- lists of comparable elements
// ------------------------------------------------------------------------------------

Result<Value> is_sorted(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  for (std::size_t i = 1; i < list->size(); ++i) {
    const auto order = compare_values(list->at(i - 1), list->at(i));
    if (!order) return failure("no such overload");
    if (*order == std::partial_ordering::greater) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// The first element for which no other element is `better`.
Result<Value> extreme(const List& list, const char* name, std::partial_ordering better) {
  if (list.size() == 0) return failure(fmt::format("{} called on empty list", name));
  auto best = list.at(0);
  for (std::size_t i = 1; i < list.size(); ++i) {
    auto next = list.at(i);
    const auto order = compare_values(next, best);
    if (!order) return failure("no such overload");
    if (*order == better) best = std::move(next);
  }
  return best;
}
Result<Value> least(Arguments arguments) {
  return extreme(*arguments[0].as_list(), "min", std::partial_ordering::less);
}
Result<Value> greatest(Arguments arguments) {
  return extreme(*arguments[0].as_list(), "max", std::partial_ordering::greater);
}

// Adds the elements, which are numbers or durations of one kind.
template <class Number, class Read, class Make>
Result<Value> sum_of(const List& list, Read read, Make make, const char* overflow) {
  Number sum{};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = read(list.at(i));
    if (!number) return failure("no such overload");
    if constexpr (std::is_floating_point_v<Number>) {
      sum += *number;
    } else if (__builtin_add_overflow(sum, *number, &sum)) {
      return failure(overflow);
    }
  }
  return make(sum);
}

Result<Value> sum_integers(Arguments arguments) {
  return sum_of<std::int64_t>(
      *arguments[0].as_list(), [](const Value& value) { return value.as_integer(); }, &Value::integer,
      "integer overflow");
}
Result<Value> sum_unsigned(Arguments arguments) {
  return sum_of<std::uint64_t>(
      *arguments[0].as_list(), [](const Value& value) { return value.as_unsigned(); }, &Value::unsigned_integer,
      "unsigned integer overflow");
}
Result<Value> sum_numbers(Arguments arguments) {
  return sum_of<double>(
      *arguments[0].as_list(), [](const Value& value) { return value.as_number(); }, &Value::number, "");
}
Result<Value> sum_durations(Arguments arguments) {
  const auto read = [](const Value& value) -> std::optional<std::int64_t> {
    const auto duration = value.as_duration();
    return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
  };
  const auto make = [](std::int64_t nanoseconds) { return Value::duration(std::chrono::nanoseconds(nanoseconds)); };
  return sum_of<std::int64_t>(*arguments[0].as_list(), read, make, "duration overflow");
}

// NaN comes first, so that the order is strict.
bool comes_before(const Value& a, const Value& b) {
  const auto a_number = a.as_number();
  const auto b_number = b.as_number();
  const bool a_is_nan = a_number && std::isnan(*a_number);
  const bool b_is_nan = b_number && std::isnan(*b_number);
  if (a_is_nan || b_is_nan) return a_is_nan && !b_is_nan;
  return compare_values(a, b) == std::partial_ordering::less;
}

Result<Value> sort_by(const List& list, const List& keys) {
  const auto sorted = elements_of(keys);
  const bool has_one_type =
      std::ranges::all_of(sorted, [&](const Value& key) { return key.kind() == sorted.front().kind(); });
  if (!has_one_type) return failure("list elements must have the same type");
  std::vector<std::size_t> order(sorted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return comes_before(sorted[a], sorted[b]); });
  std::vector<Value> elements;
  elements.reserve(order.size());
  for (const auto index : order) elements.push_back(list.at(index));
  return Value::list(std::move(elements));
}

Result<Value> sort_list(Arguments arguments) { return sort_by(*arguments[0].as_list(), *arguments[0].as_list()); }

Result<Value> sort_by_keys(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  const auto* keys = arguments[1].as_list();
  if (list->size() != keys->size()) {
    return failure(
        fmt::format("@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
                    "but got {} and {} elements respectively",
                    list->size(), keys->size()));
  }
  return sort_by(*list, *keys);
}

// ---- lists of any elements
// -------------------------------------------------------------------------------------------

Result<Value> index_of_element(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  std::size_t work = most_comparisons;
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto same = equal_values(list->at(i), arguments[1], work);
    if (!same) return fail(std::move(same.error()));
    if (*same) return Value::integer(static_cast<std::int64_t>(i));
  }
  return Value::integer(-1);
}

Result<Value> last_index_of_element(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  std::size_t work = most_comparisons;
  for (std::size_t i = list->size(); i > 0; --i) {
    auto same = equal_values(list->at(i - 1), arguments[1], work);
    if (!same) return fail(std::move(same.error()));
    if (*same) return Value::integer(static_cast<std::int64_t>(i - 1));
  }
  return Value::integer(-1);
}

Result<Value> slice_list(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  const auto start = *arguments[1].as_integer();
  const auto end = *arguments[2].as_integer();
  const auto complaint = [&](const std::string& why) {
    return failure(fmt::format("cannot slice({}, {}), {}", start, end, why));
  };
  if (start < 0 || end < 0) return complaint("negative indexes not supported");
  if (start > end) return complaint("start index must be less than or equal to end index");
  if (std::cmp_less(list->size(), end)) return complaint(fmt::format("list is length {}", list->size()));
  std::vector<Value> elements;
  for (auto i = static_cast<std::size_t>(start); std::cmp_less(i, end); ++i) elements.push_back(list->at(i));
  return Value::list(std::move(elements));
}

Result<void> flatten_into(std::vector<Value>& out, const List& list, std::int64_t depth) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto element = list.at(i);
    if (const auto* inner = element.as_list(); inner != nullptr && depth > 0) {
      if (auto added = flatten_into(out, *inner, depth - 1); !added) return added;
      continue;
    }
    if (out.size() >= longest_list) return failure("the result of flatten() is too long");
    out.push_back(std::move(element));
  }
  return {};
}

Result<Value> flatten_list(Arguments arguments) {
  const auto depth = arguments.size() == 2 ? *arguments[1].as_integer() : 1;
  if (depth < 0) return failure("level must be non-negative");
  std::vector<Value> elements;
  if (auto added = flatten_into(elements, *arguments[0].as_list(), depth); !added)
    return fail(std::move(added.error()));
  return Value::list(std::move(elements));
}

Result<Value> reverse_list(Arguments arguments) {
  auto elements = elements_of(*arguments[0].as_list());
  std::ranges::reverse(elements);
  return Value::list(std::move(elements));
}

Result<Value> distinct_elements(Arguments arguments) {
  std::vector<Value> kept;
  std::size_t work = most_comparisons;
  for (auto& element : elements_of(*arguments[0].as_list())) {
    bool is_new = true;
    for (std::size_t i = 0; i < kept.size() && is_new; ++i) {
      auto same = equal_values(element, kept[i], work);
      if (!same) return fail(std::move(same.error()));
      is_new = !*same;
    }
    if (is_new) kept.push_back(std::move(element));
  }
  return Value::list(std::move(kept));
}

// The numbers from 0 to size - 1.
class NumberList final : public List {
 public:
  explicit NumberList(std::size_t size) noexcept : size_(size) {}
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] Value at(std::size_t index) const override { return Value::integer(static_cast<std::int64_t>(index)); }

 private:
  std::size_t size_;
};

Result<Value> number_range(Arguments arguments) {
  const auto size = std::max<std::int64_t>(0, *arguments[0].as_integer());
  if (std::cmp_greater(size, longest_list)) return failure("the result of lists.range() is too long");
  return Value::list(std::shared_ptr<const List>(std::make_shared<NumberList>(static_cast<std::size_t>(size))));
}

Result<Value> first_element(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  return list->size() == 0 ? Value::none() : Value::some(list->at(0));
}
Result<Value> last_element(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  return list->size() == 0 ? Value::none() : Value::some(list->at(list->size() - 1));
}

Result<Value> unwrap_optionals(Arguments arguments) {
  std::vector<Value> elements;
  for (const auto& element : elements_of(*arguments[0].as_list())) {
    if (!element.is_optional()) {
      return failure("value of type " + std::string(element.type_of().name()) + " is not optional");
    }
    if (const auto* value = element.optional_value()) elements.push_back(*value);
  }
  return Value::list(std::move(elements));
}

// ---- sets
// ------------------------------------------------------------------------------------------------------------

Result<bool> has_element(const List& list, const Value& element, std::size_t& work) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto same = equal_values(element, list.at(i), work);
    if (!same || *same) return same;
  }
  return false;
}

// Whether each element of the second list is in the first one (`wanted`), or none is.
Result<bool> all_in(const List& list, const List& elements, bool wanted, std::size_t& work) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto found = has_element(list, elements.at(i), work);
    if (!found) return found;
    if (*found != wanted) return false;
  }
  return true;
}

Result<Value> sets_contains(Arguments arguments) {
  std::size_t work = most_comparisons;
  auto all = all_in(*arguments[0].as_list(), *arguments[1].as_list(), true, work);
  return all ? Result<Value>(Value::boolean(*all)) : fail(std::move(all.error()));
}

Result<Value> sets_equivalent(Arguments arguments) {
  std::size_t work = most_comparisons;
  auto all = all_in(*arguments[0].as_list(), *arguments[1].as_list(), true, work);
  if (all && *all) all = all_in(*arguments[1].as_list(), *arguments[0].as_list(), true, work);
  return all ? Result<Value>(Value::boolean(*all)) : fail(std::move(all.error()));
}

Result<Value> sets_intersects(Arguments arguments) {
  std::size_t work = most_comparisons;
  auto none = all_in(*arguments[1].as_list(), *arguments[0].as_list(), false, work);
  return none ? Result<Value>(Value::boolean(!*none)) : fail(std::move(none.error()));
}

// ---- costs and declarations
// ------------------------------------------------------------------------------------------

constexpr std::uint64_t cost_of_new_list = 1 + cost_of_list;

std::uint64_t cost_of_list_scan(Arguments arguments, const Value& /*result*/) { return cost_of_elements(arguments[0]); }
std::uint64_t cost_of_result(Arguments /*arguments*/, const Value& result) {
  return size_of(result) + cost_of_new_list;
}
std::uint64_t cost_of_flatten(Arguments arguments, const Value& /*result*/) {
  const auto depth = arguments.size() == 2 ? static_cast<std::uint64_t>(*arguments[1].as_integer()) : 1;
  const auto size = size_of(arguments[0]);
  std::uint64_t cost = 0;
  return __builtin_mul_overflow(size, depth, &cost) ? UINT64_MAX / 2 : cost + cost_of_new_list;
}

// Two units for each pair of elements, and a tenth more for texts.
std::uint64_t cost_of_pairs(const Value& value) {
  const auto size = size_of(value);
  const auto kind = size == 0 ? Type::Kind::null : value.as_list()->at(0).kind();
  const bool is_text = kind == Type::Kind::string || kind == Type::Kind::bytes;
  return size * size * (is_text ? 21 : 20) / 10 + cost_of_new_list;
}
std::uint64_t cost_of_first_pairs(Arguments arguments, const Value& /*result*/) { return cost_of_pairs(arguments[0]); }
std::uint64_t cost_of_key_pairs(Arguments arguments, const Value& /*result*/) { return cost_of_pairs(arguments[1]); }

std::uint64_t cost_of_product(Arguments arguments, const Value& /*result*/) {
  return 1 + size_of(arguments[0]) * size_of(arguments[1]);
}
std::uint64_t cost_of_two_products(Arguments arguments, const Value& /*result*/) {
  return 1 + 2 * size_of(arguments[0]) * size_of(arguments[1]);
}

// One overload for each type of elements that have an order.
template <class Make>
FunctionDeclaration for_comparable(std::string name, Make make) {
  FunctionDeclaration declaration{.name = std::move(name)};
  for (const auto& type : comparable_types()) declaration.overloads.push_back(make(type));
  return declaration;
}

std::vector<FunctionDeclaration> ordered_functions() {
  const auto any = Type::parameter("T");
  const auto list = [](const Type& type) { return Type::list(type); };
  return {
      for_comparable(
          "isSorted",
          [&](const Type& type) { return member({list(type)}, Type::boolean(), is_sorted, cost_of_list_scan); }),
      for_comparable("min", [&](const Type& type) { return member({list(type)}, type, least, cost_of_list_scan); }),
      for_comparable("max", [&](const Type& type) { return member({list(type)}, type, greatest, cost_of_list_scan); }),
      for_comparable(
          "sort", [&](const Type& type) { return member({list(type)}, list(type), sort_list, cost_of_first_pairs); }),
      for_comparable("@sortByAssociatedKeys",
                     [&](const Type& type) {
                       return member({list(any), list(type)}, list(any), sort_by_keys, cost_of_key_pairs);
                     }),
      {"sum",
       {member({list(Type::integer())}, Type::integer(), sum_integers, cost_of_list_scan),
        member({list(Type::unsigned_integer())}, Type::unsigned_integer(), sum_unsigned, cost_of_list_scan),
        member({list(Type::number())}, Type::number(), sum_numbers, cost_of_list_scan),
        member({list(Type::duration())}, Type::duration(), sum_durations, cost_of_list_scan)}}};
}

std::vector<FunctionDeclaration> general_functions() {
  const auto any = Type::parameter("T");
  const auto list = Type::list(any);
  const auto integer = Type::integer();
  const auto optionals = Type::list(Type::optional(any));
  const auto unknown = Type::list(Type::dyn());
  return {{"indexOf", {member({list, any}, integer, index_of_element, cost_of_list_scan)}},
          {"lastIndexOf", {member({list, any}, integer, last_index_of_element, cost_of_list_scan)}},
          {"slice", {member({list, integer, integer}, list, slice_list, cost_of_result)}},
          {"flatten",
           {member({Type::list(list)}, list, flatten_list, cost_of_flatten),
            member({unknown, integer}, unknown, flatten_list, cost_of_flatten)}},
          {"reverse", {member({list}, list, reverse_list, cost_of_result)}},
          {"distinct", {member({list}, list, distinct_elements, cost_of_first_pairs)}},
          {"lists.range", {global({integer}, Type::list(integer), number_range, cost_of_result)}},
          {"first", {member({list}, Type::optional(any), first_element)}},
          {"last", {member({list}, Type::optional(any), last_element)}},
          {"optional.unwrap", {global({optionals}, list, unwrap_optionals)}},
          {"unwrapOpt", {member({optionals}, list, unwrap_optionals)}}};
}

std::vector<FunctionDeclaration> set_functions() {
  const auto list = Type::list(Type::parameter("T"));
  return {{"sets.contains", {global({list, list}, Type::boolean(), sets_contains, cost_of_product)}},
          {"sets.equivalent", {global({list, list}, Type::boolean(), sets_equivalent, cost_of_two_products)}},
          {"sets.intersects", {global({list, list}, Type::boolean(), sets_intersects, cost_of_product)}}};
}

}  // namespace

Library list_library() {
  Library library;
  for (auto& declarations : {ordered_functions(), general_functions(), set_functions()}) {
    library.functions.insert(library.functions.end(), declarations.begin(), declarations.end());
  }
  return library;
}

}  // namespace pintle::cel
