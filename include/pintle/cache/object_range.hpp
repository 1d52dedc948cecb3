// SPDX-License-Identifier: Apache-2.0
// ObjectRange: objects of a cache at one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/cache/shared_ref.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct TableState;  ///< internal: one state of an ObjectTable

/// A range of `const Object&` in the order of their keys. It does not change with the cache, and creating it copies no
/// objects. Objects that the cache replaces or removes stay in memory as long as the range exists, so do not hold it
/// longer than necessary. Copies are cheap. Concurrent reads are safe.
///
/// A loop needs the range in a variable: `for (const Object& pod : *ctx.range(…))` would destroy the range before the
/// first step.
class PINTLE_EXPORT ObjectRange {
 public:
  class iterator;

  ObjectRange() noexcept;  ///< no objects
  ObjectRange(const ObjectRange& other);
  ObjectRange(ObjectRange&& other) noexcept;
  ObjectRange& operator=(ObjectRange other) noexcept;
  ~ObjectRange();

  [[nodiscard]] iterator begin() const noexcept;
  [[nodiscard]] iterator end() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Returns handles on all objects.
  [[nodiscard]] std::vector<Object> to_vector() const;
  /// Returns the objects of these ranges, one range after the other. Each of them still contains the objects of the
  /// moment at which it was created.
  [[nodiscard]] static ObjectRange joined(std::vector<ObjectRange> parts);
  /// Returns the part of the range for which `matches` is true.
  [[nodiscard]] ObjectRange where(const std::function<bool(const Object&)>& matches) const;

 private:
  friend struct TableState;
  using Slot = std::uint32_t;

  internal::SharedRef<TableState> state_;
  std::vector<Slot> found_;  // slots that an index selects; if empty: the slots of the state from `first_` on
  struct {
    std::size_t branch = 0;
    std::size_t run = 0;
    std::size_t at = 0;
  } first_;
  std::size_t size_ = 0;
  std::shared_ptr<const std::vector<ObjectRange>> parts_;  // of joined(), without empty ones; otherwise null
};

/// Valid as long as its range.
class PINTLE_EXPORT ObjectRange::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Object;
  using difference_type = std::ptrdiff_t;
  using pointer = const Object*;
  using reference = const Object&;

  iterator() noexcept = default;
  reference operator*() const noexcept { return chunk_[*slot_ % slots_per_chunk]; }
  pointer operator->() const noexcept { return &**this; }
  iterator& operator++() noexcept {
    --left_;
    if (++slot_ == end_of_run_ || *slot_ / slots_per_chunk != chunk_number_) load();
    return *this;
  }
  iterator operator++(int) noexcept {
    const iterator before = *this;
    ++*this;
    return before;
  }
  /// For iterators of one range.
  bool operator==(const iterator& other) const noexcept { return left_ == other.left_; }

 private:
  friend class ObjectRange;
  friend struct TableState;
  static constexpr Slot slots_per_chunk = 16;
  void enter(const ObjectRange& part) noexcept;
  void take_run(const Slot* first, std::size_t size) noexcept;
  void load() noexcept;

  const ObjectRange* range_ = nullptr;      // the part that contains the object
  const ObjectRange* next_part_ = nullptr;  // the part after range_; only if left_ shows that one follows
  const Slot* slot_ = nullptr;
  const Slot* end_of_run_ = nullptr;
  const Object* chunk_ = nullptr;  // the objects of the chunk of `slot_`
  Slot chunk_number_ = 0;
  std::size_t left_ = 0;
  std::size_t beyond_run_ = 0;  // objects of the part after the current run
  std::size_t branch_ = 0;
  std::size_t run_ = 0;
};

}  // namespace pintle
