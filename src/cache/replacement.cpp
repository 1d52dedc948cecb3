// SPDX-License-Identifier: Apache-2.0
#include "replacement.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

Replacement::Replacement(Replace replace, OwnWrites& own_writes, ChangeCause cause,
                         std::optional<OwnWrites::Moment> requested)
    : replace_(std::move(replace)),
      own_writes_(own_writes),
      cause_(cause),
      requested_(requested),
      listed_(own_writes.new_table()) {}

bool Replacement::prepare() {
  switch (phase_) {
    case Phase::index: index(); return true;
    case Phase::swap:
      replace_.follows_rewind =
          replace_.follows_rewind || own_writes_.shows_rewind(replace_.resource_version, requested_);
      before_ = own_writes_.replace(std::move(listed_), replace_.resource_version, requested_);
      undone_ = own_writes_.take_undone();
      phase_ = Phase::compare;
      return true;
    case Phase::compare: compare(); return true;
    case Phase::collect: collect(); return false;
  }
  return false;
}

void Replacement::index() {
  const std::size_t end = std::min(at_ + slice, replace_.objects.size());
  for (; at_ < end; ++at_) (void)listed_.put(replace_.objects[at_]);
  if (at_ < replace_.objects.size()) return;
  at_ = 0;
  phase_ = Phase::swap;
}

void Replacement::compare() {
  const std::size_t end = std::min(at_ + slice, replace_.objects.size());
  for (; at_ < end; ++at_) {
    Object& object = replace_.objects[at_];
    bytes_ += object.bytes();
    Object old = before_.size() == 0 ? Object() : before_.erase(object.key_view());
    const bool is_same = old && old.resource_version() == object.resource_version() && old.uid() == object.uid();
    if (is_same && (!replace_.may_follow_rewind || old == object)) continue;
    changes_.push_back({.old = std::move(old), .current = std::move(object), .cause = cause_});
  }
  if (at_ == replace_.objects.size()) phase_ = Phase::collect;
}

// The objects that remain in the former table are not in the list.
void Replacement::collect() {
  missing_ = before_.list();
  before_ = {};
}

std::vector<Change> Replacement::take_changes() {
  std::vector<Change> some;
  for (; delivered_undone_ < undone_.size() && some.size() < slice; ++delivered_undone_) {
    some.push_back(std::move(undone_[delivered_undone_]));
  }
  for (; delivered_missing_ < missing_.size() && some.size() < slice; ++delivered_missing_) {
    some.push_back({.old = std::move(missing_[delivered_missing_]), .cause = ChangeCause::missed});
  }
  for (; delivered_ < changes_.size() && some.size() < slice; ++delivered_) {
    some.push_back(std::move(changes_[delivered_]));
  }
  return some;
}

bool Replacement::shows_rewind() const {
  return replace_.follows_rewind || (replace_.may_follow_rewind && !(missing_.empty() && changes_.empty()));
}

}  // namespace pintle
