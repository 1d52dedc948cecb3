// PausedKeys: keys whose reconcile was due while their object was paused.
#pragma once

#include <set>
#include <string>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Thread-safe.
class PausedKeys {
 public:
  // An empty annotation pauses nothing.
  PausedKeys(Executor& executor, std::string annotation, bool pauses_deletion)
      : annotation_(std::move(annotation)), pauses_deletion_(pauses_deletion), mutex_(executor) {}

  // Whether the object has the annotation at "true"; its deletion goes on unless that is paused too.
  [[nodiscard]] bool is_paused(const Object& object) const;
  [[nodiscard]] const std::string& annotation() const noexcept { return annotation_; }

  // A reconcile of this key was due.
  void add(const ObjectKey& key);
  // Removes the key; returns whether a reconcile of it was due.
  bool take(const ObjectKey& key);
  // Whether a pause ends with this change while a reconcile is due; the key is removed then. A change that ends a pause
  // may be one that no predicate lets through.
  bool ends_with(const Change& change);

 private:
  const std::string annotation_;
  const bool pauses_deletion_;
  Mutex mutex_;
  std::set<ObjectKey> keys_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
