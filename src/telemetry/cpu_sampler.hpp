// CpuSampler: where this process spends its CPU time, as stacks that are taken at most a hundred times in each second
// of it. Work in bursts that are shorter than a tick of the kernel is met less often, so the shares tell more than the
// sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle {

struct CpuSamples {
  // How often each stack was met: addresses from the innermost function out. All but the first are where a call
  // returns to.
  std::map<std::vector<std::uintptr_t>, std::uint64_t> stacks{};
  std::uint64_t dropped = 0;  // that found no room
};

// Takes SIGPROF and the timer behind it while it lives, and puts both back; no other signal is touched. It interrupts
// threads at work, never one that waits. Room for about 8 MiB of stacks, 64 calls deep. Thread-safety: one owner.
class CpuSampler {
 public:
  // Error: unavailable while somebody in this process samples already, we or another profiler.
  [[nodiscard]] static Result<std::unique_ptr<CpuSampler>> start();
  ~CpuSampler();
  CpuSampler(const CpuSampler&) = delete;
  CpuSampler& operator=(const CpuSampler&) = delete;

  // Ends it and answers what was seen; once.
  [[nodiscard]] CpuSamples stop();

 private:
  CpuSampler();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pintle
