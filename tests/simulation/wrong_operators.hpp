// SPDX-License-Identifier: Apache-2.0
// Operators that are wrong on purpose, each with one classic bug: simulate() must find every one of them.
#pragma once

#include <ostream>
#include <set>
#include <string_view>
#include <vector>

#include <pintle/testing/simulate.hpp>

namespace pintle::wrong_operators {

struct WrongOperator {
  std::string_view name{};               // in CamelCase, for the name of its test
  std::set<testkit::Oracle> expected{};  // the oracles that the bug violates; a trial reports one of them
  testkit::SimulateOptions options{};
  testkit::SubjectSetup setup{};
  std::string_view gap{};  // not empty: simulate() does not find the bug, and this is missing

  // Otherwise GoogleTest prints the bytes, so that the list of tests differs in each run.
  friend void PrintTo(const WrongOperator& wrong, std::ostream* out) { *out << wrong.name; }
};

[[nodiscard]] std::vector<WrongOperator> wrong_operators();

// Those of each file.
[[nodiscard]] std::vector<WrongOperator> wrong_clean_ups();
[[nodiscard]] std::vector<WrongOperator> wrong_dropped_writes();
[[nodiscard]] std::vector<WrongOperator> wrong_identities();
[[nodiscard]] std::vector<WrongOperator> wrong_levels();
[[nodiscard]] std::vector<WrongOperator> wrong_loops();
[[nodiscard]] std::vector<WrongOperator> wrong_memories();
[[nodiscard]] std::vector<WrongOperator> wrong_owners();
[[nodiscard]] std::vector<WrongOperator> wrong_statuses();
[[nodiscard]] std::vector<WrongOperator> wrong_studies();
[[nodiscard]] std::vector<WrongOperator> wrong_webhooks();

}  // namespace pintle::wrong_operators
