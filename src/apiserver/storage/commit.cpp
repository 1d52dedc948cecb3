// SPDX-License-Identifier: Apache-2.0
// The writes of Storage. Without a journal, a write is applied at once. With one, the first thread that finds no commit
// in progress commits the writes of all waiting threads, and applies them in the order of their versions.
#include <utility>

#include "storage.hpp"

namespace pintle::apiserver {

Result<std::optional<Object>> Storage::put(std::string_view collection, const std::string& key, const Object& expected,
                                           json::Value next) {
  return write(collection, key, expected, std::move(next), false);
}

Result<std::optional<Object>> Storage::erase(std::string_view collection, const std::string& key,
                                             const Object& expected, json::Value last) {
  return write(collection, key, expected, std::move(last), true);
}

Result<std::optional<Object>> Storage::write(std::string_view collection, const std::string& key,
                                             const Object& expected, json::Value value, bool deletes) {
  Aftermath after;
  Object written;
  Result<bool> stored = true;
  {
    const MutexLock lock(mutex_);
    Collection& in = at(collection);
    // The write before this one may fail, so only its result shows whether `expected` is still stored.
    while (in.uncommitted.contains(key)) committed_.wait(mutex_);
    const auto found = in.objects.find(key);
    const Object present = found == in.objects.end() ? Object() : found->second;
    if (present.exists() != expected.exists() || (present.exists() && !present.is_same_document(expected)))
      return std::nullopt;
    if (deletes && !present.exists()) return std::nullopt;
    written = stamp(std::move(value), ++assigned_);
    Waiting one{.in = &in,
                .collection = collection,
                .change = {.version = assigned_, .key = key, .before = present, .after = written, .deleted = deletes}};
    if (journal_ == nullptr) {
      apply(in, std::move(one.change), after);
    } else {
      stored = keep(one, after);
    }
  }
  after.notify();
  if (!stored) return fail(std::move(stored.error()));
  return *stored ? std::optional(std::move(written)) : std::nullopt;
}

// Waits until the write is committed and applied. Returns false if a rewind came first.
Result<bool> Storage::keep(Waiting& write, Aftermath& after) {
  write.in->uncommitted.insert(write.change.key);
  queue_.push_back(&write);
  while (write.state == Waiting::State::queued) {
    if (committing_) {
      committed_.wait(mutex_);
    } else {
      commit_queue(after);
    }
  }
  if (write.state == Waiting::State::failed) return fail(std::move(write.error));
  return write.state == Waiting::State::stored;
}

void Storage::commit_queue(Aftermath& after) {
  committing_ = true;
  const std::vector<Waiting*> batch = std::exchange(queue_, {});
  mutex_.unlock();
  // The members `collection` and `change` of a queued write do not change, and its thread waits.
  std::vector<Record> records;
  records.reserve(batch.size());
  for (const Waiting* const write : batch) {
    const Change& change = write->change;
    records.push_back(
        {.collection = write->collection, .key = change.key, .object = change.deleted ? Object() : change.after});
  }
  const Result<void> kept = journal_->commit(records, batch.back()->change.version);
  mutex_.lock();
  committing_ = false;
  finish_commit(batch, kept, after);
}

void Storage::finish_commit(const std::vector<Waiting*>& batch, const Result<void>& kept, Aftermath& after) {
  if (!kept) ++failed_commits_;
  for (Waiting* const write : batch) {
    write->in->uncommitted.erase(write->change.key);
    if (kept) {
      apply(*write->in, std::move(write->change), after);
      write->state = Waiting::State::stored;
    } else {
      write->error = kept.error();
      write->state = Waiting::State::failed;
    }
  }
  committed_.notify_all();
}

void Storage::apply(Collection& in, Change change, Aftermath& after) {
  version_ = change.version;
  if (change.deleted) {
    in.objects.erase(change.key);
    count_out(in, change.key);
  } else if (in.objects.insert_or_assign(change.key, change.after).second) {
    count_in(in, change.key);
  }
  note(in, std::move(change), after);
}

void Storage::wait_for_commit() {
  while (committing_) committed_.wait(mutex_);
}

std::uint64_t Storage::failed_commits() const {
  const MutexLock lock(mutex_);
  return failed_commits_;
}

}  // namespace pintle::apiserver
