// Store: the local copy of the objects of one kind.
#pragma once

#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/object_table.hpp>

namespace pintle {

// Objects by key. Readers get handles on immutable snapshots and copy nothing. Thread-safe.
class Store {
 public:
  explicit Store(Runtime& runtime) : listing_(runtime), mutex_(runtime) {}

  // None when it is not there.
  [[nodiscard]] Object get(ObjectKeyView key) const;
  // All of one namespace, or of all when it is "", in order of their keys.
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;
  [[nodiscard]] std::size_t size() const;

  // What was there before, if anything. For the reflector's side alone.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  // Swaps everything at once; answers what was there before.
  ObjectTable replace(ObjectTable objects);

 private:
  // A list is long. Where many are wanted at once one of them alone waits for what is below, so that a write does not
  // wait for all.
  mutable Mutex listing_;
  mutable Mutex mutex_;
  ObjectTable objects_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
