// SPDX-License-Identifier: Apache-2.0
#include "field_disputes.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

using Source = ReconcileCause::Source;

bool is_object_change(const ReconcileCause& cause) {
  return cause.object &&
         (cause.source == Source::change || cause.source == Source::owned || cause.source == Source::mapped);
}

// Returns whether the reconciled object was deleted, begins to be deleted, or was replaced.
bool ends_object(const ReconcileCause& cause) {
  if (cause.source != Source::change) return false;
  if (cause.verb == ReconcileCause::Verb::deleted) return true;
  if (cause.before && cause.before.uid() != cause.object.uid()) return true;
  return cause.object.is_deleting() && !(cause.before && cause.before.is_deleting());
}

// The difference between two states may be lost because further changes were merged into it.
bool shows_nothing(const ReconcileCause& cause) {
  if (!cause.before) return false;
  const auto changed = cause.changed();
  return std::all_of(changed.begin(), changed.end(), changes_with_each_write);
}

bool differs(const ReconcileCause& cause, const std::string& pointer) {
  return field_value(cause.before, pointer) != field_value(cause.object, pointer);
}

Duration delay_after(int writes) {
  constexpr int limit = 16;
  return std::min(FieldDisputes::first_delay * (1 << std::min(writes - 1, limit)), FieldDisputes::max_delay);
}

}  // namespace

bool FieldDisputes::Dispute::has(const GroupVersionKind& kind, const Object& object, const std::string& pointer) const {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& one) {
    return one.pointer == pointer && one.kind == kind && one.object == object.key_view();
  });
}

void FieldDisputes::Dispute::add(const GroupVersionKind& kind, const Object& object, const std::string& pointer) {
  if (fields.size() < max_fields && !has(kind, object, pointer)) {
    fields.push_back({.kind = kind, .object = object.key(), .uid = std::string(object.uid()), .pointer = pointer});
  }
}

bool FieldDisputes::Dispute::is_about(const ReconcileCause& cause) const {
  bool is_its_object = false;
  for (const Field& field : fields) {
    if (field.object != cause.object.key_view()) continue;
    if (!is_same_kind(field.kind, cause.object.group_version_kind())) continue;
    is_its_object = true;
    const bool is_update = cause.verb == ReconcileCause::Verb::updated && cause.before.uid() == cause.object.uid();
    if (field.pointer.empty() ? !is_update : is_update && differs(cause, field.pointer)) return true;
  }
  return is_its_object && shows_nothing(cause);
}

bool FieldDisputes::note(const ObjectKey& key, const GroupVersionKind& kind, const Object& written,
                         const std::vector<WrittenField>& fields, Instant now) {
  bool is_taken_back = false;
  Dispute* dispute = find(key, now);
  bool belongs_to_dispute = false;
  for (const WrittenField& field : fields) {
    const auto found = fields_.note(field, now);
    if (!found.is_taken_back) continue;
    is_taken_back = true;
    const bool is_known = dispute != nullptr && dispute->has(kind, written, field.pointer);
    if (found.is_free && !is_known) continue;
    if (dispute == nullptr) dispute = &begin(key, now);
    dispute->add(kind, written, field.pointer);
    belongs_to_dispute = true;
  }
  if (!belongs_to_dispute) return is_taken_back;
  // Several writes of one reconcile are one turn.
  if (now >= dispute->not_before) ++dispute->writes;
  dispute->last = now;
  dispute->not_before = now + delay_after(dispute->writes);
  return is_taken_back;
}

FieldDisputes::Dispute* FieldDisputes::find(const ObjectKey& key, Instant now) {
  const auto found = disputes_.find(key);
  if (found == disputes_.end()) return nullptr;
  if (now - found->second.last <= quiet) return &found->second;
  disputes_.erase(found);
  return nullptr;
}

FieldDisputes::Dispute& FieldDisputes::begin(const ObjectKey& key, Instant now) {
  if (disputes_.size() >= most) {
    std::erase_if(disputes_, [now](const auto& entry) { return now - entry.second.last > quiet; });
    if (disputes_.size() >= most) disputes_.clear();
  }
  return disputes_[key];
}

Instant FieldDisputes::turn(const ObjectKey& key, const std::vector<ReconcileCause>& causes, bool has_unknown_causes,
                            Instant now) {
  if (disputes_.empty()) return now;
  Dispute* const dispute = find(key, now);
  if (dispute == nullptr || now >= dispute->not_before) return now;
  bool has_field = false;
  bool has_other = has_unknown_causes;
  for (const ReconcileCause& cause : causes) {
    if (cause.due > now) continue;
    if (!is_object_change(cause) || ends_object(cause)) return now;
    if (dispute->is_about(cause)) {
      has_field = true;
    } else if (!cause.is_own_write) {
      has_other = true;
    }
  }
  if (has_other ? is_allowed_other(*dispute, now) : !has_field) return now;
  return dispute->not_before;
}

bool FieldDisputes::is_allowed_other(Dispute& dispute, Instant now) {
  const Instant full = std::max(dispute.others_full, now);
  if (full - (other_burst - 1) * max_delay > now) return false;
  dispute.others_full = full + max_delay;
  return true;
}

void FieldDisputes::merge(const ObjectKey& key, std::vector<ReconcileCause>& causes, Instant now) const {
  const auto found = disputes_.find(key);
  if (found == disputes_.end()) return;
  const auto can_merge = [&](const ReconcileCause& cause) {
    return cause.due <= now && is_object_change(cause) && cause.verb == ReconcileCause::Verb::updated &&
           found->second.is_about(cause);
  };
  for (std::size_t last = causes.size(); last-- > 0;) {
    if (!can_merge(causes[last])) continue;
    for (std::size_t at = last; at-- > 0;) {
      if (!can_merge(causes[at]) || causes[at].object.uid() != causes[last].object.uid() ||
          causes[at].source != causes[last].source) {
        continue;
      }
      causes[last].before = causes[at].before;
      causes[last].priority = std::max(causes[last].priority, causes[at].priority);
      // One of the steps may be that of another client.
      if (!causes[at].is_own_write || !causes[last].is_own_write) {
        causes[last].is_own_write = false;
        causes[last].merged_versions = {""};
      }
      causes.erase(causes.begin() + static_cast<std::ptrdiff_t>(at));
      --last;
    }
  }
}

std::optional<FieldDisputes::Field> FieldDisputes::take_unreported(const ObjectKey& key) {
  const auto found = disputes_.find(key);
  if (found == disputes_.end() || std::exchange(found->second.is_reported, true)) return {};
  return found->second.fields.front();
}

}  // namespace pintle
