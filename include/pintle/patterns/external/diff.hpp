// SPDX-License-Identifier: Apache-2.0
// Diff: the changes that an external resource needs.
#pragma once

#include <string>

namespace pintle::external {

/// A value type. If both flags are set, the resource is created first and then updated.
struct Diff {
  bool need_create = false;
  bool need_update = false;
  std::string diff{};  ///< a description of the differences, for humans
};

}  // namespace pintle::external
