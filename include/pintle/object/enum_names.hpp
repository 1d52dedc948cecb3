// SPDX-License-Identifier: Apache-2.0
// names_of(): the names of the values of an enumeration in JSON.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace pintle {

/// Returns the JSON names of an enumeration, for the function enum_names(). That function is found by
/// argument-dependent lookup, so declare it next to the enumeration:
///
///   enum class Mode { fast, slow };
///   constexpr auto enum_names(Mode) { return pintle::names_of<Mode>({{Mode::fast, "Fast"}, {Mode::slow, "Slow"}}); }
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::array<std::pair<Enum, std::string_view>, N> names_of(
    const std::pair<Enum, std::string_view> (&names)[N]) {
  return std::to_array(names);
}

}  // namespace pintle
