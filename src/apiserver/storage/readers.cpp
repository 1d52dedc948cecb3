// SPDX-License-Identifier: Apache-2.0
// The readers of Storage: positions in the window, subscriptions, compaction.
#include <algorithm>
#include <utility>

#include "storage.hpp"

namespace pintle::apiserver {

std::optional<Position> Storage::place_after(std::string_view collection, Version version) const {
  const MutexLock lock(mutex_);
  const Collection& in = at(collection);
  if (version < in.floor) return std::nullopt;
  return Position{.next = in.first + static_cast<std::uint64_t>(after(in, version) - in.window.begin()),
                  .epoch = in.ends.size(),
                  .returns = in.returns.size()};
}

std::pair<Page, Position> Storage::list_and_place(std::string_view collection, std::string_view namespace_) const {
  const MutexLock lock(mutex_);
  const Collection& in = at(collection);
  return {read_range(in, {.namespace_ = namespace_}, {}),
          {.next = in.first + in.window.size(), .epoch = in.ends.size(), .returns = in.returns.size()}};
}

Batch Storage::read(std::string_view collection, Position& place, std::size_t limit, std::uint64_t subscription,
                    Version until) {
  const MutexLock lock(mutex_);
  Collection& in = at(collection);
  Batch batch{.version = version_};
  while (place.returns < in.returns.size()) place.next = std::min(place.next, in.returns[place.returns++]);
  const std::uint64_t window_end = in.first + in.window.size();
  const bool is_over = place.epoch < in.ends.size();
  std::uint64_t end = is_over ? std::min(in.ends[place.epoch], window_end) : window_end;
  if (place.next < in.first || (is_over && place.next >= end)) {
    batch.lost = true;
    return batch;
  }
  if (!is_over && until < version_) {
    const std::uint64_t beyond = in.first + static_cast<std::uint64_t>(after(in, until) - in.window.begin());
    batch.has_more = beyond < end;
    end = std::max(place.next, beyond);
  }
  const std::uint64_t count = std::min<std::uint64_t>(limit, end - place.next);
  const auto from = in.window.begin() + static_cast<std::ptrdiff_t>(place.next - in.first);
  batch.changes.assign(from, from + static_cast<std::ptrdiff_t>(count));
  place.next += count;
  batch.drained = !is_over && place.next == end;
  if (batch.drained && subscription != 0) in.waiting.insert(subscription);
  return batch;
}

std::uint64_t Storage::subscribe(std::string_view collection, std::shared_ptr<Wakeup> wakeup) {
  const MutexLock lock(mutex_);
  const std::uint64_t id = next_subscription_++;
  at(collection).readers.emplace(id, std::move(wakeup));
  return id;
}

void Storage::unsubscribe(std::string_view collection, std::uint64_t subscription) {
  const MutexLock lock(mutex_);
  Collection& in = at(collection);
  in.waiting.erase(subscription);
  in.readers.erase(subscription);
}

void Storage::end_readers(std::string_view collection) {
  Wakeups woken;
  {
    const MutexLock lock(mutex_);
    Collection& in = at(collection);
    in.ends.push_back(in.first + in.window.size());
    woken = take_waiting(in);
  }
  for (const auto& wakeup : woken) wakeup->ring();
}

void Storage::end_all_readers() {
  Wakeups woken;
  {
    const MutexLock lock(mutex_);
    for (auto& [name, in] : collections_) {
      in.ends.push_back(in.first + in.window.size());
      const Wakeups here = take_waiting(in);
      woken.insert(woken.end(), here.begin(), here.end());
    }
  }
  for (const auto& wakeup : woken) wakeup->ring();
}

void Storage::compact() {
  std::vector<ChangePtr> dropped;
  const MutexLock lock(mutex_);
  wait_for_commit();  // a rewind needs the windows
  for (auto& [name, in] : collections_) {
    in.first += in.window.size();
    in.floor = version_;
    dropped.insert(dropped.end(), in.window.begin(), in.window.end());
    in.window.clear();
  }
}

Version Storage::last_write(std::string_view collection) const {
  const MutexLock lock(mutex_);
  return at(collection).written;
}

std::vector<std::string> Storage::written_after(Version version) const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, in] : collections_) {
    if (in.written > version) names.push_back(name);
  }
  return names;
}

bool Storage::wait_past(std::uint64_t writes, Instant deadline) {
  const MutexLock lock(mutex_);
  while (writes_ <= writes && !interrupted_) {
    has_waiters_ = true;
    if (!written_.wait_until(mutex_, deadline)) break;
  }
  return writes_ > writes && !interrupted_;
}

void Storage::interrupt() {
  const MutexLock lock(mutex_);
  interrupted_ = true;
  written_.notify_all();
}

}  // namespace pintle::apiserver
