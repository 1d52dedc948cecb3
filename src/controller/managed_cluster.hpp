// ManagedCluster: one cluster of a manager, with what is kept of it and what is told there.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>

#include "events/event_recorder.hpp"

namespace pintle {

// What a controller wants to hear of.
struct InformerScope {
  GroupVersionKind kind{};
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
};

// Used by the thread that starts the manager and the one that stops it. The parts end in the order in which stop_…() is
// called; clients end with this.
class ManagedCluster {
 public:
  // What all clusters of a manager share; outlives them.
  struct Shared {
    const std::string& manager;
    Dispatcher& dispatcher;
    MetricsRegistry& metrics;
    json::Pool& pool;  // of all cached objects
    const std::map<GroupVersionKind, KeptParts>& kept;
    Log log;
    Duration sync_timeout{};  // limit of the discovery of one kind
    // Called on the I/O thread when a watch ends with an error; must not wait.
    std::function<void(const std::string& cluster, const GroupVersionKind& kind)> watch_failed{};
  };

  // `client` is the manager's own; `of_passes`, perhaps the same, writes as a leader only. `home` is the namespace to
  // watch where none is named, "": all.
  ManagedCluster(std::string name, std::string home, std::shared_ptr<Client> client, std::shared_ptr<Client> of_passes,
                 Shared shared)
      : name_(std::move(name)),
        home_(std::move(home)),
        client_(std::move(client)),
        of_passes_(std::move(of_passes)),
        shared_(std::move(shared)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& home() const noexcept { return home_; }
  [[nodiscard]] Client& client() noexcept { return *client_; }
  [[nodiscard]] const std::shared_ptr<Client>& client_of_passes() const noexcept { return of_passes_; }

  // Made when it is first asked for, as it has a thread.
  [[nodiscard]] EventRecorder& events();
  // One for all who want the same objects; not started yet. Discovery is tried again after transient errors.
  [[nodiscard]] Result<Informer*> informer(InformerScope scope, const std::stop_token& stop);

  [[nodiscard]] std::vector<const Informer*> informers() const;
  void start_informers();
  [[nodiscard]] Result<void> wait_for_sync(Instant deadline, const std::stop_token& stop);
  void stop_informers();
  void stop_events(Duration grace);

 private:
  [[nodiscard]] Result<Resource> discover(const GroupVersionKind& kind, const std::stop_token& stop);

  // Kinds with one list and watch for all who want the same objects of them.
  using InformerId = std::tuple<GroupVersionKind, std::string, std::string, std::string>;

  const std::string name_;
  const std::string home_;
  const std::shared_ptr<Client> client_;
  const std::shared_ptr<Client> of_passes_;
  const Shared shared_;
  std::unique_ptr<EventRecorder> events_;
  std::map<InformerId, std::unique_ptr<Informer>> informers_;
};

// By their names.
using ManagedClusters = std::map<std::string, std::unique_ptr<ManagedCluster>, std::less<>>;

}  // namespace pintle
