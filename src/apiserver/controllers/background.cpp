// SPDX-License-Identifier: Apache-2.0
#include "background.hpp"

#include <algorithm>
#include <utility>

#include "cluster_objects.hpp"

namespace pintle::apiserver {
namespace {

// Writes in quick succession are processed together.
constexpr Duration gathering = std::chrono::milliseconds(1);
// The time until work is repeated whose write could not be kept.
constexpr Duration until_repeated = std::chrono::seconds(1);

}  // namespace

Background::Background(Service& service, BackgroundOptions options)
    : service_(service), options_(std::move(options)), definitions_(service), mutex_(service.executor) {
  // The kinds of definitions that were kept are served from the first request on.
  if (service_.storage.has_kept_objects()) (void)definitions_.round();
  thread_ = service_.executor.spawn({.name = "apiserver"}, [this] { run(); });
}

void Background::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  service_.storage.interrupt();
  thread_.join();
}

bool Background::is_idle() const {
  const std::uint64_t writes = service_.storage.writes();
  const MutexLock lock(mutex_);
  return processed_ >= writes && !waits_for_time_;
}

void Background::begin_anew() {
  definitions_.begin_anew();
  namespaces_.emplace(service_, options_.termination_delay);
  collector_.emplace(service_, options_.termination_delay);
  kubelets_.emplace(service_, options_.termination_delay);
  role_aggregation_.emplace(service_);
  flow_schemas_.emplace(service_);
  quota_usage_.emplace(service_);
  if (options_.keeps_cluster_objects) api_services_.emplace(service_);
  if (options_.runs_cluster) {
    policy_status_.emplace(service_);
    cluster_.emplace(service_, options_.ca_certificate);
  }
}

void Background::run() {
  begin_anew();
  std::uint64_t rewinds = 0;
  std::uint64_t failures = service_.storage.failed_commits();
  while (true) {
    const std::uint64_t before = service_.storage.writes();
    if (const std::uint64_t now = service_.storage.rewinds(); now != std::exchange(rewinds, now)) begin_anew();
    const bool registry_changed = definitions_.round();
    flow_schemas_->round();
    role_aggregation_->round();
    if (options_.keeps_cluster_objects) keep_kubernetes_service(service_);
    if (api_services_) api_services_->round();
    Instant due = std::min({namespaces_->round(), collector_->round(registry_changed), kubelets_->round()});
    if (policy_status_) policy_status_->round();
    if (cluster_) due = std::min(due, cluster_->round());
    due = std::min(due, quota_usage_->round());
    if (const std::uint64_t now = service_.storage.failed_commits(); now != std::exchange(failures, now)) {
      begin_anew();
      due = std::min(due, after(service_.executor.now(), until_repeated));
    }
    {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      processed_ = before;
      waits_for_time_ = due != Instant::max();
    }
    if (service_.storage.wait_past(before, due)) service_.executor.sleep_for(gathering);
  }
}

}  // namespace pintle::apiserver
