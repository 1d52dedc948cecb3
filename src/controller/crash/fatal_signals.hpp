// SPDX-License-Identifier: Apache-2.0
// FatalSignals: reports the signal that ends the process, and the key that its thread was reconciling.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <sys/types.h>

#include "state_dir.hpp"

namespace pintle {

// The state of one worker for the signal handler. Only the thread of the worker writes it, and the handler reads only
// the seat of its own thread.
struct WorkerSeat {
  std::atomic<pid_t> thread = 0;  // 0: free
  std::atomic<bool> is_busy = false;
  StateDir::Line line{};  // the line of the key that is being reconciled
};
using WorkerSeats = std::vector<WorkerSeat>;

// While this object exists, SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT write a report with a backtrace to the
// directory and a line to standard error, and mark the key of the thread in the directory. Their previous action
// follows: by default it ends the process with the signal and a core dump. A process has one active instance; a second
// one does nothing. The parameters must outlive this object.
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

// A stack for the signal handlers of the calling thread, so that they also run after an overflow of its own stack. If
// the thread already has such a stack, this does nothing. Must be created and destroyed on the same thread.
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
