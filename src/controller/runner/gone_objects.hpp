// SPDX-License-Identifier: Apache-2.0
// GoneObjects: deleted objects for which Controller::gone has not returned done yet.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Several objects of one name may have been deleted, one after the other. They are handled in that order. Thread-safe.
class GoneObjects {
 public:
  static constexpr std::size_t max_of_one_name = 16;

  explicit GoneObjects(Executor& executor) : mutex_(executor) {}

  // Adds the last known state of an object. If there are too many of its name, the oldest one is dropped and returned.
  std::optional<Object> add(const Object& last);
  // The oldest one of a name; a null object if there is none.
  [[nodiscard]] Object next(const ObjectKey& key) const;
  // Removes the oldest one of a name if it has this uid; a newer one may be the oldest by now.
  void remove(const ObjectKey& key, std::string_view uid);
  [[nodiscard]] std::vector<ObjectKey> keys() const;

 private:
  mutable Mutex mutex_;
  std::map<ObjectKey, std::deque<Object>> objects_ PINTLE_GUARDED_BY(mutex_);  // no deque is empty
};

}  // namespace pintle
