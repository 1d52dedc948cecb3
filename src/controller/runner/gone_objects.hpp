// GoneObjects: objects that are gone and for which `gone` has not settled yet.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Several objects of one name may have gone, one after the other; they are handled in that order. Thread-safe.
class GoneObjects {
 public:
  static constexpr std::size_t max_of_one_name = 16;

  explicit GoneObjects(Executor& executor) : mutex_(executor) {}

  // Adds the last known state of an object. Returns the oldest one of its name if there are too many: it is given up.
  std::optional<Object> add(const Object& last);
  // The oldest one of a name; a null object if there is none.
  [[nodiscard]] Object next(const ObjectKey& key) const;
  // Removes the oldest one of a name if it has this UID: a newer one may have taken its place meanwhile.
  void remove(const ObjectKey& key, std::string_view uid);
  [[nodiscard]] std::vector<ObjectKey> keys() const;

 private:
  mutable Mutex mutex_;
  std::map<ObjectKey, std::deque<Object>> objects_ PINTLE_GUARDED_BY(mutex_);  // no deque is empty
};

}  // namespace pintle
