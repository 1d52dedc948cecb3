// SPDX-License-Identifier: Apache-2.0
// NewestWrites: the newest version of each kind without a cache that a controller has written.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A list of such a kind comes from the server. Most servers return the newest state; an aggregated API server or a
// proxy may return an older one, in which a child that was just created is missing, and the reconcile would create it
// again. A list that is older than the last write is therefore repeated for that version. The version is dropped
// after five minutes, because a server that was restored from a backup may never reach it. Thread-safe.
class NewestWrites {
 public:
  static constexpr Duration kept_for = std::chrono::minutes(5);

  explicit NewestWrites(Executor& executor) : executor_(executor), mutex_(executor) {}

  // `written` is the response to a write.
  void note(const GroupVersionKind& kind, const Object& written) {
    const std::string version(written.resource_version());
    const MutexLock lock(mutex_);
    const auto found = versions_.find(kind);
    if (found != versions_.end() && !is_older(found->second.first, version)) return;
    versions_[kind] = {version, executor_.now()};
  }
  // Returns the version that a list of this kind must have reached although it has `listed`; "" if it is new enough.
  [[nodiscard]] std::string missing_from(const GroupVersionKind& kind, const std::string& listed) const {
    const MutexLock lock(mutex_);
    const auto found = versions_.find(kind);
    if (found == versions_.end() || executor_.now() >= after(found->second.second, kept_for)) return {};
    return is_older(listed, found->second.first) ? found->second.first : std::string();
  }

 private:
  // Versions that cannot be compared do not count as older.
  static bool is_older(const std::string& a, const std::string& b) {
    const auto order = compare_resource_versions(a, b);
    return order && *order == std::strong_ordering::less;
  }

  Executor& executor_;
  mutable Mutex mutex_;
  std::map<GroupVersionKind, std::pair<std::string, Instant>> versions_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
