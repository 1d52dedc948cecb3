// SPDX-License-Identifier: Apache-2.0
// The kinds whose objects are checked: those of the program; without a program, those of all CRDs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <pintle/object/kind.hpp>

#include "doctor/line.hpp"
#include "doctor/options.hpp"

namespace pintle::doctor {

struct CustomKind {
  GroupVersionKind kind{};  // in the stored version if it is served
  std::string plural{};
  std::string crd{};

  [[nodiscard]] NeededRule rule(std::string verb) const { return {kind.group, plural, std::move(verb)}; }
};

// Adds a line if the CRDs cannot be read.
[[nodiscard]] std::vector<CustomKind> custom_kinds(const CheckInput& input, Lines& lines);

// Calls the function with the objects of each kind. Adds lines for kinds that cannot be read, or only in part. Returns
// the number of objects.
std::size_t for_each_kind(const CheckInput& input, Lines& lines,
                          const std::function<void(const CustomKind&, const Listing&)>& function);

}  // namespace pintle::doctor
