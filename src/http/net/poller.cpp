// SPDX-License-Identifier: Apache-2.0
#include "poller.hpp"

#include <algorithm>
#include <chrono>

#include <sys/eventfd.h>
#include <unistd.h>

namespace pintle::http {

Poller::Poller() : poll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_;
  if (usable()) ::epoll_ctl(poll_, EPOLL_CTL_ADD, wake_, &event);
}

Poller::~Poller() {
  if (poll_ >= 0) ::close(poll_);
  if (wake_ >= 0) ::close(wake_);
}

// The kernel removes a closed socket by itself and may give its number to another file, also of another thread.
// Therefore the kernel decides whether a socket is new, and a number that is no longer watched is removed only when an
// event arrives from it, because the event proves that the number is in this epoll set.
void Poller::watch(int socket, std::uint32_t events) {
  if (events == 0) {
    wanted_.erase(socket);
    return;
  }
  wanted_.insert(socket);
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  if (::epoll_ctl(poll_, EPOLL_CTL_MOD, socket, &event) != 0) ::epoll_ctl(poll_, EPOLL_CTL_ADD, socket, &event);
}

void Poller::remove(int socket) {
  wanted_.erase(socket);
  epoll_event unused{};
  ::epoll_ctl(poll_, EPOLL_CTL_DEL, socket, &unused);
}

std::span<const epoll_event> Poller::wait(Duration longest) noexcept {
  // Waits in short steps: the clock of epoll stops while the machine is suspended, and the clock of the executor does
  // not.
  constexpr Duration max_step = std::chrono::seconds(10);
  int milliseconds = -1;
  if (longest != Duration::max()) {
    const Duration step = std::clamp(longest, Duration::zero(), max_step);
    milliseconds = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(step).count());
  }
  const int count = ::epoll_wait(poll_, events_.data(), static_cast<int>(events_.size()), milliseconds);
  waiting_ = false;

  const auto none_of_ours = [this](epoll_event& event) {
    if (wanted_.contains(event.data.fd)) return false;
    if (event.data.fd == wake_) {
      std::uint64_t times = 0;
      (void)!::read(wake_, &times, sizeof(times));
    } else {
      ::epoll_ctl(poll_, EPOLL_CTL_DEL, event.data.fd, &event);
    }
    return true;
  };
  return {events_.begin(), std::remove_if(events_.begin(), events_.begin() + std::max(count, 0), none_of_ours)};
}

void Poller::wake() noexcept {
  if (!waiting_.exchange(false)) return;
  const std::uint64_t once = 1;
  (void)!::write(wake_, &once, sizeof(once));
}

}  // namespace pintle::http
