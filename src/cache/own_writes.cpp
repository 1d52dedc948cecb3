// SPDX-License-Identifier: Apache-2.0
#include "own_writes.hpp"

#include <algorithm>

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

// Returns false also if the versions cannot be compared.
bool is_newer(std::string_view a, std::string_view b) {
  const auto order = compare_resource_versions(a, b);
  return order && *order > 0;
}

bool is_comparable(std::string_view version) { return compare_resource_versions(version, version).has_value(); }

std::pair<std::size_t, std::string> sortable(std::string_view version) {
  return {version.size(), std::string(version)};
}

}  // namespace

// A write that removes the last finalizer of an object that is being deleted completes the deletion.
bool OwnWrites::completes_deletion(const Object& response) {
  return response.is_deleting() && response.finalizers().empty() && response["/spec/finalizers"].empty() &&
         response["/metadata/deletionGracePeriodSeconds"].as_integer().value_or(0) == 0;
}

// A removed object is shown again if a later event shows that the server has only begun to delete it: it was not being
// deleted before, and is now.
bool OwnWrites::is_overtaken(const Shown& shown, const Object& event) {
  const bool is_older = is_newer(shown.version, event.resource_version());
  if (shown.is_removal() && event.uid() == shown.uid) return event.is_deleting() && !shown.was_deleting && !is_older;
  return !is_older;
}

bool OwnWrites::is_met_by_delete(const Shown& shown, const Object& event) {
  if (shown.is_removal() && event.uid() == shown.uid) return true;
  return !is_newer(shown.version, event.resource_version());
}

bool OwnWrites::outlasts_list(const Shown& shown, std::string_view version) {
  if (is_newer(shown.version, version)) return true;
  const Object& listed = shown.confirmed;
  return shown.is_removal() && listed && listed.uid() == shown.uid && (shown.was_deleting || !listed.is_deleting());
}

bool OwnWrites::is_undone(const Shown& shown, const Object& listed, const Object& visible) {
  if (!listed) return static_cast<bool>(visible);
  if (shown.is_removal()) return listed.uid() == shown.uid && (shown.was_deleting || !listed.is_deleting());
  return is_newer(shown.version, listed.resource_version());
}

void OwnWrites::count_in(Gauge provisional) {
  const MutexLock lock(mutex_);
  provisional_ = provisional;
  provisional_.add(static_cast<double>(shown_.size()));
}

void OwnWrites::set_paused(bool is_paused) {
  const MutexLock lock(mutex_);
  is_paused_ = is_paused;
}

bool OwnWrites::resume() {
  const MutexLock lock(mutex_);
  is_paused_ = false;
  return std::exchange(has_missed_write_, false);
}

bool OwnWrites::misses_write() {
  has_missed_write_ = has_missed_write_ || is_paused_;
  return is_paused_;
}

Object OwnWrites::put(Object event) {
  const ObjectKey key = event.key();
  const std::string version(event.resource_version());
  const MutexLock lock(mutex_);
  const auto at = shown_.find(key);
  Object before;
  if (at == shown_.end()) {
    before = store_.put(std::move(event));
  } else {
    before = std::exchange(at->second.confirmed, event);
    if (is_overtaken(at->second, event)) {
      forget(at);
      (void)store_.put(std::move(event));
    }
  }
  advance(version);
  return before;
}

Object OwnWrites::erase(const Object& event) {
  const ObjectKey key = event.key();
  const MutexLock lock(mutex_);
  const auto at = shown_.find(key);
  Object before;
  if (at == shown_.end()) {
    before = store_.erase(key);
  } else {
    before = std::exchange(at->second.confirmed, {});
    if (is_met_by_delete(at->second, event)) {
      forget(at);
      (void)store_.erase(key);
    }
  }
  advance(event.resource_version());
  return before;
}

ObjectTable OwnWrites::replace(ObjectTable listed, std::string_view version, std::optional<Moment> requested,
                               bool ends_history) {
  const MutexLock lock(mutex_);
  std::vector<std::pair<ObjectKey, Object>> undo;  // previous states of the reflector for the keys in shown_
  const bool was_rewound = ends_history || is_newer(reached_, version);
  for (auto at = shown_.begin(); at != shown_.end();) {
    const auto current = at++;
    Shown& shown = current->second;
    const ObjectKey key = current->first;
    const Object visible = store_.get(key);
    Object former = std::exchange(shown.confirmed, listed.find(key));
    if (was_rewound || shown.since <= requested.value_or(0) || !outlasts_list(shown, version)) {
      if (!ends_history && is_undone(shown, shown.confirmed, visible)) {
        if (former || visible) undone_.push_back({.old = former, .current = visible, .cause = ChangeCause::missed});
        former = visible;
      }
      forget(current);
    } else if (visible) {
      (void)listed.put(visible);
    } else {
      (void)listed.erase(key);
    }
    undo.emplace_back(key, std::move(former));
  }
  ObjectTable before = store_.replace(std::move(listed));
  for (auto& [key, object] : undo) {
    (void)(object ? before.put(std::move(object)) : before.erase(key));
  }
  if (was_rewound) {
    resolved_at_.clear();
    reached_.clear();
  }
  advance(version);
  return before;
}

std::vector<Change> OwnWrites::take_undone() {
  const MutexLock lock(mutex_);
  return std::exchange(undone_, {});
}

bool OwnWrites::shows_rewind(std::string_view version, std::optional<Moment> requested) const {
  const MutexLock lock(mutex_);
  return requested && std::any_of(shown_.begin(), shown_.end(), [&](const auto& one) {
           return one.second.since <= *requested && is_newer(one.second.version, version);
         });
}

