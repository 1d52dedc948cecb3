// Store: the cached objects of one kind.
#pragma once

#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/object_table.hpp>

namespace pintle {

/// Objects by key. Readers receive handles on immutable snapshots; nothing is copied. Thread-safe.
class PINTLE_EXPORT Store {
 public:
  explicit Store(Executor& executor) : listing_(executor), mutex_(executor) {}

  /// Returns an empty Object if there is none with this key.
  [[nodiscard]] Object get(ObjectKeyView key) const;
  /// The objects of one namespace, or of all namespaces if it is "", in the order of their keys.
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;
  [[nodiscard]] std::size_t size() const;

  /// Only the informer writes to the store. put() and erase() return the previous object, or an empty one.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  /// Replaces all objects at once and returns the previous ones.
  ObjectTable replace(ObjectTable objects);

 private:
  // Serialises list() calls, so that a write waits for at most one of them.
  mutable Mutex listing_;
  mutable Mutex mutex_;
  ObjectTable objects_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
