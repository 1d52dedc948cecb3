// SPDX-License-Identifier: Apache-2.0
// ManagedCluster: one cluster of a manager with its clients, informers and Event recorder.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>

#include "controller/sources/first_lists.hpp"
#include "controller/sources/informer_need.hpp"
#include "controller/sources/informer_set.hpp"
#include "controller/sources/served_kinds.hpp"
#include "controller/sources/source_activation.hpp"
#include "controller/sources/watched_namespaces.hpp"
#include "events/event_recorder.hpp"
#include "namespace_follower.hpp"

namespace pintle {

// The objects that the informers of a set watch.
struct InformerScope {
  GroupVersionKind kind{};
  WatchedNamespaces namespaces{};
  std::string label_selector{};
  std::string field_selector{};
  bool metadata_only = false;

  auto operator<=>(const InformerScope&) const = default;
};

// Used by the thread that starts the manager and the thread that stops it. The stop functions stop the informers and
// the Event recorder; the destructor releases the clients.
class ManagedCluster {
 public:
  // The parts that all clusters of a manager share. They must outlive the clusters.
  struct Shared {
    const std::string& manager;
    Dispatcher& dispatcher;
    MetricsRegistry& metrics;
    json::Pool& pool;  // of all cached objects
    const std::map<GroupVersionKind, CacheProjection>& cache_projections;
    Log log;
    Duration sync_timeout{};  // limit of the discovery of one kind
    // Called on the I/O thread when a watch ends with an error. Must not block.
    std::function<void(const std::string& cluster, const GroupVersionKind& kind)> watch_failed{};
    ListMode list_mode = ListMode::streaming;
    // Called with each informer that is made after the start, and with each that is released before the end. Must not
    // block.
    std::function<void(const std::string& cluster, std::shared_ptr<const Informer> informer, const InformerNeed& need)>
        informer_added{};
    std::function<void(const Informer& informer)> informer_released{};
  };

  // `client` is used by the manager itself. `reconcile_client` is used by the reconciles; with leader election it is a
  // different client, which writes only while the lease is held. `home` is the default of the namespaces to watch.
  ManagedCluster(std::string name, WatchedNamespaces home, std::shared_ptr<Client> client,
                 std::shared_ptr<Client> reconcile_client, Shared shared)
      : name_(std::move(name)),
        home_(std::move(home)),
        client_(std::move(client)),
        reconcile_client_(std::move(reconcile_client)),
        shared_(std::move(shared)),
        first_lists_(client_->transport()),
        served_(*client_, first_lists_, shared_.log),
        activation_(client_->transport(), served_, first_lists_, shared_.log),
        follower_(
            client_->transport().executor(), served_, first_lists_, shared_.log,
            [this](InformerOptions options) { return make_informer(std::move(options)); },
            [this](const std::shared_ptr<Informer>& informer, const InformerNeed& need) {
              if (shared_.informer_added) shared_.informer_added(name_, informer, need);
            },
            [this](const Informer& informer) {
              if (shared_.informer_released) shared_.informer_released(informer);
            }) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const WatchedNamespaces& home() const noexcept { return home_; }
  [[nodiscard]] Client& client() noexcept { return *client_; }
  [[nodiscard]] const std::shared_ptr<Client>& shared_client() const noexcept { return client_; }
  [[nodiscard]] const std::shared_ptr<Client>& reconcile_client() const noexcept { return reconcile_client_; }

  // The first call creates the recorder, because a recorder has a thread.
  [[nodiscard]] EventRecorder& events();
  // Returns the informers for this scope. All callers whose scopes have the kind, a namespace and everything else in
  // common share an informer; the strictest of their needs applies. They are not started. Discovery is retried after
  // transient errors. If the server does not serve a kind that is not required, the informers wait for the kind.
  [[nodiscard]] Result<std::shared_ptr<InformerSet>> informers(const InformerScope& scope, InformerNeed need,
                                                               const std::stop_token& stop);

  [[nodiscard]] Dispatcher& dispatcher() const noexcept { return shared_.dispatcher; }
  // Adds all sets of informers by their kinds.
  void add_informers_to(std::multimap<GroupVersionKind, std::shared_ptr<InformerSet>>& known) const;
  // Logs the namespaces in the scopes that do not exist. Their caches are empty until they are created.
  void report_missing_namespaces(const std::stop_token& stop);
  struct Source {
    std::shared_ptr<const Informer> informer{};
    InformerNeed need{};
  };
  [[nodiscard]] std::vector<Source> sources() const;
  // For the informers that all callers requested with InformerNeed::on_demand.
  [[nodiscard]] SourceActivation& activation() noexcept { return activation_; }
  void start_informers();
  // Waits until each required informer is synced, and each other one is synced, inactive or waits for its kind. An
  // informer that is not required and is still forbidden at the deadline is no error if `is_last_wait` is set.
  [[nodiscard]] Result<void> wait_for_sync(Instant deadline, bool is_last_wait, const std::stop_token& stop);
  void stop_informers();
  void stop_events(Duration grace);

 private:
  [[nodiscard]] Result<Resource> discover(const GroupVersionKind& kind, const std::stop_token& stop);

  struct Entry {
    std::shared_ptr<Informer> informer{};
    InformerNeed need{};
    bool is_served = true;  // when the manager started
  };
  struct Set {
    std::shared_ptr<InformerSet> informers{};
    std::vector<std::string> namespaces{};  // of the members; "": all
    std::optional<Error> not_served{};      // when the manager started
  };
  // Kind, namespace, label selector, field selector, and whether only metadata is requested.
  using InformerId = std::tuple<GroupVersionKind, std::string, std::string, std::string, bool>;
  [[nodiscard]] static InformerId id_of(const InformerScope& scope, const std::string& namespace_);
  [[nodiscard]] Result<Set> make_set(const InformerScope& scope, InformerNeed need, const std::stop_token& stop);
  // Fills a set whose namespaces are selected by labels.
  [[nodiscard]] Result<void> follow(const InformerScope& scope, const Set& set, InformerNeed need,
                                    const std::stop_token& stop);
  [[nodiscard]] bool keeps_only_metadata(const GroupVersionKind& kind) const;
  [[nodiscard]] InformerOptions options_of(const InformerScope& scope, Resource resource) const;
  [[nodiscard]] std::shared_ptr<Informer> make_informer(InformerOptions options);
  [[nodiscard]] Result<void> wait_for_sync(Informer& informer, bool is_required, Instant deadline, bool is_last_wait,
                                           const std::stop_token& stop) const;

  const std::string name_;
  const WatchedNamespaces home_;
  const std::shared_ptr<Client> client_;
  const std::shared_ptr<Client> reconcile_client_;
  const Shared shared_;
  std::unique_ptr<EventRecorder> events_;
  std::map<InformerScope, Set> sets_;
  std::map<InformerId, Entry> informers_;
  FirstLists first_lists_;
  ServedKinds served_;  // stopped before the informers
  SourceActivation activation_;
  NamespaceFollower follower_;
};

// By name.
using ManagedClusters = std::map<std::string, std::unique_ptr<ManagedCluster>, std::less<>>;

}  // namespace pintle
