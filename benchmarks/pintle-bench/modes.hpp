// SPDX-License-Identifier: Apache-2.0
// The modes of pintle-bench, and the flags that each of them uses.
#pragma once

#include <string_view>
#include <vector>

#include "bench.hpp"

namespace pintle::benchmarks {

struct Mode {
  std::string_view name;
  std::string_view what;
  Measured (*run)(const BenchOptions& options);
  std::vector<std::string_view> flags;  // without hyphens; every mode has --kubeconfig
  std::size_t count = 0;                // default of --count
};

[[nodiscard]] const std::vector<Mode>& all_modes();

}  // namespace pintle::benchmarks
