// ObjectTable: objects by key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/slot_index.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Needs about 35 bytes for each object, since it does not copy the keys. Finds objects by hash and lists them in the
/// order of their keys. Thread-safety: none.
class PINTLE_EXPORT ObjectTable {
 public:
  void reserve(std::size_t objects) { slots_.reserve(objects); }
  [[nodiscard]] std::size_t size() const noexcept { return index_.size(); }

  /// Returns an empty Object if there is none with this key.
  [[nodiscard]] Object find(ObjectKeyView key) const;
  /// put() and erase() return the previous object, or an empty one.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  /// The objects of one namespace, or of all namespaces if it is "", in the order of their keys.
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;

 private:
  using Slot = std::uint32_t;
  using Run = std::vector<Slot>;
  static constexpr std::size_t max_run = 512;

  [[nodiscard]] Slot slot_of(ObjectKeyView key, std::uint32_t hash) const noexcept;
  [[nodiscard]] bool is_before(Slot slot, ObjectKeyView key) const noexcept { return slots_[slot].key_view() < key; }
  [[nodiscard]] std::size_t run_of(ObjectKeyView key) const noexcept;
  [[nodiscard]] std::size_t place_in(const Run& run, ObjectKeyView key) const noexcept;
  void sort_in(Slot slot, ObjectKeyView key);
  void take_out(ObjectKeyView key);

  std::vector<Object> slots_;
  std::vector<Slot> free_;
  SlotIndex index_;
  std::vector<Run> order_;  // no run is empty
};

}  // namespace pintle
