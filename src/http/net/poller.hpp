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

// Belongs to one thread, but for wake().
class Poller {
 public:
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // False when the system gave no descriptors, and then nothing here works.
  [[nodiscard]] bool usable() const noexcept { return poll_ >= 0 && wake_ >= 0; }

  // Which of EPOLLIN and EPOLLOUT to wait for; 0 for none, also when the socket has been closed already.
  void watch(int socket, std::uint32_t events);

  // From here on wake() ends the next wait. Look for work between the two: what was given before is seen, what comes
  // after wakes.
  void prepare() noexcept { waiting_ = true; }
  // Waits at most so long (Duration::max() for ever), at once when zero or less. The events hold until the next call.
  [[nodiscard]] std::span<const epoll_event> wait(Duration longest) noexcept;
  // From any thread. Costs next to nothing when nobody waits.
  void wake() noexcept;

 private:
  int poll_;
  int wake_;
  std::atomic<bool> waiting_ = false;
  std::unordered_set<int> wanted_;  // never walked
  std::array<epoll_event, 64> events_{};
};

}  // namespace pintle::http
