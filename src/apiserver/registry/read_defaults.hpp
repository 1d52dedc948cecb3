// SPDX-License-Identifier: Apache-2.0
// ReadDefaults: the defaults of a definition for objects that were stored before the definition had them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <pintle/object/schema/structural.hpp>

namespace pintle::apiserver {

// Immutable.
struct ReadDefaults {
  std::uint64_t defined_at = 0;                                  // objects with a later version have the defaults
  std::map<std::string, StructuralSchema, std::less<>> schemas;  // by version
};

}  // namespace pintle::apiserver
