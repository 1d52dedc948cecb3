// SPDX-License-Identifier: Apache-2.0
#include "folder_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <pintle/base/stop.hpp>

namespace pintle {
namespace {

// A change often consists of several steps. It also bounds how often a folder with many changes ends a wait.
constexpr Duration settle_time = std::chrono::milliseconds(100);
constexpr Duration max_poll = std::chrono::hours(24);

constexpr std::uint32_t changes_of_entries =
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// Returns whether there was something to read.
bool drain(int descriptor) {
  std::array<char, 4096> buffer{};
  bool has_read = false;
  while (::read(descriptor, buffer.data(), buffer.size()) > 0) has_read = true;
  return has_read;
}

}  // namespace

FolderWatch::FolderWatch(Executor& executor, std::vector<std::string> folders)
    : executor_(executor), folders_(std::move(folders)) {
  if (executor_.scheduler() != nullptr) return;
  changes_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  watch_folders();
}

FolderWatch::~FolderWatch() {
  for (const int descriptor : {changes_, wake_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

bool FolderWatch::wait(Duration limit, const std::stop_token& stop) {
  if (changes_ < 0 || wake_ < 0) return executor_.sleep_for(limit, stop);
  watch_folders();  // a folder may have been replaced
  if (!poll(limit, stop)) return !stop.stop_requested();
  if (!executor_.sleep_for(std::min(settle_time, limit), stop)) return false;
  (void)drain(changes_);
  return true;
}

// Has no effect on a folder that is watched already.
void FolderWatch::watch_folders() const {
  if (changes_ < 0) return;
  for (const std::string& one : folders_) (void)::inotify_add_watch(changes_, one.c_str(), changes_of_entries);
}

// Returns whether there was a change.
bool FolderWatch::poll(Duration limit, const std::stop_token& stop) const {
  const StopCallback waking(executor_, stop, [this] {
    const std::uint64_t one = 1;
    (void)!::write(wake_, &one, sizeof(one));
  });
  std::array<pollfd, 2> ready{pollfd{.fd = changes_, .events = POLLIN, .revents = 0},
                              pollfd{.fd = wake_, .events = POLLIN, .revents = 0}};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::clamp(limit, Duration(), max_poll));
  // A signal ends the wait early, which the caller allows.
  const int count = ::poll(ready.data(), ready.size(), static_cast<int>(left.count()));
  if (count < 0 && errno != EINTR) (void)executor_.sleep_for(limit, stop);
  (void)drain(wake_);
  return count > 0 && (ready[0].revents & POLLIN) != 0 && drain(changes_);
}

}  // namespace pintle
