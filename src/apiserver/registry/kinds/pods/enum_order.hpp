// SPDX-License-Identifier: Apache-2.0
// The order in which the errors of a Pod are reported.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle::apiserver {

// Moves the causes before `enums`, which are about values of enums, to their places among the later ones: the members
// of a Pod are checked in an order that differs from that of their names. `spec`: the path of the spec, "spec". Causes
// about other parts stay first.
void place_enum_causes(std::string_view spec, std::size_t enums, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
