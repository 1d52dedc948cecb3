// SPDX-License-Identifier: Apache-2.0
// Replacement: applies the result of a list to a store, in slices.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include <pintle/cache/change.hpp>
#include <pintle/cache/object_table.hpp>
#include <pintle/cache/reflector.hpp>

#include "own_writes.hpp"

namespace pintle {

// Readers see the old state until one step replaces all objects at once. The changes exist after that step; own
// writes that the list undoes are delivered first, then deletions, then all others. Each step handles at most `slice`
// objects, so that the I/O thread can do other work between two steps. Thread-safety: none.
class Replacement {
 public:
  static constexpr std::size_t slice = 512;  // objects; about 1 ms if all of them have changed

  // `cause` is that of the changes; for `requested` see OwnWrites::replace(). `own_writes` must outlive this object.
  Replacement(Replace replace, OwnWrites& own_writes, ChangeCause cause,
              std::optional<OwnWrites::Moment> requested = {});

  // Returns false after the last step of preparing: the store is replaced, and all changes are known.
  [[nodiscard]] bool prepare();
  // Returns the next changes to deliver; none after the last ones.
  [[nodiscard]] std::vector<Change> take_changes();

  // Returns whether the store has been replaced.
  [[nodiscard]] bool has_replaced() const noexcept { return phase_ == Phase::compare || phase_ == Phase::collect; }
  // Returns whether a rewind of the server must be reported before the changes are delivered.
  [[nodiscard]] bool shows_rewind() const;
  [[nodiscard]] std::size_t size() const noexcept { return replace_.objects.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }  // memory of the new objects

 private:
  enum class Phase { index, swap, compare, collect };

  void index();
  void compare();
  void collect();

  Replace replace_;
  OwnWrites& own_writes_;
  const ChangeCause cause_;
  const std::optional<OwnWrites::Moment> requested_;
  Phase phase_ = Phase::index;
  std::size_t at_ = 0;  // the next object of the phase
  std::size_t bytes_ = 0;
  ObjectTable listed_;
  ObjectTable before_;
  std::vector<Change> undone_;  // see OwnWrites::take_undone()
  std::vector<Object> missing_;
  std::deque<Change> changes_;  // without deletions; grows without moving its elements
  std::size_t delivered_undone_ = 0;
  std::size_t delivered_missing_ = 0;
  std::size_t delivered_ = 0;
};

}  // namespace pintle
