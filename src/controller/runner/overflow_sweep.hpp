// SPDX-License-Identifier: Apache-2.0
// OverflowSweep: adds the keys again that a full queue rejected.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/object_range.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The rejected keys are not stored. Therefore all objects are added once no key is due, as many at a time as there is
// room for. Thread-safe.
class OverflowSweep {
 public:
  // Adds a key to the queue; returns false if the queue is full.
  using Add = std::function<bool(const ObjectKey&)>;

  explicit OverflowSweep(Executor& executor) : mutex_(executor) {}

  // The queue rejected a key. Returns whether it is the first one since the last sweep began.
  bool note_rejected();
  [[nodiscard]] bool is_needed() const;
  // Continues a sweep or begins one: adds `gone` first, then the objects, which are ordered by key. Must be called
  // while no key is due.
  void run(const std::vector<ObjectKey>& gone, const ObjectRange& objects, const Add& add);

 private:
  mutable Mutex mutex_;
  bool overflown_ PINTLE_GUARDED_BY(mutex_) = false;               // keys were rejected since the sweep began
  std::optional<ObjectKey> sweep_from_ PINTLE_GUARDED_BY(mutex_);  // the key at which the sweep continues
};

}  // namespace pintle
