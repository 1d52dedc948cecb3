// SPDX-License-Identifier: Apache-2.0
// The graph of the Collector: follows the changes in storage.
#include <algorithm>
#include <utility>

#include "collector.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t changes_at_once = 256;

}  // namespace

void Collector::follow() {
  const Version until = service_.storage.version();
  for (const std::string& collection : service_.storage.written_after(followed_)) follow(collection);
  followed_ = until;
}

void Collector::follow(const std::string& collection) {
  auto found = places_.find(collection);
  if (found == places_.end()) {
    // If the window still contains all writes, begin with the first one, to see objects that were created and deleted.
    const auto begin = service_.storage.has_kept_objects()
                           ? std::nullopt
                           : service_.storage.place_after(collection, service_.storage.begin());
    if (begin) found = places_.emplace(collection, *begin).first;
  }
  bool lost = found == places_.end();
  while (!lost) {
    const Batch batch = service_.storage.read(collection, found->second, changes_at_once, 0);
    lost = batch.lost;
    for (const ChangePtr& change : batch.changes) {
      if (change->deleted) {
        note_gone(std::string(change->after.uid()));
      } else {
        note(collection, change->after);
      }
    }
    if (batch.drained) return;
  }
  // The changes left the window before they were read: begin with the existing objects.
  auto [page, place] = service_.storage.list_and_place(collection, "");
  places_[collection] = place;
  forget(collection);
  for (const Object& object : page.objects) note(collection, object);
}

// Removes the objects of a collection. All dependents are examined again, because owners among these may be gone.
void Collector::forget(const std::string& collection) {
  std::vector<std::string> here;
  for (const auto& [uid, node] : nodes_) {
    if (node.collection == collection) here.push_back(uid);
  }
  for (const std::string& uid : here) unlink(uid);
  for (const auto& [owner, dependents] : dependents_) to_examine_.insert(dependents.begin(), dependents.end());
}

void Collector::note(const std::string& collection, const Object& object) {
  const std::string uid(object.uid());
  unlink(uid);
  Node node{
      .collection = collection, .namespace_ = std::string(object.namespace_()), .name = std::string(object.name())};
  for (const json::View reference : object.owner_references().elements()) {
    node.owners.push_back({.api_version = std::string(reference.member("apiVersion").text()),
                           .kind = std::string(reference.member("kind").text()),
                           .name = std::string(reference.member("name").text()),
                           .uid = std::string(reference.member("uid").text()),
                           .blocks = reference.member("blockOwnerDeletion") == true});
  }
  node.awaits_dependents = object.is_deleting() && object.has_finalizer("foregroundDeletion");
  node.orphans_dependents = object.is_deleting() && object.has_finalizer("orphan");
  if (!node.awaits_dependents && !node.orphans_dependents) deletions_.erase(uid);
  if (node.owners.empty() && !node.awaits_dependents && !node.orphans_dependents) return;
  for (const Owner& owner : node.owners) dependents_[owner.uid].insert(uid);
  nodes_.emplace(uid, std::move(node));
  to_examine_.insert(uid);
}

void Collector::note_gone(const std::string& uid) {
  unlink(uid);
  deletions_.erase(uid);
  unresolved_.erase(uid);
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return;
  gone_.insert(uid);
  to_examine_.insert(found->second.begin(), found->second.end());
}

// Removes an object from the graph. Its owners are examined, because they may have waited for it.
void Collector::unlink(const std::string& uid) {
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return;
  for (const Owner& owner : found->second.owners) {
    const auto dependents = dependents_.find(owner.uid);
    if (dependents == dependents_.end()) continue;
    dependents->second.erase(uid);
    to_examine_.insert(owner.uid);
    if (!dependents->second.empty()) continue;
    dependents_.erase(dependents);
    gone_.erase(owner.uid);
  }
  nodes_.erase(found);
}

}  // namespace pintle::apiserver
