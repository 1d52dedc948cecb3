// SPDX-License-Identifier: Apache-2.0
#include "wrong_operators.hpp"

#include <iterator>

namespace pintle::wrong_operators {

std::vector<WrongOperator> wrong_operators() {
  std::vector<WrongOperator> all;
  for (const auto& some : {wrong_clean_ups(), wrong_identities(), wrong_levels(), wrong_loops(), wrong_memories(),
                           wrong_owners(), wrong_statuses()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  for (WrongOperator& one : all) {
    one.options.name = one.name;
    one.options.seeds = 500;
  }
  return all;
}

}  // namespace pintle::wrong_operators
