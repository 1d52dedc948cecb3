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

Result<Informer*> ManagedCluster::informer(InformerScope scope, InformerNeed need, const std::stop_token& stop) {
  const InformerId id{scope.kind, scope.namespace_, scope.label_selector, scope.field_selector};
  auto known = informers_.find(id);
  if (known == informers_.end()) {
    auto resource = discover(scope.kind, stop);
    std::optional<Error> not_served;
    if (!resource && (need.required || resource.error().code != ErrorCode::unsupported)) {
      return fail(std::move(resource.error()));
    }
    if (!resource) {
      not_served = std::move(resource.error());
      resource = Resource{.kind = scope.kind};
    }
    auto made = make_informer(std::move(scope), std::move(*resource));
    known = informers_.emplace(id, Entry{std::move(made), need, std::move(not_served)}).first;
  }
  Entry& entry = known->second;
  if (need.required && entry.not_served) return fail(*entry.not_served);
  entry.need.required = entry.need.required || need.required;
  entry.need.if_served = entry.need.if_served && need.if_served;
  entry.need.is_own = entry.need.is_own || need.is_own;
  entry.need.on_demand = entry.need.on_demand && need.on_demand;
  return entry.informer.get();
}

// The informer uses the client of the reconciles, because its cache must contain the writes of that client.
std::unique_ptr<Informer> ManagedCluster::make_informer(InformerScope scope, Resource resource) {
  if (!resource.namespaced) scope.namespace_.clear();
  const auto projection = shared_.cache_projections.find(scope.kind);
  auto made = std::make_unique<Informer>(
      *reconcile_client_, shared_.dispatcher, shared_.log,
      InformerOptions{.resource = std::move(resource),
                      .namespace_ = std::move(scope.namespace_),
                      .label_selector = std::move(scope.label_selector),
                      .field_selector = std::move(scope.field_selector),
                      .reflector = {.list_mode = shared_.list_mode,
                                    .pool = &shared_.pool,
                                    .projection = projection == shared_.cache_projections.end() ? CacheProjection{}
                                                                                                : projection->second},
                      .metrics = &shared_.metrics,
                      .name = name_ == home_cluster ? shared_.manager : shared_.manager + "/" + name_});
  made->on_watch_end([this, kind = scope.kind](const Error* error) {
    if (error != nullptr && shared_.watch_failed) shared_.watch_failed(name_, kind);
  });
  made->on_first_result([this, informer = made.get()] { first_lists_.note_result(*informer); });
  made->on_not_found([this, informer = made.get()] { served_.suspect(*informer); });
  return made;
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

std::vector<ManagedCluster::Source> ManagedCluster::sources() const {
  std::vector<Source> all;
  for (const auto& [id, entry] : informers_) all.push_back({entry.informer.get(), entry.need});
  return all;
}

void ManagedCluster::add_informers_to(std::multimap<GroupVersionKind, Informer*>& known) const {
  for (const auto& [id, entry] : informers_) {
    known.emplace(entry.informer->resource().kind, entry.informer.get());
  }
}

void ManagedCluster::start_informers() {
  std::vector<Informer*> own;
  std::vector<Informer*> others;
  for (const auto& [id, entry] : informers_) {
    if (entry.need.on_demand) {
      activation_.add(*entry.informer, entry.not_served ? std::nullopt : std::optional(entry.informer->resource()),
                      entry.need.if_served);
      entry.informer->start();
    } else if (entry.not_served) {
      entry.informer->start();
      served_.await(*entry.informer, entry.need.if_served);
    } else {
      (entry.need.is_own ? own : others).push_back(entry.informer.get());
    }
  }
  own.insert(own.end(), others.begin(), others.end());
  first_lists_.start(own);
}

Result<void> ManagedCluster::wait_for_sync(Instant deadline, bool is_last_wait, const std::stop_token& stop) {
  // The first lists of the other informers decide which of these are needed.
  for (const bool on_demand : {false, true}) {
    for (const auto& [id, entry] : informers_) {
      if (entry.need.on_demand != on_demand) continue;
      if (auto synced = wait_for_sync(entry, deadline, is_last_wait, stop); !synced) return synced;
    }
  }
  return {};
}

// A missing permission prevents each attempt in the same way, so the workers start without the cache rather than never.
Result<void> ManagedCluster::wait_for_sync(const Entry& entry, Instant deadline, bool is_last_wait,
                                           const std::stop_token& stop) const {
  if (entry.need.required) return entry.informer->wait_for_sync(deadline, stop);
  auto settled = entry.informer->wait_until_settled(deadline, stop);
  if (settled || settled.error().code == ErrorCode::cancelled) return settled;
  if (!is_last_wait || entry.informer->status().state != InformerState::forbidden) return settled;
  shared_.log.warning("the start continues without a cache, because the cluster forbids to fill it",
                      {{"cache", entry.informer->sync_status()}});
  return {};
}

void ManagedCluster::stop_informers() {
  first_lists_.stop();
  activation_.stop();
  served_.stop();
  for (const auto& [id, entry] : informers_) entry.informer->stop();
}

void ManagedCluster::stop_events(Duration grace) {
  if (events_ != nullptr) events_->stop(grace);
  events_.reset();
}

}  // namespace pintle
