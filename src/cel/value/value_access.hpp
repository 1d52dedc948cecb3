// SPDX-License-Identifier: Apache-2.0
// ValueAccess: changes a value in place, for the evaluator.
#pragma once

#include <vector>

#include <pintle/cel/value.hpp>

namespace pintle::cel {

class ValueAccess {
 public:
  // Appends elements to a list that an expression made, if nothing else refers to it. Otherwise returns false.
  [[nodiscard]] static bool append(Value& list, std::vector<Value>& elements);
};

}  // namespace pintle::cel
