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

// The number of code points, bytes, elements or entries; 1 for other values.
[[nodiscard]] std::uint64_t size_of(const Value& value);
// A tenth of a unit for each part, rounded up.
[[nodiscard]] constexpr std::uint64_t cost_of_traversal(std::uint64_t size) noexcept {
  return size / 10 + (size % 10 != 0);
}

[[nodiscard]] std::uint64_t cost_of_comparison(std::span<const Value> arguments);
[[nodiscard]] std::uint64_t cost_of_match(std::span<const Value> arguments);

}  // namespace pintle::cel
