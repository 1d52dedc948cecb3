// Churn: a cache whose objects are replaced for ever by ones with new values.
#pragma once

#include <cstdint>

#include <benchmark/benchmark.h>

namespace pintle::benchmarks {

// Counters: MB resident after a tenth of the replacements and after all of them, and what the pool shares then.
void churn(benchmark::State& state, std::uint64_t replacements);

}  // namespace pintle::benchmarks
