// SPDX-License-Identifier: Apache-2.0
#include "crash_guard.hpp"

#include <numeric>
#include <utility>

#include <unistd.h>

namespace pintle {
namespace {

std::size_t workers_of(const std::vector<AnyController>& specs) {
  return std::accumulate(specs.begin(), specs.end(), std::size_t{0}, [](std::size_t sum, const AnyController& spec) {
    return sum + static_cast<std::size_t>(spec.workers.value_or(1));
  });
}

}  // namespace

Counter state_dir_failures(MetricsRegistry& metrics) {
  return metrics.counter("pintle_state_dir_failures_total",
                         "Failed writes to the state directory; a crash may not be counted.", {});
}

Result<std::unique_ptr<CrashGuard>> CrashGuard::open(const std::string& path, const std::vector<AnyController>& specs,
                                                     Executor& executor, const Log& log, MetricsRegistry& metrics) {
  auto dir = StateDir::open(path);
  if (!dir) return fail(std::move(dir.error()));
  for (const std::string& aside : (*dir)->set_aside()) {
    log.warning("a file of the state directory has an unknown format; the readable lines are used",
                {{"set_aside_as", aside}});
  }
  std::unique_ptr<CrashGuard> made(new CrashGuard(std::move(*dir), specs, executor, log, metrics));
  if (auto counted = made->count_deaths(); !counted) return fail(std::move(counted.error()));
  return made;
}

CrashGuard::CrashGuard(std::unique_ptr<StateDir> dir, const std::vector<AnyController>& specs, Executor& executor,
                       Log log, MetricsRegistry& metrics)
    : executor_(executor),
      log_(std::move(log)),
      dir_(std::move(dir)),
      seats_(workers_of(specs)),
      write_failures_(state_dir_failures(metrics)),
      mutex_(executor),
      quarantine_(executor.now()) {
  for (const AnyController& spec : specs) {
    const Labels labels{{"controller", spec.name}};
    metrics_[spec.name] = {
        .deaths = metrics.counter(
            "pintle_process_crashes_total",
            "Keys that were being reconciled when the previous process crashed; counted at start.", labels),
        .held = metrics.gauge("pintle_quarantined_keys",
                              "Keys in quarantine: the process repeatedly crashed during their reconciles.", labels)};
  }
}

// The counts are written before the file of keys in work is cleared, so that a crash in between loses none.
Result<void> CrashGuard::count_deaths() {
  const MutexLock lock(mutex_);
  for (const Suspect& known : dir_->deaths()) quarantine_.add(known);
  for (const Suspect& counted : quarantine_.count_death(dir_->left())) {
    log_.warning("the previous process crashed while this key was being reconciled",
                 {{"controller", counted.controller},
                  {"key", counted.key.to_string()},
                  {"deaths", counted.deaths},
                  {"report", dir_->left().named.empty() ? std::string("none") : dir_->last_report()}});
    const auto known = metrics_.find(counted.controller);
    if (known != metrics_.end()) known->second.deaths.add();
  }
  update_metrics();
  if (auto kept = dir_->keep_deaths(quarantine_.suspects()); !kept) return kept;
  return dir_->begin(seats_.size());
}

void CrashGuard::update_metrics() const {
  for (const auto& [controller, shown] : metrics_) shown.held.set(static_cast<double>(quarantine_.count(controller)));
}

// Logs only the changes between success and failure.
void CrashGuard::wrote(bool done) {
  if (!done) write_failures_.add();
  if (writes_fail_.exchange(!done) == !done) return;
  if (done) {
    log_.info("the state directory is writable again");
  } else {
    log_.warning("cannot write to the state directory; until it is writable, a crash may not be counted");
  }
}

void CrashGuard::stop() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) dir_->blank(seat);
}

void CrashGuard::release(const std::string& controller, const ObjectKey& key) {
  const MutexLock lock(mutex_);
  quarantine_.release(controller, key);
}

void CrashGuard::survived(const std::string& controller, const ObjectKey& key) {
  Result<void> kept;
  {
    const MutexLock lock(mutex_);
    if (!quarantine_.clear(controller, key)) return;
    update_metrics();
    kept = dir_->keep_deaths(quarantine_.suspects());
  }
  log_.info("the reconcile of a key during which the process had crashed has ended; its crashes no longer count",
            {{"controller", controller}, {"key", key.to_string()}});
  if (!kept) write_failures_.add();
  if (!kept)
    log_.warning("cannot write to the state directory; crashes that no longer count will count after a restart",
                 {{"error", kept.error().to_string()}});
}

std::size_t CrashGuard::sit_down() {
  const MutexLock lock(mutex_);
  std::size_t number = 0;
  while (seats_[number].thread != 0) ++number;
  seats_[number].thread = ::gettid();
  return number;
}

CrashGuard::Seat::Seat(CrashGuard* guard, const std::string& controller) : guard_(guard), controller_(controller) {
  if (guard_ == nullptr) return;
  number_ = guard_->sit_down();
  stack_.emplace();
}

CrashGuard::Seat::~Seat() {
  if (guard_ != nullptr) guard_->seats_[number_].thread = 0;
}

std::optional<Quarantined> CrashGuard::Seat::take(const ObjectKey& key, const Object& object) {
  if (guard_ == nullptr) return std::nullopt;
  const Suspect suspect{.controller = controller_, .key = key, .edition = edition_of(object)};
  WorkerSeat& seat = guard_->seats_[number_];
  const MutexLock lock(guard_->mutex_);
  auto held = guard_->quarantine_.find(controller_, key, suspect.edition, guard_->executor_.now());
  if (held || !StateDir::print(suspect, seat.line)) return held;
  if (!guard_->stopping_) guard_->wrote(guard_->dir_->put(number_, seat.line));
  seat.is_busy = true;
  return std::nullopt;
}

void CrashGuard::Seat::survived(const ObjectKey& key) {
  if (guard_ != nullptr) guard_->survived(controller_, key);
}

void CrashGuard::Seat::leave() {
  if (guard_ == nullptr) return;
  guard_->seats_[number_].is_busy = false;
  guard_->wrote(guard_->dir_->blank(number_));
}

}  // namespace pintle
