// SPDX-License-Identifier: Apache-2.0
// CpuSampler: samples the stacks on which this process spends CPU time, at most a hundred times in each second of CPU
// time. Work in bursts that are shorter than a tick of the kernel is sampled less often, so the shares are more
// reliable than the sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle {

struct CpuSamples {
  // The number of samples of each stack. A stack is a list of addresses, beginning with the innermost function. All
  // addresses except the first are return addresses.
  std::map<std::vector<std::uintptr_t>, std::uint64_t> stacks{};
  std::uint64_t dropped = 0;  // samples without room
};

// Uses SIGPROF and its timer while it exists, and restores both afterwards; other signals are not affected. It
// interrupts threads that run, never one that waits. It has room for about 8 MiB of stacks with up to 64 calls.
// Thread-safety: one owner.
class CpuSampler {
 public:
  // Error: unavailable if another CpuSampler or another profiler already samples this process.
  [[nodiscard]] static Result<std::unique_ptr<CpuSampler>> start();
  ~CpuSampler();
  CpuSampler(const CpuSampler&) = delete;
  CpuSampler& operator=(const CpuSampler&) = delete;

  // Ends the sampling and returns the samples. Must be called once at most.
  [[nodiscard]] CpuSamples stop();

 private:
  CpuSampler();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pintle
