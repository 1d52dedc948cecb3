// SPDX-License-Identifier: Apache-2.0
#include "table_state.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

std::optional<std::size_t> TableIndexes::find(std::string_view name) const {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].definition->name() == name) return i;
  }
  return {};
}

Object& TableState::writable(Slot slot) {
  const Slot number = slot / slots_per_chunk;
  if (objects.size() <= number / (fan * fan)) objects.resize(number / (fan * fan) + 1);
  Upper& upper = objects[number / (fan * fan)].writable();
  Lower& lower = upper.parts[number / fan % fan].writable();
  return lower.parts[number % fan].writable().parts[slot % slots_per_chunk];
}

TableState::Order::Position TableState::find(ObjectKeyView key) const {
  return order.find([&](Slot slot) { return object(slot).key_view() < key; });
}

TableState::IndexOrder::Position TableState::find(std::size_t index, std::uint32_t hash, ObjectKeyView key) const {
  return index_orders[index].find([&](const IndexEntry& entry) {
    return entry.hash < hash || (entry.hash == hash && object(entry.slot).key_view() < key);
  });
}

// The objects of a list arrive in their order.
void TableState::insert(Slot slot, ObjectKeyView key) {
  order.insert(order.find_from_end([&](Slot one) { return object(one).key_view() < key; }), slot);
}

void TableState::erase(ObjectKeyView key) {
  Order::Position place = find(key);
  (void)order.rest(place);
  order.erase(place);
}

void TableState::insert(std::size_t index, std::uint32_t hash, Slot slot, ObjectKeyView key) {
  const IndexOrder::Position place = find(index, hash, key);
  IndexOrder::Position next = place;
  const auto rest = index_orders[index].rest(next);
  if (!rest.empty() && rest.front().hash == hash && rest.front().slot == slot) return;
  index_orders[index].insert(place, {.hash = hash, .slot = slot});
}

void TableState::erase(std::size_t index, std::uint32_t hash, Slot slot, ObjectKeyView key) {
  IndexOrder::Position place = find(index, hash, key);
  const auto rest = index_orders[index].rest(place);
  if (!rest.empty() && rest.front().hash == hash && rest.front().slot == slot) index_orders[index].erase(place);
}

ObjectRange TableState::range(internal::SharedRef<TableState> state, std::string_view namespace_) {
  ObjectRange range;
  if (!state) return range;
  Order::Position first;
  if (namespace_.empty()) {
    range.size_ = state->size;
  } else {
    first = state->find({namespace_, {}});
    const auto end = state->order.find([&](Slot slot) { return state->object(slot).namespace_() <= namespace_; });
    range.size_ = state->order.distance(first, end);
  }
  range.first_ = {.branch = first.branch, .run = first.run, .at = first.at};
  range.state_ = std::move(state);
  return range;
}

ObjectRange TableState::range_after(internal::SharedRef<TableState> state, ObjectKeyView key) {
  ObjectRange range;
  if (!state) return range;
  const auto first = state->order.find([&](Slot slot) { return state->object(slot).key_view() <= key; });
  const auto end = state->order.find([](Slot) { return true; });
  range.first_ = {.branch = first.branch, .run = first.run, .at = first.at};
  range.size_ = state->order.distance(first, end);
  range.state_ = std::move(state);
  return range;
}

ObjectRange TableState::range(internal::SharedRef<TableState> state, std::size_t index, std::string_view value,
                              std::string_view namespace_, std::size_t& examined) {
  std::vector<Slot> found;
  const IndexDefinition& definition = *state->indexes->all[index].definition;
  const std::uint32_t hash = IndexDefinition::hash_of(value);
  const IndexOrder& order = state->index_orders[index];
  IndexOrder::Position place = state->find(index, hash, {namespace_, {}});
  for (auto rest = order.rest(place); !rest.empty(); place.at += rest.size(), rest = order.rest(place)) {
    for (const IndexEntry& entry : rest) {
      const Object& object = state->object(entry.slot);
      const bool is_last = entry.hash != hash || (!namespace_.empty() && object.namespace_() != namespace_);
      if (is_last) return of(std::move(state), std::move(found));
      ++examined;
      if (definition.has(object, value)) found.push_back(entry.slot);
    }
  }
  return of(std::move(state), std::move(found));
}

std::size_t TableState::count(std::size_t index, std::string_view value, std::string_view namespace_) const {
  const std::uint32_t hash = IndexDefinition::hash_of(value);
  const IndexOrder::Position first = find(index, hash, {namespace_, {}});
  const auto end = index_orders[index].find([&](const IndexEntry& entry) {
    if (entry.hash != hash) return entry.hash < hash;
    return namespace_.empty() || object(entry.slot).namespace_() <= namespace_;
  });
  return index_orders[index].distance(first, end);
}

