// SPDX-License-Identifier: Apache-2.0
#include "cluster_follower.hpp"

#include <algorithm>
#include <chrono>

#include <pintle/base/backoff.hpp>
#include <pintle/base/exceptions.hpp>

namespace pintle {
namespace {

constexpr Backoff between_refreshes{.base = std::chrono::milliseconds(10), .factor = 2, .cap = std::chrono::minutes(5)};
constexpr Backoff between_failures{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5)};
constexpr Duration quiet_time = std::chrono::minutes(1);

}  // namespace

Result<ClusterUpdate> ClusterFinder::refresh(const ClusterFinderContext& search) {
  (void)search;
  return ClusterUpdate{};
}

ClusterFollower::ClusterFollower(Executor& executor, Log log, std::string name, std::shared_ptr<ClusterFinder> finder,
                                 std::shared_ptr<ClusterLocation> location)
    : executor_(executor),
      name_(std::move(name)),
      log_(log.with({{"cluster", name_}})),
      finder_(std::move(finder)),
      location_(std::move(location)),
      mutex_(executor),
      wake_(executor) {}

Result<void> ClusterFollower::connect(ManagedCluster& home, const std::stop_token& stop) {
  home_ = &home.client();
  auto watches = watches_of_finder();
  if (!watches) return fail(watches.error());
  for (ClusterWatch& watch : *watches) {
    const GroupVersionKind kind = watch.kind;
    WatchedNamespaces namespaces;
    if (!watch.namespace_.empty()) namespaces.names.push_back(std::move(watch.namespace_));
    auto informers = home.informers({.kind = kind,
                                     .namespaces = std::move(namespaces),
                                     .label_selector = std::move(watch.label_selector),
                                     .field_selector = std::move(watch.field_selector)},
                                    {.required = true}, stop);
    if (!informers)
      return Result<void>(std::move(informers.error())).with_operation("watch for the address of cluster " + name_);
    (*informers)->on_informer([this, kind](Informer& informer) {
      informer.add_handler([this, kind](const Change& change) { changed(kind, change.object().key()); });
    });
  }
  return {};
}

void ClusterFollower::start() {
  thread_ = executor_.spawn({.name = "cluster-" + name_}, [this] { run(); });
}

void ClusterFollower::stop() {
  stop_.request_stop();
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    wake_.notify_all();
  }
  thread_.join();
}

void ClusterFollower::changed(const GroupVersionKind& kind, const ObjectKey& key) {
  const MutexLock lock(mutex_);
  if (knows_dependencies_ && !depends_on_.contains({kind, key})) return;
  has_changed_ = true;
  wake_.notify_all();
}

// A change ends the pause after a failure. The pauses between changes and those after failures therefore have separate
// counters.
void ClusterFollower::run() {
  unsigned changes = 0;  // in a row, without `quiet_time` between them
  unsigned failures = 0;
  Instant last = executor_.now();  // the last refresh() that a change caused
  Instant repeat = Instant::max();
  while (const auto reason = wait_until(repeat)) {
    if (*reason == WakeReason::changed) {
      const Duration pause = between_refreshes.delay(changes);
      if (!executor_.sleep_until(after(last, pause), stop_.get_token())) return;
      changes = executor_.now() - last >= pause + quiet_time ? 0 : changes + 1;
      last = executor_.now();
    }
    if (refresh()) {
      failures = 0;
      repeat = Instant::max();
    } else {
      repeat = after(executor_.now(), between_failures.delay(failures++));
    }
  }
}

std::optional<ClusterFollower::WakeReason> ClusterFollower::wait_until(Instant repeat) {
  const MutexLock lock(mutex_);
  while (!has_changed_ && !stopped_) {
    if (!wake_.wait_until(mutex_, repeat)) break;
  }
  if (stopped_) return std::nullopt;
  return has_changed_ ? WakeReason::changed : WakeReason::repeated;
}

bool ClusterFollower::refresh() {
  {
    const MutexLock lock(mutex_);
    has_changed_ = false;
    knows_dependencies_ = false;
  }
  auto found = call_finder();
  if (!found) {
    if (stop_.stop_requested()) return true;
    log_.warning("cannot determine the address of the cluster; the current address stays in use",
                 {{"error", found.error().to_string()}});
    return false;
  }
  {
    const MutexLock lock(mutex_);
    knows_dependencies_ = true;
    depends_on_ = {found->depends_on.begin(), found->depends_on.end()};
  }
  if (!found->cluster) return true;
  const std::string url = found->cluster->endpoint->url();
  switch (location_->move_to(std::move(*found->cluster))) {
    case ClusterLocation::Move::none: break;
    case ClusterLocation::Move::credentials: log_.info("the credentials of the cluster have changed"); break;
    case ClusterLocation::Move::server: log_.info("the cluster has moved to another server", {{"server", url}}); break;
  }
  return true;
}

Result<std::vector<ClusterWatch>> ClusterFollower::watches_of_finder() const {
  try {
    return finder_->watches();
  } catch (...) {
    return fail(ErrorCode::unknown, "the cluster finder threw " + describe_exception());
  }
}

Result<ClusterUpdate> ClusterFollower::call_finder() const {
  try {
    return finder_->refresh({.home = *home_, .executor = executor_, .log = log_, .stop = stop_.get_token()});
  } catch (...) {
    return fail(ErrorCode::unknown, "the cluster finder threw " + describe_exception());
  }
}

}  // namespace pintle
