// SPDX-License-Identifier: Apache-2.0
// Poller: waits for sockets, and for a call from another thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <unordered_set>

#include <sys/epoll.h>

#include <pintle/base/time.hpp>

namespace pintle::http {

// Belongs to one thread, except for wake().
class Poller {
 public:
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // False if the system had no file descriptors left. The poller does not work in this case.
  [[nodiscard]] bool usable() const noexcept { return poll_ >= 0 && wake_ >= 0; }

  // Sets the events to wait for, EPOLLIN and EPOLLOUT; 0 for none, also if the socket is already closed.
  void watch(int socket, std::uint32_t events);

  // Ends the watch of a socket that is still open. Call it before another thread receives the socket.
  void remove(int socket);

  // After this call, wake() ends the next wait. Check for work between prepare() and wait(): work that was added
  // earlier is found by the check, and later work calls wake().
  void prepare() noexcept { waiting_ = true; }
  // Waits at most `longest`: without limit for Duration::max(), not at all for zero or less. The events are valid until
  // the next call.
  [[nodiscard]] std::span<const epoll_event> wait(Duration longest) noexcept;
  // Can be called on any thread. Cheap if the poller is not waiting.
  void wake() noexcept;

 private:
  int poll_;
  int wake_;
  std::atomic<bool> waiting_ = false;
  std::unordered_set<int> wanted_;  // never iterated
  std::array<epoll_event, 64> events_{};
};

}  // namespace pintle::http
