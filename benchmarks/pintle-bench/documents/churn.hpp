// SPDX-License-Identifier: Apache-2.0
// Churn: a cache whose objects are continuously replaced by objects with new values.
#pragma once

#include <cstdint>

#include <benchmark/benchmark.h>

namespace pintle::benchmarks {

// Counters: the resident MB after a tenth of the replacements and after all of them, and the size of the pool at the
// end.
void churn(benchmark::State& state, std::uint64_t replacements);

}  // namespace pintle::benchmarks
