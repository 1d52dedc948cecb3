// SPDX-License-Identifier: Apache-2.0
// The list of the objects of a controller in the debug API.
#pragma once

#include <cstddef>
#include <string>

#include "debug_values.hpp"

namespace pintle {

struct ObjectsFilter {
  std::string search{};       // part of the key
  bool is_not_ready = false;  // only objects that are not ready or whose reconcile fails
  std::size_t limit = 100;
};

// Failing objects first, then those that are not ready, then by key.
[[nodiscard]] json::Value objects_value(const ControllerRunner& controller, const ObjectsFilter& filter,
                                        const ReconcileHistory& history, const Moment& moment);

}  // namespace pintle
