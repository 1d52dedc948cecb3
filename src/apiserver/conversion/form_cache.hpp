// SPDX-License-Identifier: Apache-2.0
// FormCache: objects that a webhook has converted to a version in which they are not stored.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// Keeps a limited number of forms; a new form replaces the oldest one. Thread-safe.
class FormCache {
 public:
  explicit FormCache(Executor& executor, std::size_t max_forms = 1024) : max_forms_(max_forms), mutex_(executor) {}

  // Returns the form of a stored object in the version of `resource`, or nothing.
  [[nodiscard]] Object find(const Resource& resource, const Object& stored) const;
  void keep(const Resource& resource, const Object& stored, Object form);

 private:
  struct Entry {
    std::shared_ptr<const WebhookConversion> conversion;  // another one may convert differently
    Object stored;                                        // after a rewind, another object may have the version
    Object form;
  };

  const std::size_t max_forms_;
  mutable Mutex mutex_;
  std::map<std::string, Entry, std::less<>> forms_ PINTLE_GUARDED_BY(mutex_);
  std::deque<std::string> order_ PINTLE_GUARDED_BY(mutex_);  // the keys of forms_, the oldest first
};

}  // namespace pintle::apiserver
