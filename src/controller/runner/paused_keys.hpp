// SPDX-License-Identifier: Apache-2.0
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
  // If the annotation is empty, no object is paused.
  PausedKeys(Executor& executor, std::string annotation, bool pauses_deletion)
      : annotation_(std::move(annotation)), pauses_deletion_(pauses_deletion), mutex_(executor) {}

  // Returns whether the annotation of the object is "true". An object that is being deleted is paused only if
  // `pauses_deletion` is set.
  [[nodiscard]] bool is_paused(const Object& object) const;
  [[nodiscard]] const std::string& annotation() const noexcept { return annotation_; }

  // Stores that a reconcile of this key was due.
  void add(const ObjectKey& key);
  // Removes the key; returns whether a reconcile of it was due.
  bool take(const ObjectKey& key);
  // Returns whether the change ends a pause during which a reconcile was due, and removes the key. If so, the caller
  // must reconcile the object even if the predicate rejects the change.
  bool ends_with(const Change& change);

 private:
  const std::string annotation_;
  const bool pauses_deletion_;
  Mutex mutex_;
  std::set<ObjectKey> keys_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
