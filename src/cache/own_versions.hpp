// SPDX-License-Identifier: Apache-2.0
// OwnVersions: the versions of objects that the writes of a client made, each with the version that it replaced.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Keeps the last 1,024 versions. A version that is no longer kept counts as that of another client, which costs one
// reconcile. Thread-safe.
class OwnVersions {
 public:
  explicit OwnVersions(Executor& executor) : mutex_(executor) {}

  // Records that a write that required the version `from` ("" for a create) made this state.
  void add(std::string_view from, const Object& made) {
    const MutexLock lock(mutex_);
    Id id{std::string(made.uid()), std::string(made.resource_version())};
    if (!from_.try_emplace(id, from).second) return;
    order_.push_back(std::move(id));
    if (order_.size() <= most) return;
    from_.erase(order_.front());
    order_.pop_front();
  }

  // Call it when the server was rewound: other clients may then make the same versions again.
  void clear() {
    const MutexLock lock(mutex_);
    from_.clear();
    order_.clear();
  }

  // Whether only such writes lie between the two states. `before` may be empty.
  [[nodiscard]] bool lead(const Object& before, const Object& after) const {
    const MutexLock lock(mutex_);
    const std::string_view goal = before ? before.resource_version() : std::string_view();
    Id at{std::string(after.uid()), std::string(after.resource_version())};
    while (at.second != goal) {
      const auto made = from_.find(at);
      if (made == from_.end()) return false;
      at.second = made->second;
    }
    return after.resource_version() != goal;
  }

 private:
  static constexpr std::size_t most = 1024;
  using Id = std::pair<std::string, std::string>;  // uid, resourceVersion

  mutable Mutex mutex_;
  std::map<Id, std::string> from_ PINTLE_GUARDED_BY(mutex_);
  std::deque<Id> order_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
