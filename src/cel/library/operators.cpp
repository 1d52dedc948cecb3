// SPDX-License-Identifier: Apache-2.0
// The operators. The evaluator executes some of them itself; these have only a type here.
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/syntax/ast.hpp"
#include "cel/value/order.hpp"
#include "cel/value/time_text.hpp"
#include "cost.hpp"
#include "declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

// ---- arithmetic
// ------------------------------------------------------------------------------------------------------

Result<Value> integer_result(bool overflows, std::int64_t number) {
  if (overflows) return failure("integer overflow");
  return Value::integer(number);
}

Result<Value> unsigned_result(bool overflows, std::uint64_t number) {
  if (overflows) return failure("unsigned integer overflow");
  return Value::unsigned_integer(number);
}

Result<Value> add_integers(Arguments arguments) {
  std::int64_t sum = 0;
  const bool overflows = __builtin_add_overflow(*arguments[0].as_integer(), *arguments[1].as_integer(), &sum);
  return integer_result(overflows, sum);
}

Result<Value> subtract_integers(Arguments arguments) {
  std::int64_t difference = 0;
  const bool overflows = __builtin_sub_overflow(*arguments[0].as_integer(), *arguments[1].as_integer(), &difference);
  return integer_result(overflows, difference);
}

Result<Value> multiply_integers(Arguments arguments) {
  std::int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(*arguments[0].as_integer(), *arguments[1].as_integer(), &product);
  return integer_result(overflows, product);
}

Result<Value> negate_integer(Arguments arguments) {
  std::int64_t negated = 0;
  const bool overflows = __builtin_sub_overflow(std::int64_t{0}, *arguments[0].as_integer(), &negated);
  return integer_result(overflows, negated);
}

bool is_minimum_by_minus_one(Arguments arguments) {
  return *arguments[0].as_integer() == std::numeric_limits<std::int64_t>::min() && *arguments[1].as_integer() == -1;
}

Result<Value> divide_integers(Arguments arguments) {
  if (*arguments[1].as_integer() == 0) return failure("division by zero");
  if (is_minimum_by_minus_one(arguments)) return failure("integer overflow");
  return Value::integer(*arguments[0].as_integer() / *arguments[1].as_integer());
}

Result<Value> modulo_integers(Arguments arguments) {
  if (*arguments[1].as_integer() == 0) return failure("modulus by zero");
  if (is_minimum_by_minus_one(arguments)) return failure("integer overflow");
  return Value::integer(*arguments[0].as_integer() % *arguments[1].as_integer());
}

Result<Value> add_unsigned(Arguments arguments) {
  std::uint64_t sum = 0;
  const bool overflows = __builtin_add_overflow(*arguments[0].as_unsigned(), *arguments[1].as_unsigned(), &sum);
  return unsigned_result(overflows, sum);
}

Result<Value> subtract_unsigned(Arguments arguments) {
  std::uint64_t difference = 0;
  const bool overflows = __builtin_sub_overflow(*arguments[0].as_unsigned(), *arguments[1].as_unsigned(), &difference);
  return unsigned_result(overflows, difference);
}

Result<Value> multiply_unsigned(Arguments arguments) {
  std::uint64_t product = 0;
  const bool overflows = __builtin_mul_overflow(*arguments[0].as_unsigned(), *arguments[1].as_unsigned(), &product);
  return unsigned_result(overflows, product);
}

Result<Value> divide_unsigned(Arguments arguments) {
  if (*arguments[1].as_unsigned() == 0) return failure("division by zero");
  return Value::unsigned_integer(*arguments[0].as_unsigned() / *arguments[1].as_unsigned());
}

Result<Value> modulo_unsigned(Arguments arguments) {
  if (*arguments[1].as_unsigned() == 0) return failure("modulus by zero");
  return Value::unsigned_integer(*arguments[0].as_unsigned() % *arguments[1].as_unsigned());
}

Result<Value> add_numbers(Arguments arguments) {
  return Value::number(*arguments[0].as_number() + *arguments[1].as_number());
}
Result<Value> subtract_numbers(Arguments arguments) {
  return Value::number(*arguments[0].as_number() - *arguments[1].as_number());
}
Result<Value> multiply_numbers(Arguments arguments) {
  return Value::number(*arguments[0].as_number() * *arguments[1].as_number());
}

// The quotient of IEEE 754, which is defined for every divisor.
#if defined(__clang__)
__attribute__((no_sanitize("float-divide-by-zero")))
#endif
Result<Value>
divide_numbers(Arguments arguments) {
  return Value::number(*arguments[0].as_number() / *arguments[1].as_number());
}

