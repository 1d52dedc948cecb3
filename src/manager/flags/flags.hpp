// Flags: what the command line, the environment and a file say, on top of the options in the code.
#pragma once

#include <string>
#include <vector>

#include <pintle/manager/manager.hpp>

namespace pintle {

struct Flags {
  bool print_crds = false;
  bool print_rbac = false;
  std::string help{};                   // not empty: --help was asked for, and nothing else was read
  std::vector<std::string> warnings{};  // for the log, once there is one
};

// Reads what is given into `options`, whose values are the defaults. Error: invalid, naming the source.
[[nodiscard]] Result<Flags> read_flags(ManagerOptions& options);

}  // namespace pintle
