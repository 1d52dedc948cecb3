// The modes of pintle-bench, and what each has a use for.
#pragma once

#include <string_view>
#include <vector>

#include "bench.hpp"

namespace pintle::benchmarks {

struct Mode {
  std::string_view name;
  std::string_view what;
  Measured (*run)(const BenchOptions& options);
  std::vector<std::string_view> flags;  // without hyphens; --kubeconfig is for all
  std::size_t count = 0;                // of --count when it is not given
};

[[nodiscard]] const std::vector<Mode>& all_modes();

}  // namespace pintle::benchmarks
