// SPDX-License-Identifier: Apache-2.0
#include "reconcile_history.hpp"

#include <algorithm>

#include <pintle/base/utf8.hpp>

namespace pintle {

std::size_t ReconcileRecord::bytes() const {
  std::size_t sum = sizeof(*this) + controller.size() + key.namespace_.size() + key.name.size() + error.size();
  for (const CauseRecord& cause : causes) sum += sizeof(cause) + cause.text.size();
  for (const SpanRecord& span : spans) sum += sizeof(span) + span.name.size() + span.error.size();
  for (const WriteRecord& write : writes) {
    sum += sizeof(write) + write.key.name.size();
    for (const WrittenChange& change : write.changes) {
      sum += sizeof(change) + change.pointer.size() + change.before.size() + change.after.size();
    }
  }
  return sum;
}

bool ReconcileHistory::Filter::accepts(const ReconcileRecord& record) const {
  return (controller.empty() || controller == record.controller) && (!key || *key == record.key) &&
         (outcome.empty() || outcome == record.outcome);
}

void ReconcileHistory::add(ReconcileRecord record) {
  const std::size_t bytes = record.bytes();
  const MutexLock lock(mutex_);
  const std::uint64_t id = ++last_id_;
  record.id = id;
  note_error(record);
  std::deque<std::uint64_t>& ids = ids_[{record.controller, record.key}];
  ids.push_back(id);
  const std::uint64_t oldest = ids.front();
  const bool is_over = ids.size() > max_of_object;
  records_.emplace(id, std::make_shared<const ReconcileRecord>(std::move(record)));
  bytes_ += bytes;
  if (is_over) drop(oldest);
  while (records_.size() > limit_ || (bytes_ > limit_ * mean_bytes && records_.size() > 1)) {
    drop(records_.begin()->first);
  }
}

void ReconcileHistory::drop(std::uint64_t id) {
  const auto at = records_.find(id);
  const ReconcileRecord& record = *at->second;
  bytes_ -= record.bytes();
  const auto ids = ids_.find({record.controller, record.key});
  ids->second.pop_front();  // the oldest of an object is dropped first
  if (ids->second.empty()) ids_.erase(ids);
  records_.erase(at);
}

void ReconcileHistory::note_error(const ReconcileRecord& record) {
  const OfObject object{record.controller, record.key};
  if (const auto before = errors_.find(object); before != errors_.end()) drop_error(before);
  if (record.outcome != "error") return;
  const std::string_view text = truncate_utf8(record.error, max_error_bytes);
  errors_.emplace(object, LastError{.id = record.id, .text = std::string(text)});
  with_error_.emplace(record.id, object);
  bytes_of_errors_ += text.size();
  if (errors_.size() > std::max(limit_, min_errors)) drop_error(errors_.find(with_error_.begin()->second));
}

void ReconcileHistory::drop_error(std::map<OfObject, LastError>::iterator at) {
  bytes_of_errors_ -= at->second.text.size();
  with_error_.erase(at->second.id);
  errors_.erase(at);
}

std::string ReconcileHistory::last_error(const std::string& controller, const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = errors_.find({controller, key});
  return found == errors_.end() ? std::string() : found->second.text;
}

std::vector<ReconcileHistory::Record> ReconcileHistory::newest(const Filter& filter, std::size_t count) const {
  const MutexLock lock(mutex_);
  std::vector<Record> found;
  for (auto at = records_.rbegin(); at != records_.rend() && found.size() < count; ++at) {
    if (filter.accepts(*at->second)) found.push_back(at->second);
  }
  return found;
}

std::vector<ReconcileHistory::Record> ReconcileHistory::after(std::uint64_t id) const {
  const MutexLock lock(mutex_);
  std::vector<Record> found;
  for (auto at = records_.upper_bound(id); at != records_.end(); ++at) found.push_back(at->second);
  return found;
}

std::uint64_t ReconcileHistory::last_id() const {
  const MutexLock lock(mutex_);
  return last_id_;
}

ReconcileHistory::Size ReconcileHistory::size() const {
  const MutexLock lock(mutex_);
  return {.records = records_.size(), .bytes = bytes_ + bytes_of_errors_};
}

}  // namespace pintle
