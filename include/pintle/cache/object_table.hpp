// SPDX-License-Identifier: Apache-2.0
// ObjectTable: objects by key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/slot_index.hpp>
#include <pintle/cache/object_range.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct TableIndexes;  ///< internal

/// Finds objects by hash, lists them in the order of their keys, and maintains indexes. range() takes constant time, or
/// logarithmic time for one namespace. A later change copies the small parts that it changes. Needs about 35 bytes for
/// each object, since it does not copy the keys, and 8 to 12 for each value in an index. Thread-safety: none, but
/// ranges are independent of the table.
class PINTLE_EXPORT ObjectTable {
 public:
  ObjectTable() noexcept;
  ObjectTable(const ObjectTable& other);  ///< shares the objects until one of the tables changes
  ObjectTable& operator=(const ObjectTable& other);
  ObjectTable(ObjectTable&& other) noexcept;  ///< leaves an empty table without indexes
  ObjectTable& operator=(ObjectTable&& other) noexcept;
  ~ObjectTable();

  [[nodiscard]] std::size_t size() const noexcept { return by_hash_.size(); }

  /// Returns an empty Object if there is none with this key.
  [[nodiscard]] Object find(ObjectKeyView key) const;
  /// put() and erase() return the previous object, or an empty one. They call the functions of the indexes.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  /// The objects of one namespace, or of all namespaces if it is "", in the order of their keys.
  [[nodiscard]] ObjectRange range(std::string_view namespace_ = {}) const;
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;

  // The rest is internal: Store calls it.

  /// The hashes of the values of an object before and after a change, for each index.
  using IndexValues = std::vector<std::vector<std::uint32_t>>;
  [[nodiscard]] static IndexValues values_of(const TableIndexes* indexes, const Object& object, bool reports);
  Object put(Object object, const IndexValues& before, const IndexValues& after);
  Object erase(ObjectKeyView key, const IndexValues& before);
  [[nodiscard]] std::shared_ptr<const TableIndexes> indexes() const noexcept;  // null: none
  /// Replaces the indexes. An index that is in the old and in the new set keeps its entries; any other index is empty.
  void set_indexes(std::shared_ptr<const TableIndexes> indexes);
  /// Adds the values of one index, if this object is still in the table.
  void add_to_index(std::size_t index, const Object& object, const std::vector<std::uint32_t>& hashes);
  [[nodiscard]] const internal::SharedRef<TableState>& state() const noexcept { return state_; }

 private:
  friend class Store;  // new_table()
  explicit ObjectTable(std::shared_ptr<const TableIndexes> indexes);

  using Slot = std::uint32_t;

  [[nodiscard]] Slot slot_of(ObjectKeyView key, std::uint32_t hash) const noexcept;
  [[nodiscard]] Slot new_slot();
  void reindex(TableState& state, Slot slot, ObjectKeyView key, const IndexValues& before, const IndexValues& after);

  internal::SharedRef<TableState> state_;  // null in an empty table
  std::vector<Slot> free_;
  Slot slots_ = 0;  // used at least once
  internal::SlotIndex by_hash_;
};

}  // namespace pintle
