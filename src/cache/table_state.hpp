// SPDX-License-Identifier: Apache-2.0
// TableState: one state of an ObjectTable, which ranges share with it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <pintle/cache/object_range.hpp>
#include <pintle/cache/shared_ref.hpp>

#include "index_definition.hpp"
#include "sorted_runs.hpp"

namespace pintle {

// The indexes of a table. Immutable: a change makes a new one.
struct TableIndexes {
  struct One {
    std::shared_ptr<const IndexDefinition> definition;
    bool is_complete = true;  // false while the objects that existed before the index are added
  };
  std::vector<One> all;

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

// The objects by slot number, the order of the slots, and the entries of the indexes. All parts are shared with the
// other states that contain them; a change copies a part only if another state has it too.
struct TableState : internal::SharedNode {
  using Slot = std::uint32_t;
  // Sorted by the hash of the value, then by the key of the object. Needs no copy of the value: a reader compares the
  // values of the object.
  struct IndexEntry {
    std::uint32_t hash = 0;
    Slot slot = 0;
  };
  using Order = SortedRuns<Slot>;
  using IndexOrder = SortedRuns<IndexEntry>;

  // Returns an empty object for a free slot. The slot must have been written once.
  [[nodiscard]] const Object& object(Slot slot) const noexcept {
    return chunk(slot / slots_per_chunk)[slot % slots_per_chunk];
  }
  [[nodiscard]] Object& writable(Slot slot);
  [[nodiscard]] const Object* chunk(Slot number) const noexcept {
    return (*(*objects[number / (fan * fan)])[number / fan % fan])[number % fan]->data();
  }

  [[nodiscard]] Order::Position find(ObjectKeyView key) const;
  [[nodiscard]] IndexOrder::Position find(std::size_t index, std::uint32_t hash, ObjectKeyView key) const;
  void insert(Slot slot, ObjectKeyView key);
  void erase(ObjectKeyView key);
  // Adding an entry twice and removing a missing one have no effect.
  void insert(std::size_t index, std::uint32_t hash, Slot slot, ObjectKeyView key);
  void erase(std::size_t index, std::uint32_t hash, Slot slot, ObjectKeyView key);

  // The objects of one namespace, or of all if it is "". A null state has no objects.
  [[nodiscard]] static ObjectRange range(internal::SharedRef<TableState> state, std::string_view namespace_);
  [[nodiscard]] static ObjectRange range_after(internal::SharedRef<TableState> state, ObjectKeyView key);
  // Those with a value of an index: by the index, or without it. `examined` is increased by the number of objects that
  // the search read.
  [[nodiscard]] static ObjectRange range(internal::SharedRef<TableState> state, std::size_t index,
                                         std::string_view value, std::string_view namespace_, std::size_t& examined);
  // Returns the number of objects that the search by the index reads.
  [[nodiscard]] std::size_t count(std::size_t index, std::string_view value, std::string_view namespace_) const;
  [[nodiscard]] static ObjectRange scan(internal::SharedRef<TableState> state, const IndexDefinition& definition,
                                        std::string_view value, std::string_view namespace_, std::size_t& examined);

  static constexpr Slot slots_per_chunk = ObjectRange::iterator::slots_per_chunk;
  static constexpr std::size_t fan = 32;
  template <class Part, std::size_t count>
  struct Node : internal::SharedNode {
    std::array<Part, count> parts;
    const Part& operator[](std::size_t at) const noexcept { return parts[at]; }
    [[nodiscard]] const Part* data() const noexcept { return parts.data(); }
  };
  using Chunk = Node<Object, slots_per_chunk>;
  using Lower = Node<internal::SharedRef<Chunk>, fan>;
  using Upper = Node<internal::SharedRef<Lower>, fan>;

  std::vector<internal::SharedRef<Upper>> objects;
  Order order;
  std::size_t size = 0;
  std::shared_ptr<const TableIndexes> indexes;  // null: none
  std::vector<IndexOrder> index_orders;         // one for each index

  [[nodiscard]] static ObjectRange of(internal::SharedRef<TableState> state, std::vector<Slot> found);
};

}  // namespace pintle
