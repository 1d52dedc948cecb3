// SPDX-License-Identifier: Apache-2.0
// ControllerDefaults: values for the options that a controller does not set.
#pragma once

#include <chrono>

#include <pintle/base/time.hpp>

namespace pintle {

/// Each member is the default of the member of Controller with the same name.
struct ControllerDefaults {
  int workers = 1;
  Duration timeout{};  ///< 0: none
  /// All objects of a controller are reconciled again at random intervals between 0.9 and 1.1 times this period, with
  /// low priority; 0: never. Unlike Controller::resync_period, it needs no memory for each object.
  Duration resync_period = std::chrono::hours(10);
};

}  // namespace pintle
