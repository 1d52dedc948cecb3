// SPDX-License-Identifier: Apache-2.0
#include "noted_writes.hpp"

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
  Collected* const into = collectors_.get();
  if (into == nullptr) return;
  if (into->writes.size() == ReconcileRecord::max_writes) {
    ++into->dropped;
  } else {
    into->writes.push_back(record_of(kind, write));
  }
}

}  // namespace pintle
