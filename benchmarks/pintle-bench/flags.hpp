// What the command line of pintle-bench asks for.
#pragma once

#include <string>

#include "modes.hpp"

namespace pintle::benchmarks {

struct Invocation {
  const Mode* mode = nullptr;
  BenchOptions options{};
  std::string help{};  // not empty: print this and do nothing
};

// MODE and its flags. Error: invalid, in one line that names the mode, the flag and where help is.
[[nodiscard]] Result<Invocation> read_flags(int argc, const char* const* argv);

}  // namespace pintle::benchmarks
