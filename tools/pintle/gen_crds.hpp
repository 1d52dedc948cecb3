// SPDX-License-Identifier: Apache-2.0
// pintle gen crd: the CRDs of a program that links pintle.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

struct GenCrdOptions {
  std::vector<std::string> command{};  // the program and its arguments
  std::string out{};                   // folder for the files <plural>.<group>.yaml; empty: standard output
};

// Runs the program with --print-crds, checks its output, and writes the CRDs. An error is printed to standard error on
// one line. Returns the exit code: 0; 1 for an error of the system; 2 for a program that does not print CRDs.
[[nodiscard]] int run_gen_crd(const GenCrdOptions& options);

}  // namespace pintle::tools
