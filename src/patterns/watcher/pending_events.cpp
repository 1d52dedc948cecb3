// SPDX-License-Identifier: Apache-2.0
#include "pending_events.hpp"

#include <algorithm>
#include <utility>

namespace pintle::watcher {
namespace {

using Action = ReconcileAction;

bool is_about(const Object& object, std::string_view uid) { return uid.empty() || object.uid() == uid; }

double count_waiting(const std::vector<Retry>& retries) {
  return static_cast<double>(
      std::count_if(retries.begin(), retries.end(), [](const Retry& retry) { return !retry.is_given_up(); }));
}

// A handler has at most one retry for each place. A resync has the place of an update, because it is an update that
// changes nothing.
Action place_of(Action action) { return action == Action::resynced ? Action::updated : action; }

}  // namespace

std::vector<Delivery> deliveries_of(const Change& change) {
  if (!change.old) return {{.action = Action::created, .object = change.current}};
  if (!change.current) return {{.action = Action::deleted, .object = change.old}};
  if (change.old.uid() != change.current.uid()) {
    return {{.action = Action::deleted, .object = change.old}, {.action = Action::created, .object = change.current}};
  }
  const bool is_same = change.old.resource_version() == change.current.resource_version();
  return {{.action = is_same ? Action::resynced : Action::updated, .old = change.old, .object = change.current}};
}

void PendingEvents::put(const ObjectKey& key, Delivery delivery) {
  const MutexLock lock(mutex_);
  delivery.number = ++last_number_;
  std::vector<Delivery>& inbox = all_[key].inbox;
  if (inbox.empty()) {
    inbox.push_back(std::move(delivery));
    return;
  }
  Delivery& last = inbox.back();
  if (delivery.action == Action::resynced) return;
  if (last.action == Action::deleted) {
    if (delivery.action == Action::updated) delivery.action = Action::created;
    if (delivery.action == Action::deleted) inbox.pop_back();
    inbox.push_back(std::move(delivery));
  } else if (delivery.action == Action::deleted && inbox.size() > 1) {
    inbox.pop_back();  // its creation was not delivered, so no handler has received it
  } else if (delivery.action == Action::updated && last.action != Action::resynced) {
    last.object = std::move(delivery.object);
  } else {
    delivery.number = last.number;
    last = std::move(delivery);
  }
}

void PendingEvents::drop_events(const ObjectKey& key, std::string_view uid) {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return;
  Mailbox& mailbox = found->second;
  std::erase_if(mailbox.inbox, [&](const Delivery& delivery) { return is_about(delivery.object, uid); });
  if (mailbox.inbox.empty() && mailbox.retries.empty()) all_.erase(found);
}

void PendingEvents::put_gone(const ObjectKey& key, const Object& last) {
  const MutexLock lock(mutex_);
  Mailbox& mailbox = all_[key];
  if (mailbox.gone == last.uid()) return;
  mailbox.gone = last.uid();
  mailbox.resync = Instant::max();  // only an object that exists is resynced
  mailbox.inbox.insert(mailbox.inbox.begin(), {.action = Action::deleted, .object = last, .number = ++last_number_});
}

std::optional<Delivery> PendingEvents::take(const ObjectKey& key, std::string_view uid, std::uint64_t mark) {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return std::nullopt;
  std::vector<Delivery>& inbox = found->second.inbox;
  if (inbox.empty() || inbox.front().number > mark || !is_about(inbox.front().object, uid)) return std::nullopt;
  Delivery first = std::move(inbox.front());
  inbox.erase(inbox.begin());
  return first;
}

void PendingEvents::keep(const ObjectKey& key, Retry retry) {
  const MutexLock lock(mutex_);
  std::vector<Retry>& retries = all_[key].retries;
  retry.number = ++last_number_;
  const auto same = std::find_if(retries.begin(), retries.end(), [&](const Retry& other) {
    return other.handler == retry.handler && place_of(other.delivery.action) == place_of(retry.delivery.action);
  });
  const double before = count_waiting(retries);
  if (same == retries.end()) {
    retries.push_back(std::move(retry));
  } else {
    retry.delivery.old = std::move(same->delivery.old);
    *same = std::move(retry);
  }
  pending_.add(count_waiting(retries) - before);
}

void PendingEvents::put_back(const ObjectKey& key, Retry retry) {
  const MutexLock lock(mutex_);
  if (!retry.is_given_up()) pending_.add(1);
  all_[key].retries.push_back(std::move(retry));
}

std::vector<Retry> PendingEvents::take_retries(const ObjectKey& key, HandlerId handler) {
  const MutexLock lock(mutex_);
  std::vector<Retry> taken;
  const auto found = all_.find(key);
  if (found == all_.end()) return taken;
  std::vector<Retry>& retries = found->second.retries;
  const auto its = std::stable_partition(retries.begin(), retries.end(),
                                         [&](const Retry& retry) { return retry.handler != handler; });
  taken.assign(std::make_move_iterator(its), std::make_move_iterator(retries.end()));
  retries.erase(its, retries.end());
  pending_.add(-count_waiting(taken));
  return taken;
}

std::optional<Retry> PendingEvents::take_due(const ObjectKey& key, std::string_view uid, Instant now,
                                             std::uint64_t mark) {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return std::nullopt;
  std::vector<Retry>& retries = found->second.retries;
  auto best = retries.end();
  for (auto one = retries.begin(); one != retries.end(); ++one) {
    if (one->due > now || one->number > mark || !is_about(one->delivery.object, uid)) continue;
    if (best == retries.end() || one->due < best->due) best = one;
  }
  if (best == retries.end()) return std::nullopt;
  Retry taken = std::move(*best);
  retries.erase(best);
  pending_.add(-1);
  return taken;
}

std::uint64_t PendingEvents::mark() const {
  const MutexLock lock(mutex_);
  return last_number_;
}

std::optional<bool> PendingEvents::take_resync(const ObjectKey& key, Instant now, Duration every) {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return std::nullopt;
  Mailbox& mailbox = found->second;
  const bool is_due = mailbox.resync <= now;
  if (is_due || mailbox.resync == Instant::max())
    mailbox.resync = every > Duration::zero() ? after(now, every) : Instant::max();
  return is_due && mailbox.inbox.empty();
}

std::optional<Instant> PendingEvents::close(const ObjectKey& key, std::string_view uid, std::uint64_t mark) {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return std::nullopt;
  const Mailbox& mailbox = found->second;
  if (!mailbox.inbox.empty()) {
    const Delivery& first = mailbox.inbox.front();
    if (first.number <= mark && is_about(first.object, uid)) return Instant::min();
  }
  if (mailbox.inbox.empty() && mailbox.retries.empty()) {
    all_.erase(found);
    return std::nullopt;
  }
  if (count_waiting(mailbox.retries) == 0) return std::nullopt;
  Instant next = mailbox.resync;
  for (const Retry& retry : mailbox.retries) next = std::min(next, retry.due);
  return next;
}

Object PendingEvents::newest(const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = all_.find(key);
  if (found == all_.end()) return {};
  if (!found->second.inbox.empty()) return found->second.inbox.back().object;
  return found->second.retries.empty() ? Object() : found->second.retries.back().delivery.object;
}

void PendingEvents::forget(HandlerId handler) {
  const MutexLock lock(mutex_);
  for (auto at = all_.begin(); at != all_.end();) {
    const auto mailbox = at++;
    std::vector<Retry>& retries = mailbox->second.retries;
    const double before = count_waiting(retries);
    std::erase_if(retries, [&](const Retry& retry) { return retry.handler == handler; });
    pending_.add(count_waiting(retries) - before);
    if (mailbox->second.inbox.empty() && retries.empty()) all_.erase(mailbox);
  }
}

std::size_t PendingEvents::size() const {
  const MutexLock lock(mutex_);
  return all_.size();
}

}  // namespace pintle::watcher
