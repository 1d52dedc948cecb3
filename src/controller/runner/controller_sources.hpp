// SPDX-License-Identifier: Apache-2.0
// ControllerSources: the sources of one controller: its own kind, the kinds that it owns and watches, channels and
// polls.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/controller/controller.hpp>

#include "controller/apply/references.hpp"
#include "controller/clusters/cluster_handle.hpp"
#include "controller/clusters/managed_cluster.hpp"
#include "controller/history/noted_writes.hpp"
#include "controller/sources/owned_kinds.hpp"
#include "own_write_gate.hpp"
#include "paused_keys.hpp"
#include "reconcile_metrics.hpp"

namespace pintle {

// Receives what the sources find. Thread-safe.
class SourceReceiver {
 public:
  virtual ~SourceReceiver() = default;
  // Adds a key to the queue. Returns false if the queue is full.
  virtual bool wake(const ObjectKey& key, ReconcileCause cause, int priority) = 0;
  // Ends the quarantine of a key.
  virtual void release(const ObjectKey& key) = 0;
  // An object of the watched kind no longer exists.
  virtual void note_gone(const Object& last) = 0;
  // The thread of a poll ends.
  virtual void poll_ended(const Poll& poll) = 0;
  // Reports the current exception, which a function of the declaration threw. Returns it as text.
  virtual std::string note_thrown(std::string_view function, const ObjectKey& key) const = 0;
};

// All handlers of the controller are in one lane: they are never called at the same time, and a slow function of this
// controller does not delay other controllers. Thread-safe, except for connect() and start().
class ControllerSources {
 public:
  // The parts of the runner that the sources use. They must outlive this object.
  struct Surroundings {
    const AnyController& spec;
    const ManagedClusters& clusters;
    const ClusterHandles& handles;  // of the same clusters
    OwnWriteGate& own_writes;
    NotedWrites* writes;  // null without a history
    PausedKeys& paused;
    SourceReceiver& receiver;
    const ReconcileMetrics& metrics;
    const Log& log;
  };
  explicit ControllerSources(const Surroundings& around);
  ~ControllerSources();
  ControllerSources(const ControllerSources&) = delete;
  ControllerSources& operator=(const ControllerSources&) = delete;

  // Adds the handlers to the informers. Must be called before the informers start.
  Result<void> connect(const std::stop_token& stop);
  // Opens the channels, and starts a thread for each poll.
  void start(const std::stop_token& stop);
  void close_channels();
  void join_polls();

  // The caches of the watched kind; null before connect(), and for a controller without a watched kind.
  [[nodiscard]] const std::shared_ptr<InformerSet>& primary() const noexcept { return primary_; }
  [[nodiscard]] OwnedKinds& owned_kinds() noexcept { return owned_kinds_; }
  // Events that wait for the handlers of this controller.
  [[nodiscard]] Dispatcher::Backlog backlog() const { return cluster_.dispatcher().backlog(*lane_); }

 private:
  void add_handler(InformerSet& informers, const ChangeHandler& handler);
  [[nodiscard]] Result<void> add_indexes();
  [[nodiscard]] static Result<void> add_index(const Index& index, const std::set<InformerSet*>& caches);
  void watch(const std::shared_ptr<InformerSet>& informers);
  void note_writes(InformerSet& informers);
  void observe(const Change& change) const;
  void watch_owned(const std::shared_ptr<InformerSet>& informers, const Owns& owned);
  void wake_refused(const ClusterHandle& cluster, const GroupVersionKind& kind, const Change& change);
  void wake_after_activation(const Owns& owned);
  void watch_mapped(const std::shared_ptr<InformerSet>& informers, const Watches& watched, ClusterHandle& cluster);
  [[nodiscard]] MapFunction with_cache(const KeyMapWithCache& map) const;
  [[nodiscard]] std::vector<ObjectKey> mapped(const MapFunction& map, const Object& object) const;
  [[nodiscard]] bool lets_through(const Predicate& predicate, const Change& change, std::string_view whose) const;
  void poll(const Poll& poll, const std::stop_token& stop);

  const Surroundings around_;
  const AnyController& spec_;
  ManagedCluster& cluster_;                       // the cluster of the watched objects
  const std::shared_ptr<ClusterHandle>& handle_;  // of that cluster
  Executor& executor_;
  SourceReceiver& receiver_;
  const std::shared_ptr<Dispatcher::Lane> lane_;
  OwnedKinds owned_kinds_;
  std::shared_ptr<InformerSet> primary_;
  std::map<const Watches*, References> references_;  // used by the handlers only
  std::vector<Thread> polls_;
};

}  // namespace pintle