ObjectRange TableState::scan(internal::SharedRef<TableState> state, const IndexDefinition& definition,
                             std::string_view value, std::string_view namespace_, std::size_t& examined) {
  std::vector<Slot> found;
  const ObjectRange all = range(state, namespace_);
  examined += all.size();
  for (auto at = all.begin(); at != all.end(); ++at) {
    if (definition.has(*at, value)) found.push_back(*at.slot_);
  }
  return of(std::move(state), std::move(found));
}

ObjectRange TableState::of(internal::SharedRef<TableState> state, std::vector<Slot> found) {
  ObjectRange range;
  range.size_ = found.size();
  range.found_ = std::move(found);
  range.state_ = std::move(state);
  return range;
}

ObjectRange::ObjectRange() noexcept = default;
ObjectRange::ObjectRange(const ObjectRange& other) = default;
ObjectRange::ObjectRange(ObjectRange&& other) noexcept
    : state_(std::move(other.state_)),
      found_(std::exchange(other.found_, {})),
      first_(other.first_),
      size_(std::exchange(other.size_, 0)),
      parts_(std::move(other.parts_)) {}
ObjectRange& ObjectRange::operator=(ObjectRange other) noexcept {
  std::swap(state_, other.state_);
  std::swap(found_, other.found_);
  first_ = other.first_;
  size_ = other.size_;
  std::swap(parts_, other.parts_);
  return *this;
}
ObjectRange::~ObjectRange() = default;

ObjectRange ObjectRange::joined(std::vector<ObjectRange> parts) {
  std::erase_if(parts, [](const ObjectRange& part) { return part.empty(); });
  if (parts.empty()) return {};
  if (parts.size() == 1) return std::move(parts.front());
  ObjectRange all;
  std::vector<ObjectRange> flat;
  for (ObjectRange& part : parts) {
    all.size_ += part.size_;
    if (part.parts_ != nullptr) {
      flat.insert(flat.end(), part.parts_->begin(), part.parts_->end());
    } else {
      flat.push_back(std::move(part));
    }
  }
  all.parts_ = std::make_shared<const std::vector<ObjectRange>>(std::move(flat));
  return all;
}

ObjectRange::iterator ObjectRange::begin() const noexcept {
  iterator first;
  first.range_ = this;
  first.left_ = size_;
  if (size_ == 0) return first;
  first.next_part_ = parts_ == nullptr ? nullptr : parts_->data() + 1;
  first.enter(parts_ == nullptr ? *this : parts_->front());
  first.load();
  return first;
}

ObjectRange::iterator ObjectRange::end() const noexcept {
  iterator last;
  last.range_ = this;
  return last;
}

void ObjectRange::iterator::enter(const ObjectRange& part) noexcept {
  range_ = &part;
  beyond_run_ = part.size_;
  if (!part.found_.empty()) return take_run(part.found_.data(), part.found_.size());
  TableState::Order::Position place{part.first_.branch, part.first_.run, part.first_.at};
  const auto run = part.state_->order.rest(place);
  branch_ = place.branch;
  run_ = place.run;
  take_run(run.data(), run.size());
}

// The run may contain objects behind the end of the part.
void ObjectRange::iterator::take_run(const Slot* first, std::size_t size) noexcept {
  size = std::min(size, beyond_run_);
  slot_ = first;
  end_of_run_ = first + size;
  beyond_run_ -= size;
}

void ObjectRange::iterator::load() noexcept {
  if (left_ == 0) return;
  if (slot_ == end_of_run_) {
    if (beyond_run_ != 0) {
      const auto run = range_->state_->order.next_run(branch_, run_);
      take_run(run.data(), run.size());
    } else {
      enter(*next_part_++);
    }
  }
  chunk_number_ = *slot_ / slots_per_chunk;
  chunk_ = range_->state_->chunk(chunk_number_);
}

std::vector<Object> ObjectRange::to_vector() const {
  std::vector<Object> objects;
  objects.reserve(size_);
  for (const Object& object : *this) objects.push_back(object);
  return objects;
}

ObjectRange ObjectRange::where(const std::function<bool(const Object&)>& matches) const {
  if (parts_ != nullptr) {
    std::vector<ObjectRange> some;
    for (const ObjectRange& part : *parts_) some.push_back(part.where(matches));
    return joined(std::move(some));
  }
  std::vector<Slot> found;
  const iterator last = end();
  for (iterator at = begin(); at != last; ++at) {
    if (matches(*at)) found.push_back(*at.slot_);
  }
  return TableState::of(state_, std::move(found));
}

}  // namespace pintle
