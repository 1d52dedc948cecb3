// SPDX-License-Identifier: Apache-2.0
// Fiber: a stack, and the registers of the code that runs on it.
#pragma once

#include <csetjmp>
#include <functional>
#include <memory>

#include <cxxabi.h>
#include <ucontext.h>

#include <pintle/sim/fiber_stacks.hpp>

#include "base/thread_body.hpp"

namespace pintle {

// One thread of the machine runs one of its fibers at a time. Each fiber has its own exceptions in progress and its own
// ThreadValues. The destructor frees the stack of a fiber that does not run, without the destructors of the objects on
// it.
class Fiber {
 public:
  // The calling thread, on its own stack.
  Fiber() noexcept;
  // `body` must not return.
  Fiber(std::shared_ptr<FiberStacks> stacks, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Continues `next`, from this fiber, which must be the running one. Returns when another fiber continues this one.
  void switch_to(Fiber& next);

 private:
  // The Itanium C++ ABI defines these members, but the header does not have them.
  struct Exceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  static void enter(unsigned int high, unsigned int low);
  [[noreturn]] void resume();

  std::shared_ptr<FiberStacks> stacks_{};
  void* stack_ = nullptr;  // null: the stack of the thread
  std::function<void()> body_{};
  bool is_new_ = false;
  ucontext_t context_{};      // of a new fiber
  std::jmp_buf registers_{};  // of a fiber that has run
  Exceptions exceptions_{};
  ThreadValues values_{};
};

}  // namespace pintle