std::vector<Object> OwnWrites::confirmed(const std::optional<ObjectKey>& after, std::size_t limit) const {
  const MutexLock lock(mutex_);
  std::vector<Object> objects;
  const ObjectRange visible = after ? store_.range_after(*after) : store_.range();
  auto at = visible.begin();
  auto shown = after ? shown_.upper_bound(*after) : shown_.begin();
  while (objects.size() < limit && (at != visible.end() || shown != shown_.end())) {
    if (shown == shown_.end() || (at != visible.end() && at->key_view() < ObjectKeyView(shown->first))) {
      objects.push_back(*at);
      ++at;
      continue;
    }
    if (shown->second.confirmed) objects.push_back(shown->second.confirmed);
    if (at != visible.end() && at->key_view() == ObjectKeyView(shown->first)) ++at;
    ++shown;
  }
  return objects;
}

void OwnWrites::advance_to(std::string_view version) {
  const MutexLock lock(mutex_);
  advance(version);
}

void OwnWrites::advance(std::string_view version) {
  if (!is_comparable(version) || is_newer(reached_, version)) return;
  reached_ = version;
  if (!resolved_at_.empty() && !is_newer(resolved_at_, reached_)) resolved_at_.clear();
  while (!expected_.empty() && expected_.begin()->first <= sortable(reached_)) {
    const ObjectKey key = expected_.begin()->second;
    const auto at = shown_.find(key);
    const Object confirmed = at->second.confirmed;
    if (at->second.is_removal() && confirmed && confirmed.uid() == at->second.uid) {
      expected_.erase(expected_.begin());
      at->second.version.clear();  // its DELETED event has not arrived yet
    } else {
      forget(at);
      show(key, confirmed);
    }
  }
}

bool OwnWrites::wrote(const Object& response, bool in_scope) {
  return wrote(response, in_scope, completes_deletion(response));
}

bool OwnWrites::wrote(const Object& response, bool in_scope, bool is_last_state) {
  const ObjectKey key = response.key();
  const std::string_view version = response.resource_version();
  const MutexLock lock(mutex_);
  if (misses_write()) return true;
  if (is_last_state) {
    hide(key, response.uid(), true);
    return true;
  }
  if (!is_comparable(version)) return true;
  auto at = shown_.find(key);
  if (!reached_.empty() && !is_newer(version, reached_)) {
    // The response to a write that changed nothing has the version that the reflector already has; no event follows.
    if (!in_scope || at != shown_.end()) return true;
    const Object seen = store_.get(key);
    return seen && !is_newer(version, seen.resource_version());
  }
  if (at == shown_.end()) {
    Object confirmed = store_.get(key);
    if (!in_scope && !confirmed) return true;
    at = shown_.emplace(key, Shown{.confirmed = std::move(confirmed)}).first;
    provisional_.add(1);
  } else {
    // Responses arrive in any order.
    const Shown& shown = at->second;
    if (shown.is_removal() && shown.uid == response.uid()) return true;
    if (!shown.version.empty() && !is_newer(version, shown.version)) return true;
  }
  at->second.uid.clear();
  at->second.since = ++responses_;
  expect(key, at->second, version);
  show(key, in_scope ? response : Object());
  return true;
}

void OwnWrites::removed(const ObjectKey& key, std::string_view uid) {
  const MutexLock lock(mutex_);
  if (!misses_write()) hide(key, uid, false);
}

// The uid identifies the removed object; another object may have its name by now.
void OwnWrites::hide(const ObjectKey& key, std::string_view uid, bool is_deleting) {
  const Object visible = store_.get(key);
  if (uid.empty() || !visible || visible.uid() != uid) return;
  const auto [at, is_new] = shown_.try_emplace(key, Shown{.confirmed = visible});
  if (is_new) provisional_.add(1);
  Shown& shown = at->second;
  shown.uid = uid;
  shown.since = ++responses_;
  shown.was_deleting = is_deleting || visible.is_deleting();
  show(key, {});
}

void OwnWrites::expect(const ObjectKey& key, Shown& shown, std::string_view version) {
  if (!shown.version.empty()) expected_.erase({sortable(shown.version), key});
  shown.version = version;
  expected_.insert({sortable(version), key});
}

void OwnWrites::forget(AllShown::iterator at) {
  if (!at->second.version.empty()) expected_.erase({sortable(at->second.version), at->first});
  shown_.erase(at);
  provisional_.add(-1);
}

void OwnWrites::show(const ObjectKey& key, const Object& object) {
  if (object) {
    (void)store_.put(object);
  } else {
    (void)store_.erase(key);
  }
}

void OwnWrites::begin_pending_create() {
  const MutexLock lock(mutex_);
  if (misses_write()) return;
  ++pending_creates_;
  has_pending_create_ = true;
}

std::optional<OwnWrites::PendingCreate> OwnWrites::pending_create() const {
  const MutexLock lock(mutex_);
  if (has_pending_create_ || !resolved_at_.empty()) return pending_creates_;
  return {};
}

void OwnWrites::resolve_pending_create(PendingCreate pending, std::string_view version) {
  const MutexLock lock(mutex_);
  if (pending != pending_creates_) return;
  has_pending_create_ = false;
  // A version that cannot be compared resolves the pending create too: the caller has read the server.
  resolved_at_ = is_newer(version, reached_) ? std::string(version) : std::string();
}

std::size_t OwnWrites::waiting() const {
  const MutexLock lock(mutex_);
  return shown_.size();
}

}  // namespace pintle
