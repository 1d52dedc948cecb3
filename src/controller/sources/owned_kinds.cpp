// SPDX-License-Identifier: Apache-2.0
#include "owned_kinds.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

void OwnedKinds::add(const Owns& owned, std::shared_ptr<const InformerSet> informers, SourceActivation& activation) {
  Kind& kind = kinds_.emplace_back();
  kind.owned = &owned;
  kind.informers = std::move(informers);
  kind.activation = &activation;
  has_conditions_ = has_conditions_ || owned.options.if_served || owned.options.active_when;
}

// The needs are counted, not stored for each object: the condition depends on the object only, so its result for the
// old state is the one that was counted before.
void OwnedKinds::on_change(const Change& change) {
  for (const Kind& kind : kinds_) {
    if (!kind.owned->options.active_when) continue;
    const bool before = change.old && needs(*kind.owned, change.old);
    const bool now = change.current && needs(*kind.owned, change.current);
    if (now == before) continue;
    const auto members = kind.informers->members();
    for (const InformerSet::Member& informer : *members) {
      if (now) kind.activation->need(*informer);
      if (before) kind.activation->release(*informer);
    }
  }
}

bool OwnedKinds::needs(const Owns& owned, const Object& object) const {
  if (!owned.options.active_when) return true;
  try {
    return owned.options.active_when(object);
  } catch (...) {
    note_thrown_(object.key());
    return true;
  }
}

bool OwnedKinds::is_wanted(const GroupVersionKind& kind, const Object& object) const {
  bool is_known = false;
  for (const Kind& one : kinds_) {
    if (one.owned->kind != kind) continue;
    if (needs(*one.owned, object)) return true;
    is_known = true;
  }
  return !is_known;
}

// The flag is set before the state is read: if the server begins to serve the kind in between, one sweep too many
// follows, and none is missed.
bool OwnedKinds::is_active(const GroupVersionKind& kind, const Object& object) {
  if (!is_wanted(kind, object)) return false;
  for (Kind& one : kinds_) {
    if (one.owned->kind != kind || !one.owned->options.if_served) continue;
    const bool was_missed = one.is_missed.exchange(true);
    const auto members = one.informers->members();
    const auto is_waiting = [](const auto& member) { return member->status().state == InformerState::waiting; };
    if (std::any_of(members->begin(), members->end(), is_waiting)) return false;
    if (!was_missed) one.is_missed = false;
  }
  return true;
}

bool OwnedKinds::take_missed(const Owns& owned) {
  for (Kind& one : kinds_) {
    if (one.owned == &owned) return one.is_missed.exchange(false);
  }
  return false;
}

}  // namespace pintle
