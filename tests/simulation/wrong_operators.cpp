// SPDX-License-Identifier: Apache-2.0
#include "wrong_operators.hpp"

#include <string>
#include <string_view>

namespace pintle::wrong_operators {
namespace {

// "TwoPaint" → "two-paint": the name of a simulation is also that of the manager and of its Lease.
std::string with_hyphens(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !text.empty()) text += '-';
    text += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace

std::vector<WrongOperator> wrong_operators() {
  std::vector<WrongOperator> all;
  for (const auto& some : {wrong_clean_ups(), wrong_dropped_writes(), wrong_identities(), wrong_levels(), wrong_loops(),
                           wrong_memories(), wrong_owners(), wrong_statuses(), wrong_studies(), wrong_webhooks()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  for (WrongOperator& one : all) {
    one.options.name = with_hyphens(one.name);
    one.options.seeds = 500;
    if (one.expected.contains(testkit::Oracle::status_is_current)) continue;
    one.options.without[testkit::Oracle::status_is_current] = "the operator is wrong in another way";
  }
  return all;
}

}  // namespace pintle::wrong_operators
