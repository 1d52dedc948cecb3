// Flags: what an operator's command line says, on top of the options in its code.
#pragma once

#include <string>

#include <pintle/runtime/manager.hpp>

namespace pintle {

struct Flags {
  bool print_crds = false;
  bool print_rbac = false;
  std::string help{};  // not empty: --help was asked for
};

// Reads the arguments into `options`, whose values are the defaults. Error: invalid, naming the flag.
[[nodiscard]] Result<Flags> read_flags(ManagerOptions& options);

}  // namespace pintle
