// SPDX-License-Identifier: Apache-2.0
// on_threads: calls a function for a sequence of numbers, on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>

namespace pintle::benchmarks {

// Calls `work` with 0 to count - 1, in this order, on several threads. Ends at the first error. Also ends when a stop
// is requested, without an error.
[[nodiscard]] Result<void> on_threads(Executor& executor, int threads, std::size_t count, const std::stop_token& stop,
                                      const std::function<Result<void>(std::size_t)>& work);

}  // namespace pintle::benchmarks
