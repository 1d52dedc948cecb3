// SPDX-License-Identifier: Apache-2.0
#include "reconcile_history.hpp"

#include <algorithm>

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
  return {.records = records_.size(), .bytes = bytes_};
}

}  // namespace pintle
