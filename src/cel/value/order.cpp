// SPDX-License-Identifier: Apache-2.0
#include "order.hpp"

#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

// The conversion of a large integer to a double would round it, so the double is converted.
template <class Integer>
std::partial_ordering compare_with_number(Integer a, double b) noexcept {
  constexpr double end = std::is_signed_v<Integer> ? two_to_63 : two_to_64;
  constexpr double start = std::is_signed_v<Integer> ? -two_to_63 : 0;
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= end) return std::partial_ordering::less;
  if (b < start) return std::partial_ordering::greater;
  const auto whole = static_cast<Integer>(b);
  if (a != whole) return a <=> whole;
  return 0.0 <=> (b - static_cast<double>(whole));
}

std::partial_ordering compare_signs(std::int64_t a, std::uint64_t b) noexcept {
  if (a < 0) return std::partial_ordering::less;
  return static_cast<std::uint64_t>(a) <=> b;
}

std::partial_ordering reverse(std::partial_ordering order) noexcept { return 0 <=> order; }

int rank_of_key(const Value& key) noexcept {
  switch (key.kind()) {
    case Kind::boolean: return 1;
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::number: return 2;
    case Kind::string: return 3;
    default: return 0;
  }
}

// Each element of `a` is equal to an element of `b`, in any order.
Result<bool> equal_sets(const List& a, const List& b, std::size_t& work) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    // The element of the same place is compared first, because the order is often the same.
    bool is_found = false;
    for (std::size_t j = 0; j < b.size() && !is_found; ++j) {
      auto same = equal_values(a.at(i), b.at((i + j) % b.size()), work);
      if (!same) return same;
      is_found = *same;
    }
    if (!is_found) return false;
  }
  return true;
}

Result<bool> equal_lists(const List& a, const List& b, std::size_t& work) {
  if (a.size() != b.size()) return false;
  if (a.keys() != nullptr) return equal_sets(a, b, work);
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto same = equal_values(a.at(i), b.at(i), work);
    if (!same || !*same) return same;
  }
  return true;
}

Result<bool> equal_maps(const Map& a, const Map& b, std::size_t& work) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto key = a.key_at(i);
    auto other = b.find(key);
    if (!other) return fail(std::move(other.error()));
    if (!other->has_value()) return false;
    auto own = a.find(key);
    if (!own) return fail(std::move(own.error()));
    auto same = equal_values(own->value_or(Value()), **other, work);
    if (!same || !*same) return same;
  }
  return true;
}

Result<bool> equal_optionals(const Value& a, const Value& b, std::size_t& work) {
  const auto* left = a.optional_value();
  const auto* right = b.optional_value();
  if (left == nullptr || right == nullptr) return left == right;
  return equal_values(*left, *right, work);
}

Result<bool> equal_of_kind(const Value& a, const Value& b, std::size_t& work) {
  switch (a.kind()) {
    case Kind::null: return true;
    case Kind::list: return equal_lists(*a.as_list(), *b.as_list(), work);
    case Kind::map: return equal_maps(*a.as_map(), *b.as_map(), work);
    case Kind::optional: return equal_optionals(a, b, work);
    case Kind::type: return a.as_type()->kind() == b.as_type()->kind() && a.as_type()->name() == b.as_type()->name();
    case Kind::opaque: {
      const auto* left = a.as_opaque<Opaque>();
      const auto* right = b.as_opaque<Opaque>();
      return left->type() == right->type() && left->equals(*right);
    }
    default: return compare_values(a, b) == std::partial_ordering::equivalent;
  }
}

}  // namespace

std::optional<std::partial_ordering> compare_numbers(const Value& a, const Value& b) noexcept {
  if (const auto left = a.as_integer()) {
    if (const auto right = b.as_integer()) return *left <=> *right;
    if (const auto right = b.as_unsigned()) return compare_signs(*left, *right);
    if (const auto right = b.as_number()) return compare_with_number(*left, *right);
  } else if (const auto left_unsigned = a.as_unsigned()) {
    if (const auto right = b.as_unsigned()) return *left_unsigned <=> *right;
    if (const auto right = b.as_integer()) return reverse(compare_signs(*right, *left_unsigned));
    if (const auto right = b.as_number()) return compare_with_number(*left_unsigned, *right);
  } else if (const auto left_number = a.as_number()) {
    if (const auto right = b.as_number()) return *left_number <=> *right;
    if (const auto right = b.as_integer()) return reverse(compare_with_number(*right, *left_number));
    if (const auto right = b.as_unsigned()) return reverse(compare_with_number(*right, *left_number));
  }
  return std::nullopt;
}

std::optional<std::partial_ordering> compare_values(const Value& a, const Value& b) noexcept {
  if (const auto numbers = compare_numbers(a, b)) return numbers;
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::boolean: return *a.as_bool() <=> *b.as_bool();
    case Kind::string: return *a.as_string() <=> *b.as_string();
    case Kind::bytes: return *a.as_bytes() <=> *b.as_bytes();
    case Kind::timestamp: return *a.as_timestamp() <=> *b.as_timestamp();
    case Kind::duration: return a.as_duration()->count() <=> b.as_duration()->count();
    default: return std::nullopt;
  }
}

Result<bool> equal_values(const Value& a, const Value& b, std::size_t& work) {
  if (work == 0) return fail(ErrorCode::invalid, "comparison of too many values");
  --work;
  if (const auto numbers = compare_numbers(a, b)) return *numbers == std::partial_ordering::equivalent;
  return a.kind() == b.kind() ? equal_of_kind(a, b, work) : Result<bool>(false);
}

Result<bool> same_element(const Value& a, const Value& b, const ListKeys& keys, std::size_t& work) {
  if (keys.names.empty()) return equal_values(a, b, work);
  const auto* left = a.as_map();
  const auto* right = b.as_map();
  if (left == nullptr || right == nullptr) return false;
  for (const auto& name : keys.names) {
    auto own = left->find(Value::borrowed_string(name));
    auto other = right->find(Value::borrowed_string(name));
    if (!own) return fail(std::move(own.error()));
    if (!other) return fail(std::move(other.error()));
    auto same = equal_values(own->value_or(Value()), other->value_or(Value()), work);
    if (!same || !*same) return same;
  }
  return true;
}

bool key_less(const Value& a, const Value& b) noexcept {
  const auto rank_a = rank_of_key(a);
  const auto rank_b = rank_of_key(b);
  if (rank_a != rank_b) return rank_a < rank_b;
  return compare_values(a, b) == std::partial_ordering::less;
}

}  // namespace pintle::cel
