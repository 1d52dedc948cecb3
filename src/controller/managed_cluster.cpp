#include "managed_cluster.hpp"

#include <utility>

#include <pintle/controller/clusters.hpp>

#include "start_retry.hpp"

namespace pintle {

EventRecorder& ManagedCluster::events() {
  if (events_ == nullptr) {
    events_ = std::make_unique<EventRecorder>(*client_, shared_.log, shared_.metrics, shared_.manager);
  }
  return *events_;
}

Result<Informer*> ManagedCluster::informer(InformerScope scope, const std::stop_token& stop) {
  const InformerId id{scope.kind, scope.namespace_, scope.label_selector, scope.field_selector};
  if (const auto known = informers_.find(id); known != informers_.end()) return known->second.get();
  auto resource = discover(scope.kind, stop);
  if (!resource) return fail(std::move(resource.error()));
  if (!resource->namespaced) scope.namespace_.clear();
  const auto projection = shared_.cache_projections.find(scope.kind);
  // The informer uses the client of the reconciles, because its cache must contain the writes of that client.
  auto made = std::make_unique<Informer>(
      *reconcile_client_, shared_.dispatcher, shared_.log,
      InformerOptions{.resource = std::move(*resource),
                      .namespace_ = std::move(scope.namespace_),
                      .label_selector = std::move(scope.label_selector),
                      .field_selector = std::move(scope.field_selector),
                      .reflector = {.pool = &shared_.pool,
                                    .projection = projection == shared_.cache_projections.end() ? CacheProjection{}
                                                                                                : projection->second},
                      .metrics = &shared_.metrics,
                      .name = name_ == home_cluster ? shared_.manager : shared_.manager + "/" + name_});
  made->on_watch_end([this, kind = scope.kind](const Error* error) {
    if (error != nullptr && shared_.watch_failed) shared_.watch_failed(name_, kind);
  });
  return informers_.emplace(id, std::move(made)).first->second.get();
}

Result<Resource> ManagedCluster::discover(const GroupVersionKind& kind, const std::stop_token& stop) {
  Result<Resource> resource;
  const StartRetry retry(client_->transport().executor(), shared_.log, shared_.sync_timeout);
  auto found = retry.run(
      "discover " + kind.to_string(),
      [&]() -> Result<void> {
        resource = client_->resource(kind, stop);
        if (!resource) return fail(resource.error());
        return {};
      },
      stop);
  if (!found) return fail(std::move(found.error()));
  return resource;
}

std::vector<const Informer*> ManagedCluster::informers() const {
  std::vector<const Informer*> all;
  for (const auto& [id, informer] : informers_) all.push_back(informer.get());
  return all;
}

void ManagedCluster::add_informers_to(std::multimap<GroupVersionKind, Informer*>& known) const {
  for (const auto& [id, informer] : informers_) known.emplace(informer->resource().kind, informer.get());
}

void ManagedCluster::start_informers() {
  for (const auto& [id, informer] : informers_) informer->start();
}

Result<void> ManagedCluster::wait_for_sync(Instant deadline, const std::stop_token& stop) {
  for (const auto& [id, informer] : informers_) {
    if (auto synced = informer->wait_for_sync(deadline, stop); !synced) return synced;
  }
  return {};
}

void ManagedCluster::stop_informers() {
  for (const auto& [id, informer] : informers_) informer->stop();
}

void ManagedCluster::stop_events(Duration grace) {
  if (events_ != nullptr) events_->stop(grace);
  events_.reset();
}

}  // namespace pintle
