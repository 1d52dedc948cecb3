// SPDX-License-Identifier: Apache-2.0
#include "fatal_signals.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>

#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

namespace pintle {
namespace {

constexpr std::array fatal{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::array<std::string_view, fatal.size()> signal_names{"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT"};
constexpr std::size_t max_frames = 128;
constexpr std::size_t stack_size = std::size_t{64} << 10U;

std::size_t index_of(int signal) {
  return static_cast<std::size_t>(std::find(fatal.begin(), fatal.end(), signal) - fatal.begin());
}

// Global, because signal handlers are global to the process and receive no pointer of the program.
std::atomic<const FatalSignals::State*> active{nullptr};

void write_text(int file, std::string_view text) { (void)!::write(file, text.data(), text.size()); }

}  // namespace

// From here to on_signal() everything is async-signal-safe: no allocation, no lock, no stdio.
struct FatalSignals::State {
  const StateDir& dir;
  const WorkerSeats& seats;
  std::array<struct sigaction, fatal.size()> before{};
  mutable std::atomic<bool> reports = false;

  void report(int signal) const {
    const auto seat = std::find_if(seats.begin(), seats.end(), [self = ::gettid()](const WorkerSeat& one) {
      return one.thread.load(std::memory_order_relaxed) == self && one.is_busy.load(std::memory_order_relaxed);
    });
    if (seat != seats.end()) dir.put_named(static_cast<std::size_t>(seat - seats.begin()), seat->line);
    if (reports.exchange(true))
      return;  // another thread is writing the report; this thread may end the process in the meantime
    const int file = ::open(dir.next_report().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
    std::array<void*, max_frames> frames;
    const int depth = ::backtrace(frames.data(), max_frames);
    for (const int to : {file, STDERR_FILENO}) {
      if (to < 0) continue;
      write_text(to, "pintle: fatal signal ");
      write_text(to, signal_names[index_of(signal)]);
      write_text(
          to, seat == seats.end() ? std::string_view(", not in a reconcile") : std::string_view(" in a reconcile: "));
      if (seat != seats.end()) write_text(to, key_in(seat->line));
      write_text(to, "\n");
    }
    if (file >= 0) ::backtrace_symbols_fd(frames.data(), depth, file);
  }

  // Returns "CONTROLLER NAMESPACE NAME EDITION", separated by tabs.
  static std::string_view key_in(const StateDir::Line& line) {
    std::string_view text(line.data(), line.size() - 1);
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    return text.substr(std::min(text.size(), text.find('\t') + 1));
  }

  // A signal that an instruction caused is raised again when the handler returns, and the core dump then shows its
  // context. A signal that was sent is not raised again, so the handler raises it.
  static void on_signal(int signal, siginfo_t* info, void*) {
    const State* state = active.load();
    if (state == nullptr) return;
    state->report(signal);
    ::sigaction(signal, &state->before[index_of(signal)], nullptr);
    if (info->si_code <= 0) (void)::raise(signal);
  }
};

FatalSignals::FatalSignals(const StateDir& dir, const WorkerSeats& seats)
    : state_(new State{.dir = dir, .seats = seats}) {
  const State* none = nullptr;
  if (!active.compare_exchange_strong(none, state_.get())) {
    state_.reset();
    return;
  }
  void* frame = nullptr;
  (void)::backtrace(&frame, 1);  // the first call loads a library, which a signal handler must not do
  struct sigaction ours {};
  ours.sa_sigaction = State::on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : fatal) sigaddset(&ours.sa_mask, signal);
  for (std::size_t i = 0; i < fatal.size(); ++i) ::sigaction(fatal[i], &ours, &state_->before[i]);
}

FatalSignals::~FatalSignals() {
  if (state_ == nullptr) return;
  for (std::size_t i = 0; i < fatal.size(); ++i) ::sigaction(fatal[i], &state_->before[i], nullptr);
  active.store(nullptr);
}

SignalStack::SignalStack() {
  stack_t before{};
  if (::sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
  memory_ = std::make_unique_for_overwrite<char[]>(stack_size);
  const stack_t ours{.ss_sp = memory_.get(), .ss_flags = 0, .ss_size = stack_size};
  if (::sigaltstack(&ours, nullptr) != 0) memory_.reset();
}

SignalStack::~SignalStack() {
  if (memory_ == nullptr) return;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  ::sigaltstack(&none, nullptr);
}

}  // namespace pintle
