// names_of(): what the values of an enumeration are called in JSON.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace pintle {

// The names of an enumeration in JSON. Found by the type of its argument, so it stands beside the enumeration:
//
//   enum class Mode { fast, slow };
//   constexpr auto enum_names(Mode) { return pintle::names_of<Mode>({{Mode::fast, "Fast"}, {Mode::slow, "Slow"}}); }
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::array<std::pair<Enum, std::string_view>, N> names_of(
    const std::pair<Enum, std::string_view> (&names)[N]) {
  return std::to_array(names);
}

}  // namespace pintle
