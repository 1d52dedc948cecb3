// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/signals.hpp>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace pintle {

struct SignalHandler::State {
  std::function<void(int)> on_signal{};
  sigset_t mask_before{};
  int signals = -1;
  int end = -1;
  std::thread thread{};
  Result<void> started{};

  void close_all() const {
    if (signals >= 0) close(signals);
    if (end >= 0) close(end);
  }

  void run() const {
    std::array<pollfd, 2> watched{
        {{.fd = signals, .events = POLLIN, .revents = 0}, {.fd = end, .events = POLLIN, .revents = 0}}};
    while (true) {
      if (poll(watched.data(), watched.size(), -1) < 0) continue;
      if (watched[1].revents != 0) return;
      signalfd_siginfo info{};
      if (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        on_signal(static_cast<int>(info.ssi_signo));
    }
  }
};

SignalHandler::SignalHandler(std::function<void(int)> on_signal) : state_(std::make_unique<State>()) {
  state_->on_signal = std::move(on_signal);
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &wanted, &state_->mask_before);
  state_->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  state_->end = state_->signals < 0 ? -1 : eventfd(0, EFD_CLOEXEC);
  if (state_->end < 0) {
    state_->started =
        fail(ErrorCode::unavailable, "cannot watch for signals: " + std::generic_category().message(errno));
    state_->close_all();
    pthread_sigmask(SIG_SETMASK, &state_->mask_before, nullptr);
    return;
  }
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

const Result<void>& SignalHandler::started() const noexcept { return state_->started; }

SignalHandler::~SignalHandler() {
  if (!state_->started) return;
  eventfd_write(state_->end, 1);
  state_->thread.join();
  state_->close_all();
  pthread_sigmask(SIG_SETMASK, &state_->mask_before, nullptr);
}

}  // namespace pintle
