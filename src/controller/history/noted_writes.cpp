// SPDX-License-Identifier: Apache-2.0
#include "noted_writes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "shown_value.hpp"

namespace pintle {
namespace {

// Returns the pointers of the informative members of a new object.
std::vector<std::string> pointers_of_new(const Object& object) {
  std::vector<std::string> pointers;
  for (const char* pointer : {"/metadata/labels", "/metadata/annotations", "/metadata/finalizers"}) {
    if (object[pointer].exists()) pointers.emplace_back(pointer);
  }
  for (const auto [name, member] : object.root().members()) {
    if (name != "apiVersion" && name != "kind" && name != "metadata") pointers.push_back("/" + std::string(name));
  }
  return pointers;
}

const char* verb_of(const Informer::Write& write) {
  if (!write.after) return "delete";
  return write.before ? "update" : "create";
}

bool has_only_metadata(const Object& object) {
  for (const auto [name, member] : object.root().members()) {
    if (name != "apiVersion" && name != "kind" && name != "metadata") return false;
  }
  return true;
}

// Returns the state before a write, unless the cache keeps only a part of the objects.
Object usable(const Object& before, const Object& after) {
  const bool is_part = has_only_metadata(before) && !has_only_metadata(after);
  return before.uid() == after.uid() && !is_part ? before : Object();
}

void add_record(NotedWrites::Collected& into, std::string_view uid, WriteRecord record) {
  into.last_uid = uid;
  into.last_version = record.version;
  if (into.writes.size() == ReconcileRecord::max_writes) {
    ++into.dropped;
  } else {
    into.writes.push_back(std::move(record));
  }
}

// Returns whether an informer has observed the same write.
bool is_noted(const NotedWrites::Collected& into, std::string_view uid, std::string_view version) {
  return !into.last_uid.empty() && into.last_uid == uid && into.last_version == version;
}

}  // namespace

WriteRecord record_of(const GroupVersionKind& kind, const Informer::Write& write) {
  const Object& known = write.after ? write.after : write.before;
  WriteRecord record{.verb = verb_of(write), .kind = kind, .key = known.key(), .version = std::string(write.version)};
  if (!write.after) return record;
  std::vector<std::string> pointers = write.before
                                          ? ReconcileCause{.object = write.after, .before = write.before}.changed(100)
                                          : pointers_of_new(write.after);
  if (pointers.size() > WriteRecord::max_changes) {
    record.changes_dropped = pointers.size() - WriteRecord::max_changes;
    pointers.resize(WriteRecord::max_changes);
  }
  for (std::string& pointer : pointers) {
    std::string before = shown_value(write.before, pointer);
    std::string after = shown_value(write.after, pointer);
    record.changes.push_back({.pointer = std::move(pointer), .before = std::move(before), .after = std::move(after)});
  }
  return record;
}

void NotedWrites::note(const GroupVersionKind& kind, const Informer::Write& write) {
  if (Collected* const into = collectors_.get()) add_record(*into, write.uid, record_of(kind, write));
}

void NotedWrites::on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                             const Object& before) {
  Collected* const into = collectors_.get();
  if (into == nullptr || !made_it || is_noted(*into, object.uid(), object.resource_version())) return;
  Object known = usable(before, object);
  if (!known) {
    known = remembered(object);
    remember(object);
  }
  // Without a state before, the client cannot recognise a write that changed nothing.
  if (known && known.resource_version() == object.resource_version()) return;
  WriteRecord record =
      record_of(object.group_version_kind(),
                {.uid = object.uid(), .version = object.resource_version(), .before = known, .after = object});
  if (!known && from != "") record.verb = "write";
  add_record(*into, object.uid(), std::move(record));
}

void NotedWrites::on_removed(const ObjectKey& key, std::string_view uid, const Object& before) {
  const GroupVersionKind kind = before.group_version_kind();
  {
    const MutexLock lock(mutex_);
    forget({kind, key});
  }
  Collected* const into = collectors_.get();
  if (into == nullptr || is_noted(*into, uid, "")) return;
  add_record(*into, uid, record_of(kind, {.uid = uid, .before = before}));
}

void NotedWrites::on_deleting(const Object& object, const Object& before) {
  Collected* const into = collectors_.get();
  if (into == nullptr) return;
  Object known = usable(before, object);
  if (!known) {
    known = remembered(object);
    remember(object);
  }
  if (known && known.is_deleting()) return;  // an earlier delete was accepted
  WriteRecord record = record_of(object.group_version_kind(), {.uid = object.uid(), .before = object});
  record.version = object.resource_version();
  add_record(*into, object.uid(), std::move(record));
}

Object NotedWrites::remembered(const Object& object) const {
  const MutexLock lock(mutex_);
  const auto found = remembered_.find({object.group_version_kind(), object.key()});
  return found == remembered_.end() ? Object() : usable(found->second, object);
}

void NotedWrites::remember(const Object& object) {
  Id id{object.group_version_kind(), object.key()};
  const MutexLock lock(mutex_);
  forget(id);
  if (object.bytes() > max_remembered) return;
  bytes_ += object.bytes();
  remembered_.emplace(id, object);
  order_.push_back(std::move(id));
  while (bytes_ > max_remembered) forget(Id(order_.front()));
}

void NotedWrites::forget(const Id& id) {
  const auto found = remembered_.find(id);
  if (found == remembered_.end()) return;
  bytes_ -= found->second.bytes();
  remembered_.erase(found);
  order_.erase(std::find(order_.begin(), order_.end(), id));
}

}  // namespace pintle
