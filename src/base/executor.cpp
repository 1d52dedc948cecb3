// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/executor.hpp>

#include <optional>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>

#include "thread_body.hpp"

namespace pintle {
namespace {

thread_local ThreadValues values_of_thread{};

}  // namespace

ThreadValues& thread_values() noexcept { return values_of_thread; }

Thread::Thread() noexcept = default;
Thread::Thread(std::unique_ptr<Body> body) noexcept : body_(std::move(body)) {}
Thread::Thread(Thread&&) noexcept = default;

Thread& Thread::operator=(Thread&& other) noexcept {
  if (this != &other) {
    join();
    body_ = std::move(other.body_);
  }
  return *this;
}

Thread::~Thread() { join(); }

void Thread::join() {
  if (const auto body = std::exchange(body_, nullptr)) body->join();
}

bool Executor::sleep_for(Duration duration, std::stop_token stop) {
  return sleep_until(after(now(), duration), std::move(stop));
}

bool Executor::sleep_until(Instant deadline, std::stop_token stop) {
  Mutex mutex(*this);
  CondVar stopped(*this);
  std::optional<StopCallback> wake;
  if (stop.stop_possible()) {
    wake.emplace(*this, stop, [&] {
      const MutexLock lock(mutex);
      stopped.notify_all();
    });
  }
  const MutexLock lock(mutex);
  while (!stop.stop_requested()) {
    if (!stopped.wait_until(mutex, deadline)) return !stop.stop_requested();
  }
  return false;
}

}  // namespace pintle
