// SPDX-License-Identifier: Apache-2.0
// Compares an installed CRD with the one that a program prints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <pintle/json/document.hpp>

namespace pintle::doctor {

struct CrdDifferences {
  std::vector<std::string> pointers{};  // the first ones, such as "v1: /schema/openAPIV3Schema/properties/spec"
  bool has_more = false;
  bool is_lossy = false;  // the installed CRD lacks or changes something that the program declares
};

// Compares the versions that both CRDs have. Members that mean the same as missing ones are equal to them, because a
// server adds or removes them.
[[nodiscard]] CrdDifferences compare_crds(json::View installed, json::View printed, std::size_t max_pointers = 3);

}  // namespace pintle::doctor
