// SPDX-License-Identifier: Apache-2.0
// FolderWatch: waits until the entries of folders change.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>

namespace pintle {

namespace internal {

// Detects that files, links and folders directly in these folders are created, replaced, closed after writing, or
// deleted. Changes since the constructor are detected, too. In a simulation, and if the system cannot watch a folder,
// for example because it does not exist, only the time ends a wait; so the caller must also poll. One thread at a time
// may call it.
class FolderWatch {
 public:
  FolderWatch(Executor& executor, std::vector<std::string> folders);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Waits for a change, but not longer than `limit`. Several changes that follow one another end one wait. May return
  // without a change. Returns false if a stop is requested.
  [[nodiscard]] bool wait(Duration limit, const std::stop_token& stop);

 private:
  void watch_folders() const;
  [[nodiscard]] bool poll(Duration limit, const std::stop_token& stop) const;

  Executor& executor_;
  const std::vector<std::string> folders_;
  int changes_ = -1;  // descriptors; negative: none
  int wake_ = -1;
};

}  // namespace internal

using internal::FolderWatch;

}  // namespace pintle
