// SPDX-License-Identifier: Apache-2.0
// The command line of pintle-bench.
#pragma once

#include <string>

#include "modes.hpp"

namespace pintle::benchmarks {

struct Invocation {
  const Mode* mode = nullptr;
  BenchOptions options{};
  std::string help{};  // not empty: print this text and do nothing
};

// Reads MODE and its flags. Error: invalid, in one line that names the mode, the flag and the command for help.
[[nodiscard]] Result<Invocation> read_flags(int argc, const char* const* argv);

}  // namespace pintle::benchmarks
