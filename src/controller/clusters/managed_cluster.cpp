// SPDX-License-Identifier: Apache-2.0
#include "managed_cluster.hpp"

#include <utility>

#include <pintle/controller/clusters.hpp>

#include "controller/start_retry.hpp"

namespace pintle {

EventRecorder& ManagedCluster::events() {
  if (events_ == nullptr) {
    events_ = std::make_unique<EventRecorder>(*client_, shared_.log, shared_.metrics, shared_.manager);
  }
  return *events_;
}

ManagedCluster::InformerId ManagedCluster::id_of(const InformerScope& scope, const std::string& namespace_) {
  return {scope.kind, namespace_, scope.label_selector, scope.field_selector, scope.metadata_only};
}

Result<std::shared_ptr<InformerSet>> ManagedCluster::informers(const InformerScope& wanted, InformerNeed need,
                                                               const std::stop_token& stop) {
  InformerScope scope = wanted;
  scope.metadata_only = scope.metadata_only || keeps_only_metadata(scope.kind);
  auto known = sets_.find(scope);
  if (known == sets_.end()) {
    auto made = make_set(scope, need, stop);
    if (!made) return fail(std::move(made.error()));
    known = sets_.emplace(scope, std::move(*made)).first;
  }
  const Set& set = known->second;
  if (need.required && set.not_served) return fail(*set.not_served);
  for (const std::string& namespace_ : set.namespaces) {
    informers_.find(id_of(scope, namespace_))->second.need.add(need);
  }
  follower_.strengthen(*set.informers, need);
  return set.informers;
}

Result<ManagedCluster::Set> ManagedCluster::make_set(const InformerScope& scope, InformerNeed need,
                                                     const std::stop_token& stop) {
  Set set;
  auto resource = discover(scope.kind, stop);
  if (!resource && (need.required || resource.error().code != ErrorCode::unsupported)) {
    return fail(std::move(resource.error()));
  }
  if (!resource) {
    set.not_served = std::move(resource.error());
    resource = Resource{.kind = scope.kind};
  }
  if (resource->namespaced) set.namespaces = scope.namespaces.names;
  const bool follows = resource->namespaced && !scope.namespaces.selector.empty();
  if (set.namespaces.empty() && !follows) set.namespaces.emplace_back();
  const InformerOptions common = options_of(scope, std::move(*resource));
  set.informers = std::make_shared<InformerSet>(client_->transport().executor(), common, !follows);
  if (follows) {
    if (auto followed = follow(scope, set, need, stop); !followed) return fail(std::move(followed.error()));
  }
  for (const std::string& namespace_ : set.namespaces) {
    Entry& entry = informers_[id_of(scope, namespace_)];
    if (entry.informer == nullptr) {
      InformerOptions options = common;
      options.namespace_ = namespace_;
      entry = {make_informer(std::move(options)), {.if_served = true, .on_demand = true}, !set.not_served};
    }
    set.informers->add(entry.informer);
  }
  return set;
}

Result<void> ManagedCluster::follow(const InformerScope& scope, const Set& set, InformerNeed need,
                                    const std::stop_token& stop) {
  auto namespaces = informers({.kind = {"v1", "Namespace"}, .label_selector = scope.namespaces.selector},
                              {.required = true, .is_own = true}, stop);
  if (!namespaces) {
    return Result<void>(std::move(namespaces.error())).with_operation("select namespaces by their labels");
  }
  follower_.add(*namespaces, set.informers, !set.not_served, need);
  return {};
}

bool ManagedCluster::keeps_only_metadata(const GroupVersionKind& kind) const {
  const auto projection = shared_.cache_projections.find(kind);
  return projection != shared_.cache_projections.end() && projection->second.metadata_only;
}

InformerOptions ManagedCluster::options_of(const InformerScope& scope, Resource resource) const {
  const auto projection = shared_.cache_projections.find(scope.kind);
  return {.resource = std::move(resource),
          .label_selector = scope.label_selector,
          .field_selector = scope.field_selector,
          .reflector = {.list_mode = shared_.list_mode,
                        .pool = &shared_.pool,
                        .metadata_only = scope.metadata_only,
                        .projection =
                            projection == shared_.cache_projections.end() ? CacheProjection{} : projection->second},
          .metrics = &shared_.metrics,
          .name = name_ == home_cluster ? shared_.manager : shared_.manager + "/" + name_};
}

// The informer uses the client of the reconciles, because its cache must contain the writes of that client.
std::shared_ptr<Informer> ManagedCluster::make_informer(InformerOptions options) {
  const GroupVersionKind kind = options.resource.kind;
  auto made = std::make_shared<Informer>(*reconcile_client_, shared_.dispatcher, shared_.log, std::move(options));
  made->on_watch_end([this, kind](const Error* error) {
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
  for (const auto& [id, entry] : informers_) all.push_back({entry.informer, entry.need});
  return all;
}

void ManagedCluster::add_informers_to(std::multimap<GroupVersionKind, std::shared_ptr<InformerSet>>& known) const {
  for (const auto& [scope, set] : sets_) known.emplace(scope.kind, set.informers);
}

// An error other than `not_found` does not show whether a namespace exists. A server lists the objects of a namespace
// that does not exist without an error.
void ManagedCluster::report_missing_namespaces(const std::stop_token& stop) {
  std::map<std::string, std::string> checked;  // namespace to a resource
  for (const auto& [id, entry] : informers_) {
    const std::string& namespace_ = entry.informer->options().namespace_;
    if (!namespace_.empty()) checked.emplace(namespace_, entry.informer->title());
  }
  for (const auto& [namespace_, resource] : checked) {
    const auto found = client_->get(GroupVersionKind("v1", "Namespace"), {"", namespace_}, stop);
    if (found || found.error().code != ErrorCode::not_found) continue;
    shared_.log.warning("a watched namespace does not exist; its caches are empty until it is created",
                        {{"namespace", namespace_}, {"resource", resource}});
  }
}

void ManagedCluster::start_informers() {
  std::vector<Informer*> own;
  std::vector<Informer*> others;
  for (const auto& [id, entry] : informers_) {
    if (entry.need.on_demand) {
      activation_.add(*entry.informer, entry.is_served ? std::optional(entry.informer->resource()) : std::nullopt,
                      entry.need.if_served);
      entry.informer->start();
    } else if (!entry.is_served) {
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
      auto synced = entry.need.required ? entry.informer->wait_for_sync(deadline, stop)
                                        : wait_for_sync(*entry.informer, false, deadline, is_last_wait, stop);
      if (!synced) return synced;
    }
  }
  // The namespaces are known when their informer has synced. One of them may lose the labels at any time; its informer
  // is then inactive.
  for (const auto& [informer, need] : follower_.sources()) {
    if (auto synced = wait_for_sync(*informer, need.required, deadline, is_last_wait, stop); !synced) return synced;
  }
  return {};
}

// A missing permission prevents each attempt in the same way, so the workers start without the cache rather than never.
Result<void> ManagedCluster::wait_for_sync(Informer& informer, bool is_required, Instant deadline, bool is_last_wait,
                                           const std::stop_token& stop) const {
  auto synced = informer.wait_for_sync_if_active(deadline, stop);
  if (synced || is_required || synced.error().code == ErrorCode::cancelled) return synced;
  if (!is_last_wait || informer.status().state != InformerState::forbidden) return synced;
  shared_.log.warning("the start continues without a cache, because the cluster forbids to fill it",
                      {{"cache", informer.sync_status()}});
  return {};
}

void ManagedCluster::stop_informers() {
  first_lists_.stop();
  activation_.stop();
  served_.stop();
  for (const auto& [id, entry] : informers_) entry.informer->stop();
  follower_.stop();
}

void ManagedCluster::stop_events(Duration grace) {
  if (events_ != nullptr) events_->stop(grace);
  events_.reset();
}

}  // namespace pintle
