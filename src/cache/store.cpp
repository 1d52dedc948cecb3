// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/store.hpp>

#include <algorithm>
#include <utility>

#include "table_state.hpp"

namespace pintle {
namespace {

// Returns a copy of the indexes with one more, or with a changed one.
std::shared_ptr<const TableIndexes> with(const TableIndexes* indexes, TableIndexes::One one) {
  auto changed = indexes == nullptr ? std::make_shared<TableIndexes>() : std::make_shared<TableIndexes>(*indexes);
  if (const auto known = changed->find(one.definition->name())) {
    changed->all[*known] = std::move(one);
  } else {
    changed->all.push_back(std::move(one));
  }
  return changed;
}

bool has_room_for(std::string_view name, const TableIndexes* indexes) {
  if (indexes == nullptr || !name.starts_with(label_index_prefix)) return true;
  const auto labels = std::count_if(indexes->all.begin(), indexes->all.end(), [](const auto& one) {
    return one.definition->name().starts_with(label_index_prefix);
  });
  return static_cast<std::size_t>(labels) < Store::max_label_indexes;
}

// Gives a table the indexes of a store. Adds all objects to those that the table did not have.
void complete(ObjectTable& table, std::shared_ptr<const TableIndexes> wanted) {
  const auto before = table.indexes();
  table.set_indexes(wanted);
  if (wanted == nullptr) return;
  for (std::size_t index = 0; index < wanted->all.size(); ++index) {
    const IndexDefinition& definition = *wanted->all[index].definition;
    if (before != nullptr && before->find(definition.name())) continue;
    const ObjectRange all = table.range();
    for (const Object& object : all) table.add_to_index(index, object, definition.hashes_of(object, true));
  }
}

}  // namespace

Object Store::get(ObjectKeyView key) const {
  const MutexLock lock(mutex_);
  return objects_.find(key);
}

internal::SharedRef<TableState> Store::state() const {
  const MutexLock lock(mutex_);
  return objects_.state();
}

std::shared_ptr<const TableIndexes> Store::indexes() const {
  const MutexLock lock(mutex_);
  return objects_.indexes();
}

ObjectRange Store::range(std::string_view namespace_) const {
  ObjectRange range = TableState::range(state(), namespace_);
  note_examined(range.size());
  return range;
}

ObjectRange Store::range_after(ObjectKeyView key) const { return TableState::range_after(state(), key); }

// A state of the objects, and an index of it.
struct Store::Search {
  internal::SharedRef<TableState> state{};
  std::shared_ptr<const IndexDefinition> definition{};
  std::optional<std::size_t> index{};  // none: the objects must be scanned
};

std::optional<Store::Search> Store::prepare(const std::string& index) const {
  Search search{.state = state()};
  const auto index_now = [&] {
    return search.state && search.state->indexes ? search.state->indexes->find(index) : std::nullopt;
  };
  auto found = index_now();
  if (!found) {
    search.definition = IndexDefinition::built_in(index);
    if (search.definition == nullptr) return {};
    if (search.state && has_room_for(index, search.state->indexes.get())) {
      (void)build(search.definition);
      search.state = state();
      found = index_now();
    }
  }
  if (!found) return search;
  search.definition = search.state->indexes->all[*found].definition;
  if (search.state->indexes->all[*found].is_complete) search.index = found;
  return search;
}

std::optional<ObjectRange> Store::find(const IndexQuery& query, std::string_view namespace_) const {
  auto search = prepare(query.name);
  if (!search) return {};
  if (!search->state) return ObjectRange();
  std::size_t examined = 0;
  ObjectRange range =
      search->index
          ? TableState::range(std::move(search->state), *search->index, query.value, namespace_, examined)
          : TableState::scan(std::move(search->state), *search->definition, query.value, namespace_, examined);
  note_examined(examined);
  return range;
}

std::optional<std::size_t> Store::count(const IndexQuery& query, std::string_view namespace_) const {
  auto search = prepare(query.name);
  if (!search) return {};
  if (!search->state) return 0;
  if (search->index) return search->state->count(*search->index, query.value, namespace_);
  return TableState::range(std::move(search->state), namespace_).size();
}

std::vector<Object> Store::list(std::string_view namespace_) const { return range(namespace_).to_vector(); }

std::size_t Store::size() const {
  const MutexLock lock(mutex_);
  return objects_.size();
}

bool Store::add_index(std::string name, IndexFunction keys, IndexErrorHandler on_error) {
  return build(std::make_shared<IndexDefinition>(std::move(name), std::move(keys), std::move(on_error)));
}

// The writer maintains the new index from the first step on. Then the objects that were there before are added in small
// parts, so that the lock is never held for long. An object that changed meanwhile was added by the writer.
bool Store::build(const std::shared_ptr<const IndexDefinition>& definition) const {
  ObjectRange existing;
  {
    const MutexLock lock(mutex_);
    const auto before = objects_.indexes();
    if (before && before->find(definition->name())) return false;
    existing = TableState::range(objects_.state(), {});
    objects_.set_indexes(with(before.get(), {.definition = definition, .is_complete = existing.empty()}));
  }
  constexpr std::size_t max_part = 64;  // objects
  std::vector<std::pair<const Object*, IndexDefinition::Hashes>> part;
  for (auto at = existing.begin(); at != existing.end();) {
    part.clear();
    for (; at != existing.end() && part.size() < max_part; ++at) {
      if (auto hashes = definition->hashes_of(*at, true); !hashes.empty()) part.emplace_back(&*at, std::move(hashes));
    }
    const MutexLock lock(mutex_);
    const auto index = objects_.indexes()->find(definition->name());
    for (const auto& [object, hashes] : part) objects_.add_to_index(*index, *object, hashes);
  }
  if (existing.empty()) return true;
  const MutexLock lock(mutex_);
  objects_.set_indexes(with(objects_.indexes().get(), {.definition = definition, .is_complete = true}));
  return true;
}

Object Store::put(Object object) {
  for (bool is_first = true;; is_first = false) {
    std::shared_ptr<const TableIndexes> indexes;
    Object old;
    {
      const MutexLock lock(mutex_);
      indexes = objects_.indexes();
      if (!indexes) return objects_.put(std::move(object), {}, {});
      old = objects_.find(object.key_view());
    }
    const auto after = ObjectTable::values_of(indexes.get(), object, is_first);
    const auto before = ObjectTable::values_of(indexes.get(), old, false);
    const MutexLock lock(mutex_);
    // A reader may have added an index.
    if (objects_.indexes() == indexes) return objects_.put(std::move(object), before, after);
  }
}

Object Store::erase(ObjectKeyView key) {
  for (;;) {
    std::shared_ptr<const TableIndexes> indexes;
    Object old;
    {
      const MutexLock lock(mutex_);
      indexes = objects_.indexes();
      if (!indexes) return objects_.erase(key, {});
      old = objects_.find(key);
    }
    const auto before = ObjectTable::values_of(indexes.get(), old, false);
    const MutexLock lock(mutex_);
    if (objects_.indexes() == indexes) return objects_.erase(key, before);
  }
}

ObjectTable Store::replace(ObjectTable objects) {
  for (;;) {
    const auto wanted = indexes();
    if (objects.indexes() != wanted) complete(objects, wanted);
    const MutexLock lock(mutex_);
    if (objects_.indexes() == wanted) return std::exchange(objects_, std::move(objects));
  }
}

ObjectTable Store::new_table() const { return ObjectTable(indexes()); }

}  // namespace pintle
