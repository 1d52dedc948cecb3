// ObjectTable: objects by key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pintle/base/slot_index.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Takes some 35 bytes an object: the keys are those in the objects. Finds by hash, lists in order of keys.
// Thread-safety: none.
class ObjectTable {
 public:
  void reserve(std::size_t objects) { slots_.reserve(objects); }
  [[nodiscard]] std::size_t size() const noexcept { return index_.size(); }

  // None when it is not there.
  [[nodiscard]] Object find(ObjectKeyView key) const;
  // What was there before, if anything.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  // All of one namespace, or of all when it is "", in order of their keys.
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;

 private:
  using Slot = std::uint32_t;
  using Run = std::vector<Slot>;
  static constexpr std::size_t longest_run = 512;

  [[nodiscard]] Slot slot_of(ObjectKeyView key, std::uint32_t hash) const noexcept;
  [[nodiscard]] bool is_before(Slot slot, ObjectKeyView key) const noexcept { return slots_[slot].key_view() < key; }
  [[nodiscard]] std::size_t run_of(ObjectKeyView key) const noexcept;
  [[nodiscard]] std::size_t place_in(const Run& run, ObjectKeyView key) const noexcept;
  void sort_in(Slot slot, ObjectKeyView key);
  void take_out(ObjectKeyView key);

  std::vector<Object> slots_;
  std::vector<Slot> free_;
  SlotIndex index_;
  std::vector<Run> order_;  // none is empty
};

}  // namespace pintle
