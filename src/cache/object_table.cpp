// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/object_table.hpp>

#include <algorithm>
#include <utility>

#include "table_state.hpp"

namespace pintle {

ObjectTable::ObjectTable() noexcept = default;

ObjectTable::ObjectTable(std::shared_ptr<const TableIndexes> indexes) : ObjectTable() {
  set_indexes(std::move(indexes));
}

ObjectTable::ObjectTable(const ObjectTable& other) = default;

ObjectTable& ObjectTable::operator=(const ObjectTable& other) = default;

ObjectTable::ObjectTable(ObjectTable&& other) noexcept { *this = std::move(other); }

ObjectTable& ObjectTable::operator=(ObjectTable&& other) noexcept {
  if (this == &other) return *this;
  state_ = std::exchange(other.state_, {});
  free_ = std::exchange(other.free_, {});
  slots_ = std::exchange(other.slots_, 0);
  by_hash_ = std::exchange(other.by_hash_, {});
  return *this;
}

ObjectTable::~ObjectTable() = default;

Object ObjectTable::find(ObjectKeyView key) const {
  const Slot slot = slot_of(key, internal::SlotIndex::hash_of(key));
  return slot == internal::SlotIndex::no_slot ? Object() : state_->object(slot);
}

Object ObjectTable::put(Object object) {
  const auto indexes = this->indexes();
  if (indexes == nullptr) return put(std::move(object), {}, {});
  const IndexValues after = values_of(indexes.get(), object, true);
  const IndexValues before = values_of(indexes.get(), find(object.key_view()), false);
  return put(std::move(object), before, after);
}

Object ObjectTable::erase(ObjectKeyView key) {
  const auto indexes = this->indexes();
  return erase(key, indexes == nullptr ? IndexValues() : values_of(indexes.get(), find(key), false));
}

ObjectRange ObjectTable::range(std::string_view namespace_) const { return TableState::range(state_, namespace_); }

std::vector<Object> ObjectTable::list(std::string_view namespace_) const { return range(namespace_).to_vector(); }

ObjectTable::IndexValues ObjectTable::values_of(const TableIndexes* indexes, const Object& object, bool reports) {
  IndexValues values;
  if (indexes == nullptr) return values;
  values.reserve(indexes->all.size());
  for (const auto& one : indexes->all) values.push_back(one.definition->hashes_of(object, reports));
  return values;
}

Object ObjectTable::put(Object object, const IndexValues& before, const IndexValues& after) {
  const ObjectKeyView key = object.key_view();
  const std::uint32_t hash = internal::SlotIndex::hash_of(key);
  Slot slot = slot_of(key, hash);
  TableState& state = state_.writable();
  if (slot != internal::SlotIndex::no_slot) {
    Object old = std::exchange(state.writable(slot), std::move(object));
    reindex(state, slot, key, before, after);
    return old;
  }
  slot = new_slot();
  state.writable(slot) = std::move(object);
  by_hash_.insert(hash, slot);
  state.insert(slot, key);
  ++state.size;
  reindex(state, slot, key, before, after);
  return {};
}

Object ObjectTable::erase(ObjectKeyView key, const IndexValues& before) {
  const std::uint32_t hash = internal::SlotIndex::hash_of(key);
  const Slot slot = slot_of(key, hash);
  if (slot == internal::SlotIndex::no_slot) return {};
  TableState& state = state_.writable();
  reindex(state, slot, key, before, {});
  state.erase(key);
  --state.size;
  by_hash_.erase(hash, slot);
  free_.push_back(slot);
  return std::exchange(state.writable(slot), {});
}

// Removes the values that the object no longer has before the new ones are added.
void ObjectTable::reindex(TableState& state, Slot slot, ObjectKeyView key, const IndexValues& before,
                          const IndexValues& after) {
  const std::vector<std::uint32_t> none;
  for (std::size_t index = 0; index < state.index_orders.size(); ++index) {
    const auto& old = before.empty() ? none : before[index];
    const auto& now = after.empty() ? none : after[index];
    for (const std::uint32_t hash : old) {
      if (!std::binary_search(now.begin(), now.end(), hash)) state.erase(index, hash, slot, key);
    }
    const bool is_complete = state.indexes->all[index].is_complete;
    for (const std::uint32_t hash : now) {
      // An index that is not complete may lack the entry of an unchanged value.
      if (!is_complete || !std::binary_search(old.begin(), old.end(), hash)) state.insert(index, hash, slot, key);
    }
  }
}

std::shared_ptr<const TableIndexes> ObjectTable::indexes() const noexcept { return state_ ? state_->indexes : nullptr; }

void ObjectTable::set_indexes(std::shared_ptr<const TableIndexes> indexes) {
  TableState& state = state_.writable();
  std::vector<TableState::IndexOrder> orders;
  for (const auto& one : indexes == nullptr ? std::vector<TableIndexes::One>() : indexes->all) {
    const auto known = state.indexes == nullptr ? std::nullopt : state.indexes->find(one.definition->name());
    orders.push_back(known ? state.index_orders[*known] : TableState::IndexOrder());
  }
  state.index_orders = std::move(orders);
  state.indexes = std::move(indexes);
}

void ObjectTable::add_to_index(std::size_t index, const Object& object, const std::vector<std::uint32_t>& hashes) {
  const ObjectKeyView key = object.key_view();
  const Slot slot = slot_of(key, internal::SlotIndex::hash_of(key));
  if (slot == internal::SlotIndex::no_slot || !state_->object(slot).is_same_document(object)) return;
  TableState& state = state_.writable();
  for (const std::uint32_t hash : hashes) state.insert(index, hash, slot, key);
}

ObjectTable::Slot ObjectTable::slot_of(ObjectKeyView key, std::uint32_t hash) const noexcept {
  return by_hash_.find(hash, [&](Slot slot) { return state_->object(slot).key_view() == key; });
}

ObjectTable::Slot ObjectTable::new_slot() {
  if (free_.empty()) return slots_++;
  const Slot slot = free_.back();
  free_.pop_back();
  return slot;
}

}  // namespace pintle
