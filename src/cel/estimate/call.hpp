// SPDX-License-Identifier: Apache-2.0
// estimate_call(): the cost of one call, and the size of its result.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pintle/cel/cost.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/type.hpp>
#include <pintle/cel/value.hpp>

#include "range.hpp"

namespace pintle::cel {

// An argument or the receiver of a call.
struct Operand {
  Type type{};
  std::vector<std::string> path{};  // empty: not below a variable
  std::optional<Range> size{};      // as far as the expression determines it
  const Value* literal = nullptr;   // the value of a literal
};

struct CallEstimate {
  Range cost{};
  std::optional<Range> size{};
};

// The estimate of a function whose cost depends on its arguments; nothing for a function of one unit. `target` is null
// for a call without a receiver.
[[nodiscard]] std::optional<CallEstimate> estimate_call(const std::string& function, const Overload& overload,
                                                        const Operand* target, std::span<const Operand> arguments,
                                                        const MaxSize& max_size);

}  // namespace pintle::cel
