// SPDX-License-Identifier: Apache-2.0
// The cost of operations, as Kubernetes counts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <pintle/cel/value.hpp>

namespace pintle::cel {

inline constexpr std::uint64_t cost_of_list = 10;
inline constexpr std::uint64_t cost_of_map = 30;
inline constexpr std::uint64_t cost_of_object = 40;

// An opaque value whose size counts for the cost, such as a network address: its bytes.
class Sized {
 public:
  virtual ~Sized() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// The number of code points, bytes, elements or entries; 1 for other values.
[[nodiscard]] std::uint64_t size_of(const Value& value);
// A tenth of a unit for each part, rounded up.
[[nodiscard]] constexpr std::uint64_t cost_of_traversal(std::uint64_t size) noexcept {
  return size / 10 + (size % 10 != 0);
}

// The same for several traversals.
[[nodiscard]] constexpr std::uint64_t cost_of_traversals(std::uint64_t size, std::uint64_t count) noexcept {
  return cost_of_traversal(size * count);
}
// The elements of a list and what they contain; a tenth of a unit for each byte of a text, rounded down.
[[nodiscard]] std::uint64_t cost_of_elements(const Value& value);

[[nodiscard]] std::uint64_t cost_of_comparison(std::span<const Value> arguments);
[[nodiscard]] std::uint64_t cost_of_match(std::span<const Value> arguments);

// Costs of functions: the traversal of the first argument, once and twice.
[[nodiscard]] std::uint64_t cost_of_first(std::span<const Value> arguments, const Value& result);
[[nodiscard]] std::uint64_t cost_of_first_twice(std::span<const Value> arguments, const Value& result);

}  // namespace pintle::cel
