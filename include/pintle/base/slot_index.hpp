// SPDX-License-Identifier: Apache-2.0
// SlotIndex: finds slot numbers by the hash of the slot contents.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pintle::internal {

/// A hash table with linear probing in one array, approximately in the order of the hashes. A lookup usually reads one
/// cache line. Growing reads and writes the memory sequentially. The table contains no keys, only hashes and slot
/// numbers: the caller compares a key with the contents of a slot. Not thread-safe.
class SlotIndex {
 public:
  static constexpr std::uint32_t no_slot = ~0U;

  /// Returns the hash that the other functions expect: std::hash spread over 32 bits.
  template <class Key>
  [[nodiscard]] static std::uint32_t hash_of(const Key& key) noexcept {
    return static_cast<std::uint32_t>((std::hash<Key>{}(key)*0x9e3779b97f4a7c15ULL) >> 32U);
  }

  /// Returns the slot with this hash for which `is_it(slot)` is true, or no_slot.
  template <class IsIt>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, IsIt is_it) const noexcept {
    if (size_ == 0) return no_slot;
    std::size_t at = home(hash);
    while (places_[at].slot != no_slot && !(places_[at].hash == hash && is_it(places_[at].slot))) at = next(at);
    return places_[at].slot;
  }

  /// Prefetches the memory for a find() that follows soon.
  void prefetch(std::uint32_t hash) const noexcept {
    if (size_ != 0) __builtin_prefetch(&places_[home(hash)]);
  }

  /// Adds a slot, which must not be in the table yet.
  void insert(std::uint32_t hash, std::uint32_t slot) {
    if (size_ >= places_.size() - places_.size() / 5) grow();
    put({hash, slot});
    ++size_;
  }

  /// Removes a slot, which must be in the table.
  void erase(std::uint32_t hash, std::uint32_t slot) noexcept {
    std::size_t hole = home(hash);
    while (places_[hole].slot != slot) hole = next(hole);
    // A lookup ends at an empty place, so the place of the removed entry (the hole) must not separate a later entry
    // from the place of its hash. Each such entry is moved into the hole, which leaves a new hole, and so on until the
    // next empty place.
    for (std::size_t at = next(hole); places_[at].slot != no_slot; at = next(at)) {
      if (distance(home(places_[at].hash), at) < distance(hole, at)) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole].slot = no_slot;
    --size_;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct Place {
    std::uint32_t hash = 0;
    std::uint32_t slot = no_slot;
  };
  static constexpr std::size_t min_capacity = 16;

  [[nodiscard]] std::size_t home(std::uint32_t hash) const noexcept { return hash >> shift_; }
  [[nodiscard]] std::size_t next(std::size_t at) const noexcept { return (at + 1) & (places_.size() - 1); }
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const noexcept {
    return (to - from) & (places_.size() - 1);
  }

  void put(Place place) noexcept {
    std::size_t at = home(place.hash);
    while (places_[at].slot != no_slot) at = next(at);
    places_[at] = place;
  }

  void grow() {
    std::vector<Place> before(places_.empty() ? min_capacity : 2 * places_.size());
    before.swap(places_);
    shift_ = 32U - static_cast<unsigned>(std::countr_zero(places_.size()));
    for (const Place& place : before) {
      if (place.slot != no_slot) put(place);
    }
  }

  std::vector<Place> places_;  // the size is 0 or a power of two
  std::size_t size_ = 0;
  unsigned shift_ = 0;
};

}  // namespace pintle::internal
