// SPDX-License-Identifier: Apache-2.0
// The existing sampler (gperftools) would have to be linked into every operator; this one costs nothing until it is
// used. The kernel delivers the signal of the timer to the thread whose work made the timer expire.
#include "cpu_sampler.hpp"

#include <execinfo.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

namespace pintle {
namespace {

constexpr suseconds_t period = 10'000;  // microseconds of CPU time, of all threads together
constexpr std::size_t depth = 64;
constexpr std::size_t room = std::size_t{1} << 20U;  // words

// Stacks in one array, each preceded by the number of its addresses. Signal handlers on any thread add to it.
class Stacks {
 public:
  void add(void* const* addresses, std::size_t count) noexcept {
    const std::size_t at = used_.fetch_add(count + 1);
    if (at >= room || room - at <= count) {
      if (at < room) words_[at] = 0;  // marks the end
      dropped_.fetch_add(1);
      return;
    }
    words_[at] = count;
    for (std::size_t i = 0; i < count; ++i) words_[at + 1 + i] = reinterpret_cast<std::uintptr_t>(addresses[i]);
  }

  // Must be called when no handler runs any more.
  [[nodiscard]] CpuSamples samples() const {
    CpuSamples out{.dropped = dropped_};
    const std::size_t end = std::min<std::size_t>(used_, room);
    for (std::size_t at = 0; at < end && words_[at] != 0; at += words_[at] + 1) {
      const std::uintptr_t* first = &words_[at + 1];
      ++out.stacks[{first, first + words_[at]}];
    }
    return out;
  }

 private:
  std::unique_ptr<std::uintptr_t[]> words_ = std::make_unique_for_overwrite<std::uintptr_t[]>(room);
  std::atomic<std::size_t> used_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
};

// Global, because a signal and its handler belong to the process and a handler can only access static objects.
std::atomic<bool> is_sampling = false;
std::atomic<Stacks*> stacks_now = nullptr;
std::atomic<int> handlers_running = 0;

void on_sample(int) {
  constexpr int own_frames = 2;  // this handler and the signal trampoline, to which it returns
  const int error = errno;
  handlers_running.fetch_add(1);
  if (Stacks* stacks = stacks_now.load()) {
    std::array<void*, depth + own_frames> frames;
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    if (count > own_frames) stacks->add(frames.data() + own_frames, static_cast<std::size_t>(count - own_frames));
  }
  handlers_running.fetch_sub(1);
  errno = error;
}

struct sigaction with_handler(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

itimerval every(suseconds_t microseconds) {
  return {.it_interval = {.tv_sec = 0, .tv_usec = microseconds}, .it_value = {.tv_sec = 0, .tv_usec = microseconds}};
}

bool is_set(const itimerval& timer) { return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0; }

bool is_free(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
}

}  // namespace

struct CpuSampler::State {
  Stacks stacks;
  struct sigaction action_before {};
};

CpuSampler::CpuSampler() = default;

Result<std::unique_ptr<CpuSampler>> CpuSampler::start() {
  const auto taken = [] {
    return fail(ErrorCode::unavailable, "this process is already being profiled; try again when that profile is done");
  };
  // The first use loads the unwinder, which allocates memory. This must not happen in the handler.
  std::array<void*, 1> frame;
  backtrace(frame.data(), 1);
  if (is_sampling.exchange(true)) return taken();
  struct sigaction action_before {};
  sigaction(SIGPROF, nullptr, &action_before);
  itimerval timer_before{};
  getitimer(ITIMER_PROF, &timer_before);
  if (!is_free(action_before) || is_set(timer_before)) {
    is_sampling = false;
    return taken();
  }
  std::unique_ptr<CpuSampler> made(new CpuSampler);
  made->state_ = std::make_unique<State>();
  made->state_->action_before = action_before;
  stacks_now = &made->state_->stacks;
  const struct sigaction ours = with_handler(on_sample);
  sigaction(SIGPROF, &ours, nullptr);
  const itimerval timer = every(period);
  setitimer(ITIMER_PROF, &timer, nullptr);
  return made;
}

CpuSampler::~CpuSampler() {
  if (state_ != nullptr) (void)stop();
}

CpuSamples CpuSampler::stop() {
  const itimerval never = every(0);
  setitimer(ITIMER_PROF, &never, nullptr);
  // Ignoring the signal discards a pending one. With the previous action it could end the process.
  const struct sigaction ignored = with_handler(SIG_IGN);
  sigaction(SIGPROF, &ignored, nullptr);
  stacks_now = nullptr;
  while (handlers_running != 0) sched_yield();
  CpuSamples samples = state_->stacks.samples();
  sigaction(SIGPROF, &state_->action_before, nullptr);
  state_.reset();
  is_sampling = false;
  return samples;
}

}  // namespace pintle
