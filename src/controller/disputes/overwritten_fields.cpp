// SPDX-License-Identifier: Apache-2.0
#include "overwritten_fields.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <pintle/base/hash.hpp>
#include <pintle/json/difference.hpp>

namespace pintle {
namespace {

constexpr std::uint64_t field_seed = 0x3c6ef372fe94f82bU;
constexpr std::uint64_t absent = 0x1f83d9abfb41bd6bU;
constexpr std::uint64_t present = 0x5be0cd19137e2179U;

// A new owner of the same name creates its children for the first time.
std::string_view controller_uid(const Object& object) {
  for (const json::View owner : object.owner_references().elements()) {
    if (owner.member("controller") == true) return owner.member("uid").text();
  }
  return {};
}

// The object as one field, which exists or not. It has a new uid after each creation.
WrittenField existence(const Object& object, bool exists) {
  const ObjectKeyView of = object.key_view();
  std::uint64_t id = hash_of(object.kind(), field_seed);
  id = hash_of(controller_uid(object), hash_of(of.name, hash_of(of.namespace_, id)));
  return {.id = id, .before = exists ? absent : present, .after = exists ? present : absent};
}

}  // namespace

std::uint64_t field_value(const Object& object, const std::string& pointer) {
  const json::View value = object[pointer];
  return value ? value.hash() : absent;
}

bool changes_with_each_write(const std::string& pointer) {
  constexpr std::string_view names[] = {"resourceVersion",   "generation",        "uid",
                                        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"};
  constexpr std::string_view metadata = "/metadata/";
  if (!pointer.starts_with(metadata)) return false;
  const std::string_view name = std::string_view(pointer).substr(metadata.size());
  return name.starts_with("managedFields") || std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::vector<WrittenField> written_fields(const Informer::Write& write) {
  // A write that lets a deletion end, such as the removal of a finalizer, does not delete the object itself.
  if (!write.after) {
    if (!write.before || write.before.is_deleting()) return {};
    return {existence(write.before, false)};
  }
  if (!write.before) return {existence(write.after, true)};
  std::vector<WrittenField> fields;
  const std::uint64_t object = hash_of(write.uid, field_seed);
  for (std::string& pointer : json::changed_pointers(write.before.root(), write.after.root(), most_fields_of_write)) {
    if (pointer.empty() || changes_with_each_write(pointer)) continue;
    WrittenField field{.id = hash_of(pointer, object),
                       .before = field_value(write.before, pointer),
                       .after = field_value(write.after, pointer)};
    field.pointer = std::move(pointer);
    fields.push_back(std::move(field));
  }
  return fields;
}

OverwrittenFields::Last& OverwrittenFields::at(std::uint64_t id, bool& is_known) {
  const auto newest = newer_.find(id);
  is_known = newest != newer_.end();
  if (is_known) return newest->second;
  if (newer_.size() >= most) older_ = std::exchange(newer_, {});
  Last& last = newer_[id];
  if (const auto earlier = older_.extract(id); !earlier.empty()) {
    is_known = true;
    last = earlier.mapped();
  }
  return last;
}

OverwrittenFields::Found OverwrittenFields::note(const WrittenField& field, Instant now) {
  bool is_known = false;
  Last& last = at(field.id, is_known);
  const std::uint64_t former = std::exchange(last.value, field.after);
  if (!is_known || former == field.before) return {};
  const Instant full = std::max(last.full_at, now);
  if (full - (burst - 1) * refill > now) return {.is_taken_back = true, .is_free = false};
  last.full_at = full + refill;
  return {.is_taken_back = true};
}

}  // namespace pintle
