// SPDX-License-Identifier: Apache-2.0
#include "served_kinds.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/random.hpp>

namespace pintle {
namespace {

constexpr Backoff between_checks{
    .base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::seconds(48), .jitter = 0.25};

}  // namespace

ServedKinds::ServedKinds(Client& client, Log log)
    : client_(client),
      executor_(client.transport().executor()),
      log_(std::move(log)),
      mutex_(executor_),
      changed_(executor_) {}

void ServedKinds::await(Informer& informer, bool may_never_come) {
  const Entry entry{.informer = &informer,
                    .may_never_come = may_never_come,
                    .is_missing = true,
                    .attempts = 1,
                    .due = after(executor_.now(), between_checks.delay(0))};
  log_missing(entry);
  add(entry);
}

void ServedKinds::suspect(Informer& informer) { add({.informer = &informer, .due = executor_.now()}); }

void ServedKinds::add(Entry entry) {
  const MutexLock lock(mutex_);
  const bool is_known = std::any_of(entries_.begin(), entries_.end(),
                                    [&](const Entry& known) { return known.informer == entry.informer; });
  if (stopped_ || is_known) return;
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

void ServedKinds::run() {
  Entry entry;
  while (wait_for_due(entry)) {
    Finding finding = check(entry);
    entry.due = after(executor_.now(), between_checks.delay(entry.attempts++, Random::to_unit(executor_.random())));
    const MutexLock lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& known) { return known.informer == entry.informer; });
    if (at == entries_.end()) continue;  // removed meanwhile
    if (finding.check_again) {
      *at = entry;
    } else {
      entries_.erase(at);
    }
    tell(entry, std::move(finding));
  }
}

void ServedKinds::tell(const Entry& entry, Finding finding) {
  if (finding.has_ended) {
    log_missing(entry);
    entry.informer->withdraw();
  }
  if (!finding.served) return;
  log_.info("the cluster serves the kind now", {{"kind", entry.informer->options().resource.kind.to_string()}});
  entry.informer->begin(std::move(*finding.served));
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
  const GroupVersionKind& kind = entry.informer->options().resource.kind;
  client_.invalidate_discovery(kind);
  auto resource = client_.resource(kind, stop_.get_token());
  if (stop_.stop_requested()) return {};
  if (!resource) {
    if (resource.error().code != ErrorCode::unsupported) return {.check_again = entry.is_missing};
    const bool has_ended = !std::exchange(entry.is_missing, true);
    if (has_ended) entry.attempts = 0;
    return {.check_again = true, .has_ended = has_ended};
  }
  if (!entry.is_missing) return {};
  return {.served = std::move(*resource)};
}

void ServedKinds::log_missing(const Entry& entry) const {
  log_.write(entry.may_never_come ? LogLevel::info : LogLevel::warning,
             "the cluster does not serve a kind; its cache is empty until its CRD is installed",
             {{"kind", entry.informer->options().resource.kind.to_string()}});
}

}  // namespace pintle
