// SPDX-License-Identifier: Apache-2.0
#include "served_kinds.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/random.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Backoff between_checks{
    .base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::seconds(48), .jitter = 0.25};

}  // namespace

ServedKinds::ServedKinds(Client& client, FirstLists& first_lists, Log log)
    : client_(client),
      first_lists_(first_lists),
      executor_(client.transport().executor()),
      log_(std::move(log)),
      mutex_(executor_),
      changed_(executor_) {}

void ServedKinds::await(Informer& informer, bool may_never_come) {
  add({.informer = &informer,
       .kind = informer.options().resource.kind,
       .may_never_come = may_never_come,
       .is_missing = true,
       .attempts = 1,
       .due = after(executor_.now(), between_checks.delay(0))});
}

void ServedKinds::suspect(Informer& informer) {
  add({.informer = &informer, .kind = informer.options().resource.kind, .due = executor_.now()});
}

// An informer of a kind that is missing waits for the next check of the kind.
void ServedKinds::add(Entry entry) {
  const MutexLock lock(mutex_);
  const bool is_known = std::any_of(entries_.begin(), entries_.end(),
                                    [&](const Entry& known) { return known.informer == entry.informer; });
  if (stopped_ || is_known) return;
  bool is_logged = false;
  for (const Entry& known : entries_) {
    if (!known.is_missing || known.kind != entry.kind) continue;
    entry.attempts = known.attempts;
    entry.due = known.due;
    is_logged = is_logged || !known.may_never_come || entry.may_never_come;
  }
  if (entry.is_missing && !is_logged) log_missing(entry);
  entries_.push_back(entry);
  changed_.notify_all();
  // The thread is started under the lock: a concurrent stop() could otherwise miss it.
  if (threads_.empty()) threads_.push_back(executor_.spawn({.name = "served-kinds"}, [this] { run(); }));
}

void ServedKinds::stop() {
  stop_.request_stop();
  std::vector<Thread> ending;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ending.swap(threads_);
    changed_.notify_all();
  }
  for (Thread& thread : ending) thread.join();
}

void ServedKinds::forget(const Informer& informer) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const Entry& known) { return known.informer == &informer; });
}

// A kind has many informers if it is watched in many namespaces. They share the checks of the kind.
void ServedKinds::run() {
  Entry checked;
  while (wait_for_due(checked)) {
    const Finding finding = check(checked);
    checked.due = after(executor_.now(), between_checks.delay(checked.attempts++, Random::to_unit(executor_.random())));
    const MutexLock lock(mutex_);
    const auto concerned = std::stable_partition(entries_.begin(), entries_.end(),
                                                 [&](const Entry& known) { return known.kind != checked.kind; });
    const bool was_missing =
        std::any_of(concerned, entries_.end(), [](const Entry& known) { return known.is_missing; });
    if (finding.has_ended && !was_missing && concerned != entries_.end()) log_missing(*concerned);
    if (finding.served && was_missing) {
      log_.info("the cluster serves the kind now", {{"kind", checked.kind.to_string()}});
    }
    for (auto known = concerned; known != entries_.end(); ++known) {
      tell(*known, finding);
      known->is_missing = known->is_missing || finding.has_ended;
      known->attempts = checked.attempts;
      known->due = checked.due;
    }
    entries_.erase(std::remove_if(concerned, entries_.end(),
                                  [&](const Entry& known) { return !finding.check_again || !known.is_missing; }),
                   entries_.end());
  }
}

void ServedKinds::tell(const Entry& entry, Finding finding) {
  if (finding.has_ended && !entry.is_missing) entry.informer->withdraw();
  if (finding.served && entry.is_missing) first_lists_.begin(*entry.informer, std::move(*finding.served));
}

bool ServedKinds::wait_for_due(Entry& due) {
  const MutexLock lock(mutex_);
  while (!stopped_) {
    const auto first = std::min_element(entries_.begin(), entries_.end(),
                                        [](const Entry& a, const Entry& b) { return a.due < b.due; });
    if (first == entries_.end()) {
      changed_.wait(mutex_);
    } else if (first->due <= executor_.now()) {
      due = *first;
      return true;
    } else {
      (void)changed_.wait_until(mutex_, first->due);
    }
  }
  return false;
}

// An error other than `unsupported` does not show whether the kind is served. A suspected kind is then left to the
// retries of its informer, each of which may suspect it again.
ServedKinds::Finding ServedKinds::check(Entry& entry) {
  client_.invalidate_discovery(entry.kind);
  auto resource = client_.resource(entry.kind, stop_.get_token());
  if (stop_.stop_requested()) return {};
  if (resource) return {.served = std::move(*resource)};
  if (resource.error().code != ErrorCode::unsupported) return {.check_again = true};
  if (!std::exchange(entry.is_missing, true)) entry.attempts = 0;
  return {.check_again = true, .has_ended = true};
}

void ServedKinds::log_missing(const Entry& entry) const {
  log_.write(entry.may_never_come ? LogLevel::info : LogLevel::warning,
             "the cluster does not serve a kind; its cache is empty until its CRD is installed",
             {{"kind", entry.kind.to_string()}});
}

}  // namespace pintle
