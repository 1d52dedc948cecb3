// SPDX-License-Identifier: Apache-2.0
// Unions: additions to lists with keys during one evaluation.
#pragma once

#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// kube-apiserver keeps the elements that an addition adds to a set in the set itself. A later addition to the same set
// does not add them again, so its result lacks them (recording cel-lists, rule l39).
class Unions {
 public:
  // The first list with the elements of the second one: an element replaces the one with the same identity, or is
  // appended. The first list has keys.
  [[nodiscard]] Result<Value> add(const Value& first, const List& second);

 private:
  [[nodiscard]] std::vector<Value>& added_to(const Value& set);

  std::vector<std::pair<Value, std::vector<Value>>> added_{};  // a set, and the elements that were added to it
};

}  // namespace pintle::cel
