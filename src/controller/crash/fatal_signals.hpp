// FatalSignals: a report of the signal that ends the process, and of the key that its thread worked on.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <sys/types.h>

#include "state_dir.hpp"

namespace pintle {

// A worker as a signal handler sees it. The handler reads only the one of its own thread, which alone writes to it.
struct WorkerSeat {
  std::atomic<pid_t> thread = 0;  // 0: free
  std::atomic<bool> is_busy = false;
  StateDir::Line line{};  // of the key it is busy with
};
using WorkerSeats = std::vector<WorkerSeat>;

// While it lives, SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT write a report with a backtrace to the directory and a
// line to standard error, have the directory name the key of the thread, and then do what they did before: by default
// they end the process with a core dump and its signal. One at a time in a process; a second one does nothing. What it
// was given has to outlive it.
class FatalSignals {
 public:
  FatalSignals(const StateDir& dir, const WorkerSeats& seats);
  ~FatalSignals();
  FatalSignals(const FatalSignals&) = delete;
  FatalSignals& operator=(const FatalSignals&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// A stack for the handlers of the calling thread, so that they also run when its own has overflown. One that the thread
// has already is left alone. Made and destroyed on the same thread.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::unique_ptr<char[]> memory_;
};

}  // namespace pintle
