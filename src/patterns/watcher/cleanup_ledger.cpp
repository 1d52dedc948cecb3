// SPDX-License-Identifier: Apache-2.0
#include "cleanup_ledger.hpp"

#include <algorithm>
#include <utility>

namespace pintle::watcher {
namespace {

json::Value without_bookkeeping(const Object& object) {
  json::Value value = object.to_value();
  if (json::Value* metadata = value.as_object().if_contains("metadata"); metadata != nullptr && metadata->is_object()) {
    for (const char* member : {"finalizers", "managedFields", "resourceVersion"}) metadata->as_object().erase(member);
  }
  return value;
}

}  // namespace

bool has_same_content(const Object& a, const Object& b) {
  if (a.generation() > 0 || b.generation() > 0) return a.generation() == b.generation();
  return without_bookkeeping(a) == without_bookkeeping(b);
}

CleanupLedger::Entry CleanupLedger::find(const Key& key) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? Entry() : found->second;
}

void CleanupLedger::set(const Key& key, Entry entry) {
  const MutexLock lock(mutex_);
  entries_.insert_or_assign(key, std::move(entry));
}

void CleanupLedger::erase(const Key& key) {
  const MutexLock lock(mutex_);
  entries_.erase(key);
}

std::pair<CleanupLedger::Entries::const_iterator, CleanupLedger::Entries::const_iterator> CleanupLedger::entries_of(
    HandlerId handler, std::string_view uid) const {
  const auto first = entries_.lower_bound({.uid = std::string(uid), .handler = handler});
  auto last = first;
  while (last != entries_.end() && last->first.uid == uid && last->first.handler == handler) ++last;
  return {first, last};
}

bool CleanupLedger::is_owed(HandlerId handler, std::string_view uid) const {
  const MutexLock lock(mutex_);
  const auto [first, last] = entries_of(handler, uid);
  return std::any_of(first, last, [](const auto& one) { return one.second.progress == CleanupProgress::owed; });
}

void CleanupLedger::forget_object_of(HandlerId handler, std::string_view uid) {
  const MutexLock lock(mutex_);
  const auto [first, last] = entries_of(handler, uid);
  entries_.erase(first, last);
}

void CleanupLedger::forget_handler(HandlerId handler) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return entry.first.handler == handler; });
}

std::size_t CleanupLedger::size() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

// An object without a uid cannot be distinguished from the next object of its name, so nothing is recorded for it.
CleanupRecord::CleanupRecord(Context& context, const Object& object, const std::string& finalizer)
    : ledger_(object.uid().empty() ? nullptr : context.slot<Place>().ledger),
      key_{.uid = std::string(object.uid()), .handler = context.slot<Place>().handler, .finalizer = finalizer} {}

CleanupLedger::Entry CleanupRecord::entry() const {
  return ledger_ == nullptr ? CleanupLedger::Entry() : ledger_->find(key_);
}

bool CleanupRecord::awaits_success() const {
  const CleanupProgress now = progress();
  return now == CleanupProgress::due || now == CleanupProgress::begun;
}

bool CleanupRecord::needs_cleanup() const {
  const CleanupProgress now = progress();
  return now != CleanupProgress::none && now != CleanupProgress::due && now != CleanupProgress::cleaned;
}

bool CleanupRecord::has_handled(const Object& object) const {
  const CleanupLedger::Entry now = entry();
  return now.progress == CleanupProgress::handled && has_same_content(now.object, object);
}

void CleanupRecord::set(CleanupProgress progress, const Object& object) {
  if (ledger_ != nullptr) ledger_->set(key_, {.progress = progress, .object = object});
}

void CleanupRecord::erase() {
  if (ledger_ != nullptr) ledger_->erase(key_);
}

}  // namespace pintle::watcher