Result<Value> negate_number(Arguments arguments) { return Value::number(-*arguments[0].as_number()); }

// ---- time
// ------------------------------------------------------------------------------------------------------------

Result<Value> duration_result(bool overflows, std::int64_t nanoseconds) {
  if (overflows) return failure("duration overflow");
  return Value::duration(std::chrono::nanoseconds(nanoseconds));
}

Result<Value> timestamp_result(const std::optional<Timestamp>& time) {
  if (!time) return failure("timestamp overflow");
  return Value::timestamp(*time);
}

Result<Value> add_durations(Arguments arguments) {
  std::int64_t sum = 0;
  const bool overflows =
      __builtin_add_overflow(arguments[0].as_duration()->count(), arguments[1].as_duration()->count(), &sum);
  return duration_result(overflows, sum);
}

Result<Value> subtract_durations(Arguments arguments) {
  std::int64_t difference = 0;
  const bool overflows =
      __builtin_sub_overflow(arguments[0].as_duration()->count(), arguments[1].as_duration()->count(), &difference);
  return duration_result(overflows, difference);
}

Result<Value> add_to_timestamp(Arguments arguments) {
  return timestamp_result(add(*arguments[0].as_timestamp(), *arguments[1].as_duration()));
}
Result<Value> add_to_duration(Arguments arguments) {
  return timestamp_result(add(*arguments[1].as_timestamp(), *arguments[0].as_duration()));
}

Result<Value> subtract_from_timestamp(Arguments arguments) {
  std::int64_t negated = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, arguments[1].as_duration()->count(), &negated)) {
    return failure("timestamp overflow");
  }
  return timestamp_result(add(*arguments[0].as_timestamp(), std::chrono::nanoseconds(negated)));
}

Result<Value> subtract_timestamps(Arguments arguments) {
  const auto difference = subtract(*arguments[0].as_timestamp(), *arguments[1].as_timestamp());
  if (!difference) return failure("duration overflow");
  return Value::duration(*difference);
}

// ---- strings and lists
// -----------------------------------------------------------------------------------------------

Result<Value> add_texts(std::string_view a, std::string_view b, Value (*make)(std::string)) {
  if (a.size() + b.size() > longest_text) return failure("the result of an addition is too long");
  std::string sum;
  sum.reserve(a.size() + b.size());
  sum.append(a).append(b);
  return make(std::move(sum));
}

Result<Value> add_strings(Arguments arguments) {
  return add_texts(*arguments[0].as_string(), *arguments[1].as_string(), &Value::string);
}
Result<Value> add_bytes(Arguments arguments) {
  return add_texts(*arguments[0].as_bytes(), *arguments[1].as_bytes(), &Value::bytes);
}

std::uint64_t cost_of_addition(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversal(size_of(arguments[0]) + size_of(arguments[1]));
}

// Two lists, one behind the other, without a copy.
class JoinedList final : public List {
 public:
  JoinedList(Value first, Value second) noexcept
      : first_(std::move(first)),
        second_(std::move(second)),
        first_size_(first_.as_list()->size()),
        size_(first_size_ + second_.as_list()->size()) {}

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] Value at(std::size_t index) const override {
    if (index < first_size_) return first_.as_list()->at(index);
    return second_.as_list()->at(index - first_size_);
  }

 private:
  Value first_;
  Value second_;
  std::size_t first_size_;
  std::size_t size_;
};

// The evaluator adds to lists with keys itself.
Result<Value> add_lists(Arguments arguments) {
  const auto size = arguments[0].as_list()->size() + arguments[1].as_list()->size();
  if (size > longest_list) return failure("the result of an addition is too long");
  if (arguments[0].as_list()->size() == 0) return arguments[1];
  if (arguments[1].as_list()->size() == 0) return arguments[0];
  return Value::list(std::shared_ptr<const List>(std::make_shared<JoinedList>(arguments[0], arguments[1])));
}

// ---- comparison
// ------------------------------------------------------------------------------------------------------

using Test = bool (*)(std::partial_ordering);

Function compare_by(Test test) {
  return [test](Arguments arguments) -> Result<Value> {
    const auto order = compare_values(arguments[0], arguments[1]);
    if (!order) return failure("no such overload");
    if (*order == std::partial_ordering::unordered) return failure("NaN values cannot be ordered");
    return Value::boolean(test(*order));
  };
}

