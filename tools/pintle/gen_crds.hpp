// pintle gen crd: the CRDs of a program that links pintle.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

struct GenCrdOptions {
  std::vector<std::string> command{};  // the program and its arguments
  std::string out{};                   // folder of files, <plural>.<group>.yaml; empty: standard output
};

// Runs the program with --print-crds and checks what it prints. Prints one line on standard error when it cannot. The
// exit code: 0, 1 where the machine refuses, 2 for a program that does not print CRDs.
[[nodiscard]] int run_gen_crd(const GenCrdOptions& options);

}  // namespace pintle::tools
