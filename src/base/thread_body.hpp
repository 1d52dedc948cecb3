// SPDX-License-Identifier: Apache-2.0
// Thread::Body: the implementation of a Thread handle. Each executor has its own.
#pragma once

#include <pintle/base/executor.hpp>

namespace pintle {

class Thread::Body {
 public:
  Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  virtual ~Body() = default;
  virtual void join() = 0;
};

// The thread-local variables of pintle that a simulated thread has for itself, also if it is a fiber.
struct ThreadValues {
  void* manager_host = nullptr;  // of HostedThread
};

// The values of the calling thread.
[[nodiscard]] ThreadValues& thread_values() noexcept;

}  // namespace pintle
