// SPDX-License-Identifier: Apache-2.0
// The longjmp() of _FORTIFY_SOURCE takes the stack of another fiber for a stack that has been left, and aborts.
#undef _FORTIFY_SOURCE
#include "fiber.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace pintle {
namespace {

constexpr std::size_t stack_size = std::size_t{8} << 20U;

std::size_t guard_size() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

constexpr bool has_sanitizer() noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
  return false;
#endif
}

}  // namespace

std::shared_ptr<FiberStacks> FiberStacks::make() {
  if (has_sanitizer()) return nullptr;
  return std::shared_ptr<FiberStacks>(new FiberStacks());
}

FiberStacks::~FiberStacks() {
  for (void* stack : unused_) ::munmap(stack, stack_size);
}

void* FiberStacks::take() {
  if (!unused_.empty()) {
    void* stack = unused_.back();
    unused_.pop_back();
    return stack;
  }
  void* stack = ::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED || ::mprotect(stack, guard_size(), PROT_NONE) != 0) {
    std::perror("simulation: the stack of a fiber");
    std::abort();
  }
  return stack;
}

void FiberStacks::put_back(void* stack) { unused_.push_back(stack); }

Fiber::Fiber() noexcept = default;

Fiber::Fiber(std::shared_ptr<FiberStacks> stacks, std::function<void()> body)
    : stacks_(std::move(stacks)), stack_(stacks_->take()), body_(std::move(body)), is_new_(true) {
  ::getcontext(&context_);
  context_.uc_stack.ss_sp = static_cast<char*>(stack_) + guard_size();
  context_.uc_stack.ss_size = stack_size - guard_size();
  context_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  ::makecontext(&context_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned int>(self >> 32U),
                static_cast<unsigned int>(self));
}

Fiber::~Fiber() {
  if (stack_ != nullptr) stacks_->put_back(stack_);
}

// makecontext() passes only numbers of the size of an int.
void Fiber::enter(unsigned int high, unsigned int low) {
  const auto self = static_cast<std::uintptr_t>(high) << 32U | low;
  reinterpret_cast<Fiber*>(self)->body_();
  std::abort();
}

void Fiber::switch_to(Fiber& next) {
  auto* const exceptions = abi::__cxa_get_globals();
  std::memcpy(&exceptions_, static_cast<void*>(exceptions), sizeof exceptions_);
  std::memcpy(static_cast<void*>(exceptions), &next.exceptions_, sizeof next.exceptions_);
  values_ = std::exchange(thread_values(), next.values_);
  // Unlike swapcontext(), this makes no system call. All fibers have the same signal mask.
  if (_setjmp(registers_) == 0) next.resume();
}

void Fiber::resume() {
  if (std::exchange(is_new_, false)) ::setcontext(&context_);
  _longjmp(registers_, 1);
}

}  // namespace pintle
