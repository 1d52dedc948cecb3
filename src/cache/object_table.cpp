#include <pintle/cache/object_table.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pintle {
Object ObjectTable::find(ObjectKeyView key) const {
  const Slot slot = slot_of(key, SlotIndex::hash_of(key));
  return slot == SlotIndex::no_slot ? Object() : slots_[slot];
}

Object ObjectTable::put(Object object) {
  const ObjectKeyView key = object.key_view();
  const std::uint32_t hash = SlotIndex::hash_of(key);
  Slot slot = slot_of(key, hash);
  if (slot != SlotIndex::no_slot) return std::exchange(slots_[slot], std::move(object));
  if (free_.empty()) {
    slot = static_cast<Slot>(slots_.size());
    slots_.push_back(std::move(object));
  } else {
    slot = free_.back();
    free_.pop_back();
    slots_[slot] = std::move(object);
  }
  index_.insert(hash, slot);
  sort_in(slot, key);
  return {};
}

Object ObjectTable::erase(ObjectKeyView key) {
  const std::uint32_t hash = SlotIndex::hash_of(key);
  const Slot slot = slot_of(key, hash);
  if (slot == SlotIndex::no_slot) return {};
  take_out(key);
  index_.erase(hash, slot);
  free_.push_back(slot);
  return std::exchange(slots_[slot], {});
}

std::vector<Object> ObjectTable::list(std::string_view namespace_) const {
  std::vector<Object> objects;
  if (namespace_.empty()) objects.reserve(size());
  const ObjectKeyView first(namespace_, {});
  std::size_t run = run_of(first);
  std::size_t at = order_.empty() ? 0 : place_in(order_[run], first);
  for (; run < order_.size(); ++run, at = 0) {
    for (; at < order_[run].size(); ++at) {
      const Object& object = slots_[order_[run][at]];
      if (!namespace_.empty() && object.namespace_() != namespace_) return objects;
      objects.push_back(object);
    }
  }
  return objects;
}

ObjectTable::Slot ObjectTable::slot_of(ObjectKeyView key, std::uint32_t hash) const noexcept {
  return index_.find(hash, [&](Slot slot) { return slots_[slot].key_view() == key; });
}

// Returns the run that contains the key or must receive it: the last run that does not begin after the key.
std::size_t ObjectTable::run_of(ObjectKeyView key) const noexcept {
  const auto behind = std::upper_bound(order_.begin(), order_.end(), key, [&](ObjectKeyView one, const Run& run) {
    return one < slots_[run.front()].key_view();
  });
  return behind == order_.begin() ? 0 : static_cast<std::size_t>(std::distance(order_.begin(), behind)) - 1;
}

std::size_t ObjectTable::place_in(const Run& run, ObjectKeyView key) const noexcept {
  const auto at = std::lower_bound(run.begin(), run.end(), key,
                                   [&](Slot slot, ObjectKeyView wanted) { return is_before(slot, wanted); });
  return static_cast<std::size_t>(std::distance(run.begin(), at));
}

void ObjectTable::sort_in(Slot slot, ObjectKeyView key) {
  // Fast path: a list delivers the objects in key order.
  if (order_.empty() || is_before(order_.back().back(), key)) {
    if (order_.empty() || order_.back().size() == max_run) order_.emplace_back();
    order_.back().push_back(slot);
    return;
  }
  const std::size_t number = run_of(key);
  Run& run = order_[number];
  run.insert(run.begin() + static_cast<std::ptrdiff_t>(place_in(run, key)), slot);
  if (run.size() <= max_run) return;
  const auto middle = run.begin() + max_run / 2;
  Run rest(middle, run.end());
  run.erase(middle, run.end());
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(rest));
}

void ObjectTable::take_out(ObjectKeyView key) {
  const std::size_t number = run_of(key);
  Run& run = order_[number];
  run.erase(run.begin() + static_cast<std::ptrdiff_t>(place_in(run, key)));
  if (run.empty()) order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(number));
}

}  // namespace pintle
