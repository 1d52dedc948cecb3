// SPDX-License-Identifier: Apache-2.0
// The functions of ControllerRunner for the debug API and for metrics.
#include <algorithm>
#include <tuple>
#include <utility>

#include "controller_runner.hpp"

namespace pintle {
namespace {

// The queue also keeps keys that only have a number of failures.
bool is_active(const auto& seen) { return seen.waiting || seen.processing; }

QueueEntry::State state_of(const auto& seen, Instant now) {
  if (seen.processing) return QueueEntry::State::working;
  return seen.due <= now ? QueueEntry::State::waiting : QueueEntry::State::delayed;
}

// The order of an entry depends on these.
struct Place {
  QueueEntry::State state{};
  Instant due{};
  ObjectKey key{};

  friend auto operator<=>(const Place& a, const Place& b) {
    return std::tie(a.state, a.due, a.key) <=> std::tie(b.state, b.due, b.key);
  }
};

}  // namespace

ControllerCounts ControllerRunner::counts() const {
  ControllerCounts counts{.workers = workers_count_, .objects = objects().size(), .handlers = sources_.backlog()};
  queue_.visit([&, now = executor_.now()](const auto& seen) {
    if (!is_active(seen)) return;
    switch (state_of(seen, now)) {
      case QueueEntry::State::working: ++counts.working; break;
      case QueueEntry::State::waiting: ++counts.waiting; break;
      case QueueEntry::State::delayed: ++counts.delayed; break;
    }
  });
  const MutexLock lock(mutex_);
  counts.reconciles = reconciles_;
  counts.last_error = last_error_;
  return counts;
}

// The first visit of the queue selects the entries, so that only the causes of few of them are copied.
QueuePart ControllerRunner::queue(const QueueFilter& filter) const {
  const Instant now = executor_.now();
  QueuePart part;
  std::vector<Place> places;
  queue_.visit([&](const auto& seen) {
    if (!is_active(seen)) return;
    ++part.total;
    const QueueEntry::State state = state_of(seen, now);
    if (filter.state && *filter.state != state) return;
    if (filter.key && *filter.key != seen.key) return;
    if (!filter.search.empty() && seen.key.to_string().find(filter.search) == std::string::npos) return;
    places.push_back({.state = state, .due = seen.processing ? seen.taken : seen.due, .key = seen.key});
  });
  part.matching = places.size();
  const std::size_t count = std::min(filter.limit, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end());
  std::map<ObjectKey, std::size_t> selected;
  for (std::size_t i = 0; i < count; ++i) selected.emplace(std::move(places[i].key), i);

  std::vector<std::optional<QueueEntry>> entries(count);
  queue_.visit([&](const auto& seen) {
    const auto at = selected.find(seen.key);
    if (at == selected.end()) return;
    QueueEntry entry{.key = seen.key,
                     .state = state_of(seen, now),
                     .priority = seen.priority,
                     .failures = seen.failures,
                     .causes = seen.causes};
    if (seen.waiting) entry.due = seen.due;
    if (seen.processing) {
      entry.since = seen.taken;
      const Duration limit = steps_.timeout();
      if (limit > Duration::zero()) entry.overdue = std::max(Duration::zero(), Duration(now - seen.taken - limit));
    }
    entries[at->second] = std::move(entry);
  });
  for (std::optional<QueueEntry>& entry : entries) {
    if (entry) part.entries.push_back(std::move(*entry));
  }
  return part;
}

ObjectRange ControllerRunner::objects() const {
  return sources_.primary() == nullptr ? ObjectRange() : sources_.primary()->range();
}

void ControllerRunner::measure() const {
  queue_.measure();
  const Dispatcher::Backlog handlers = sources_.backlog();
  metrics_.handlers(handlers.waiting, handlers.lag);
}

}  // namespace pintle
