// SPDX-License-Identifier: Apache-2.0
// The past of Storage: earlier versions, and rewinds.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "storage.hpp"

namespace pintle::apiserver {

Version Storage::version_before(std::string_view collection, std::uint64_t versions, Instant moment) const {
  const MutexLock lock(mutex_);
  Version found = version_ - std::min(versions, version_);
  const auto later = std::upper_bound(moments_.begin(), moments_.end(), moment,
                                      [](Instant wanted, const auto& written) { return wanted < written.first; });
  if (later != moments_.end()) found = std::min(found, later->second - 1);
  return std::min(std::max({found, at(collection).floor, Version{1}}), version_);
}

Result<void> Storage::rewind(Version version) {
  Aftermath after;
  Result<void> done;
  {
    const MutexLock lock(mutex_);
    wait_for_commit();
    if (version > version_) {
      return fail(ErrorCode::invalid, fmt::format("cannot rewind to version {}: the newest is {}", version, version_));
    }
    if (version < oldest()) {
      return fail(ErrorCode::invalid,
                  fmt::format("cannot rewind to version {}: the watch windows begin at {}; increase watch_history_size",
                              version, oldest()));
    }
    done = go_back_to(version, false, after);
  }
  after.notify();
  return done;
}

Result<void> Storage::rewind_by(std::uint64_t versions, bool keep_readers) {
  Aftermath after;
  Result<void> done;
  {
    const MutexLock lock(mutex_);
    wait_for_commit();
    done = go_back_to(std::max(oldest(), version_ - std::min(versions, version_)), keep_readers, after);
  }
  after.notify();
  return done;
}

std::uint64_t Storage::rewinds() const {
  const MutexLock lock(mutex_);
  return rewinds_;
}

// The oldest version that every window contains.
Version Storage::oldest() const {
  Version found = 0;
  for (const auto& [name, in] : collections_) found = std::max(found, in.floor);
  return found;
}

// Commits the state at `version`: for each key with a later change, the object before the first of these.
Result<void> Storage::keep_rewind(Version version) {
  std::vector<Record> records;
  for (const auto& [name, in] : collections_) {
    for (auto change = in.window.rbegin(); change != in.window.rend() && (*change)->version > version; ++change)
      records.push_back({.collection = name, .key = (*change)->key, .object = (*change)->before});
  }
  committing_ = true;
  mutex_.unlock();
  Result<void> kept = journal_->commit(records, version);
  mutex_.lock();
  committing_ = false;
  committed_.notify_all();
  if (!kept) {
    ++failed_commits_;
    return kept;
  }
  // The queued writes refer to the state before the rewind.
  for (Waiting* const write : std::exchange(queue_, {})) {
    write->in->uncommitted.erase(write->change.key);
    write->state = Waiting::State::superseded;
  }
  return {};
}

Result<void> Storage::go_back_to(Version version, bool keep_readers, Aftermath& after) {
  if (journal_ != nullptr) {
    if (auto kept = keep_rewind(version); !kept) return kept;
  }
  for (auto& [name, in] : collections_) {
    while (!in.window.empty() && in.window.back()->version > version) {
      undo(in, *in.window.back());
      after.dropped.push_back(std::move(in.window.back()));
      in.window.pop_back();
    }
    in.written = std::min(in.written, version);
    const std::uint64_t end = in.first + in.window.size();
    for (std::uint64_t& earlier : in.ends) earlier = std::min(earlier, end);
    for (std::uint64_t& earlier : in.returns) earlier = std::min(earlier, end);
    if (keep_readers) {
      in.returns.push_back(end);
      continue;
    }
    in.ends.push_back(end);
    const Wakeups here = take_waiting(in);
    after.woken.insert(after.woken.end(), here.begin(), here.end());
  }
  while (!moments_.empty() && moments_.back().second > version) moments_.pop_back();
  version_ = version;
  assigned_ = version;
  ++writes_;
  ++rewinds_;
  written_.notify_all();
  return {};
}

void Storage::undo(Collection& in, const Change& change) {
  const auto found = in.objects.find(change.key);
  const bool is_there = found != in.objects.end();
  if (!change.before.exists()) {
    in.objects.erase(found);
    return count_out(in, change.key);
  }
  if (is_there) {
    found->second = change.before;
  } else {
    in.objects.emplace(change.key, change.before);
    count_in(in, change.key);
  }
}

}  // namespace pintle::apiserver