FunctionDeclaration comparison(std::string name, Test test) {
  FunctionDeclaration declaration{.name = std::move(name)};
  const auto function = compare_by(test);
  for (const auto& type : {Type::boolean(), Type::timestamp(), Type::duration()}) {
    declaration.overloads.push_back(global({type, type}, Type::boolean(), function));
  }
  const auto cost = [](Arguments arguments, const Value&) { return cost_of_comparison(arguments); };
  for (const auto& type : {Type::string(), Type::bytes()}) {
    declaration.overloads.push_back(global({type, type}, Type::boolean(), function, cost));
  }
  const std::vector<Type> numbers = {Type::integer(), Type::unsigned_integer(), Type::number()};
  for (const auto& left : numbers) {
    for (const auto& right : numbers) {
      declaration.overloads.push_back(global({left, right}, Type::boolean(), function));
    }
  }
  return declaration;
}

std::vector<FunctionDeclaration> comparisons() {
  return {comparison("_<_", [](std::partial_ordering order) { return order < 0; }),
          comparison("_<=_", [](std::partial_ordering order) { return order <= 0; }),
          comparison("_>_", [](std::partial_ordering order) { return order > 0; }),
          comparison("_>=_", [](std::partial_ordering order) { return order >= 0; })};
}

// ---- declarations
// ----------------------------------------------------------------------------------------------------

Overload binary(const Type& type, Function function, FunctionCost cost = {}) {
  return global({type, type}, type, std::move(function), std::move(cost));
}

std::vector<FunctionDeclaration> arithmetic() {
  const auto integer = Type::integer();
  const auto natural = Type::unsigned_integer();
  const auto number = Type::number();
  const auto time = Type::timestamp();
  const auto duration = Type::duration();
  const auto list = Type::list(Type::parameter("A"));
  return {
      {op::add,
       {binary(Type::bytes(), add_bytes, cost_of_addition), binary(number, add_numbers),
        binary(duration, add_durations), global({duration, time}, time, add_to_duration),
        global({time, duration}, time, add_to_timestamp), binary(integer, add_integers), binary(list, add_lists),
        binary(Type::string(), add_strings, cost_of_addition), binary(natural, add_unsigned)}},
      {"_-_",
       {binary(number, subtract_numbers), binary(duration, subtract_durations), binary(integer, subtract_integers),
        global({time, duration}, time, subtract_from_timestamp), global({time, time}, duration, subtract_timestamps),
        binary(natural, subtract_unsigned)}},
      {"_*_",
       {binary(number, multiply_numbers), binary(integer, multiply_integers), binary(natural, multiply_unsigned)}},
      {"_/_", {binary(number, divide_numbers), binary(integer, divide_integers), binary(natural, divide_unsigned)}},
      {"_%_", {binary(integer, modulo_integers), binary(natural, modulo_unsigned)}},
      {op::negate, {global({integer}, integer, negate_integer), global({number}, number, negate_number)}},
  };
}

std::vector<FunctionDeclaration> logic() {
  const auto boolean = Type::boolean();
  const auto any = Type::parameter("A");
  return {
      {op::conditional, {global({boolean, any, any}, any, {})}},
      {op::logical_and, {binary(boolean, {})}},
      {op::logical_or, {binary(boolean, {})}},
      {op::not_strictly_false, {global({boolean}, boolean, {})}},
      {op::logical_not,
       {global({boolean}, boolean,
               [](Arguments arguments) -> Result<Value> { return Value::boolean(!*arguments[0].as_bool()); })}},
      {op::equals, {global({any, any}, boolean, {})}},
      {op::not_equals, {global({any, any}, boolean, {})}},
  };
}

std::vector<FunctionDeclaration> members() {
  const auto element = Type::parameter("V");
  const auto key = Type::parameter("K");
  const auto list = Type::list(element);
  const auto map = Type::map(key, element);
  const auto some = Type::optional(element);
  const auto in_optional = [&](const Type& result_of_plain) {
    return std::vector<Overload>{
        global({list, Type::integer()}, result_of_plain, {}), global({map, key}, result_of_plain, {}),
        global({Type::optional(list), Type::integer()}, some, {}), global({Type::optional(map), key}, some, {})};
  };
  return {
      {op::in, {global({element, list}, Type::boolean(), {}), global({key, map}, Type::boolean(), {})}},
      {op::index, in_optional(element)},
      {op::optional_index, in_optional(some)},
      {op::map_insert, {global({map, key, element}, map, {}), global({map, map}, map, {})}},
  };
}

}  // namespace

Library operator_library() {
  Library library;
  for (auto& declarations : {arithmetic(), comparisons(), logic(), members()}) {
    library.functions.insert(library.functions.end(), declarations.begin(), declarations.end());
  }
  return library;
}

}  // namespace pintle::cel
