// SPDX-License-Identifier: Apache-2.0
// ControllerRunner: runs one controller: its sources, its queue and its workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/controller/controller.hpp>

#include "controller/clusters/managed_cluster.hpp"
#include "controller/crash/crash_guard.hpp"
#include "controller/history/noted_spans.hpp"
#include "controller/history/noted_writes.hpp"
#include "controller/history/reconcile_history.hpp"
#include "controller_queue.hpp"
#include "controller_sources.hpp"
#include "gone_objects.hpp"
#include "overflow_sweep.hpp"
#include "own_write_gate.hpp"
#include "paused_keys.hpp"
#include "reconcile_metrics.hpp"
#include "reconcile_span.hpp"
#include "requeue_policy.hpp"
#include "resync_timer.hpp"
#include "step_runner.hpp"

namespace pintle {

// The counters of a controller, for the debug API.
struct ControllerCounts {
  struct LastError {
    ObjectKey key{};
    std::string message{};
    WallTime at{};
  };

  int workers = 0;
  std::size_t working = 0;                                 // keys that are being reconciled
  std::size_t waiting = 0;                                 // keys that are due and wait for a worker
  std::size_t delayed = 0;                                 // keys that are due later
  std::size_t objects = 0;                                 // in the cache
  std::map<std::string_view, std::uint64_t> reconciles{};  // by metric_label() of the outcome
  Dispatcher::Backlog handlers{};
  std::optional<LastError> last_error{};
};

// An entry of the queue of a controller, for the debug API.
struct QueueEntry {
  enum class State { working, waiting, delayed };

  ObjectKey key{};
  State state = State::waiting;
  std::optional<Instant> due{};  // none: in work, and not due again
  Instant since{};               // when the reconcile began; only for `working`
  Duration overdue{};            // how long the reconcile runs beyond its timeout
  int priority = 0;
  unsigned failures = 0;  // in a row
  std::vector<ReconcileCause> causes{};
};

struct QueueFilter {
  std::string search{};                      // part of the key
  std::optional<QueueEntry::State> state{};  // none: all
  std::optional<ObjectKey> key{};            // none: all
  std::size_t limit = 100;
};

struct QueuePart {
  std::size_t total = 0;
  std::size_t matching = 0;
  std::vector<QueueEntry> entries{};  // at most `limit`, in the order of their states, then of the due time
};

// Thread-safe, except for connect() and start().
class ControllerRunner final : private SourceReceiver {
 public:
  // The parts of the manager that the runner uses. They must outlive it.
  struct Surroundings {
    const ManagedClusters& clusters;
    SecretClusters& secret_clusters;
    MetricsRegistry& metrics;
    const std::string& manager;
    CrashGuard* crash_guard = nullptr;    // null without a state directory
    Tracing* tracing = nullptr;           // null without a tracer
    ReconcileHistory* history = nullptr;  // null: none is kept
    NotedSpans* spans = nullptr;          // for the history
    ControllerDefaults defaults{};
    std::function<void(const ReconcileReport& report)> on_reconcile{};
  };
  // `around.clusters` must contain the cluster that the spec names.
  ControllerRunner(AnyController spec, const Surroundings& around, Log log);
  ~ControllerRunner() override;
  ControllerRunner(const ControllerRunner&) = delete;
  ControllerRunner& operator=(const ControllerRunner&) = delete;

  // Adds the handlers to the informers. Must be called before the informers start.
  Result<void> connect(const std::stop_token& stop) { return sources_.connect(stop); }

  void start();
  // Reconciles one key on this thread. Must be called instead of start(). Errors: not_found if there is no such object;
  // unavailable if the key was not reconciled, for example because it is paused.
  [[nodiscard]] Result<Outcome> run_once(const ObjectKey& key);
  // No further reconcile begins.
  void close();
  // As close(), and running reconciles are requested to stop. Runs callbacks of their tokens, which may block.
  void request_stop();
  // Waits for the workers and the polls. Returns false if some still run at the deadline; the destructor joins them.
  bool wait_until(Instant deadline);
  // The keys that are being reconciled.
  [[nodiscard]] std::vector<ObjectKey> busy() const;
  // The names of the polls whose threads run.
  [[nodiscard]] std::vector<std::string> polls() const;
  [[nodiscard]] bool is_idle();
  // Updates the metrics that grow with time.
  void measure() const;

  // Functions for the debug API.
  [[nodiscard]] ControllerCounts counts() const;
  [[nodiscard]] QueuePart queue(const QueueFilter& filter) const;
  // Returns an empty Object if the cache does not have it.
  [[nodiscard]] Object object(const ObjectKey& key) const { return find(key); }
  // All objects of the watched kind; empty before connect(), and for a controller without a watched kind.
  [[nodiscard]] ObjectRange objects() const;
  [[nodiscard]] bool is_paused(const Object& object) const { return paused_.is_paused(object); }
  [[nodiscard]] const std::string& pause_annotation() const noexcept { return paused_.annotation(); }
  // The Events about an object that this process recorded, the newest first.
  [[nodiscard]] std::vector<RecentEvent> recent_events(const Object& object) const { return events_.recent(object); }
  // The cluster of the watched objects, as reconciles use it.
  [[nodiscard]] const ClusterHandle& cluster() const noexcept { return *handle_; }

  // Adds a key to the queue. Returns false if the queue is full.
  bool wake(const ObjectKey& key, ReconcileCause cause, int priority = normal_priority) override;
  // Returns whether there is an object with this key, or a deleted one for which `gone` must still be called.
  [[nodiscard]] bool has_object(const ObjectKey& key) const;
  // Ends the quarantine of a key, so that it is reconciled when it is added next.
  void release(const ObjectKey& key) override;

  [[nodiscard]] const AnyController& spec() const noexcept { return spec_; }

 private:
  using Queue = ControllerQueue;
  using Step = StepRunner::Step;

  void work();
  void sweep_after_overflow();
  void resync_if_due();
  void process(Queue::Item& item, CrashGuard::Seat& seat);
  Outcome state(const Object& object, const Queue::Item& item, CrashGuard::Seat& seat, ReconcileSpan& span,
                const Step& step);
  // Calls Surroundings::on_reconcile. `outcome` is null at the begin.
  void report(const ObjectKey& key, const Outcome* outcome) const;
  [[nodiscard]] bool has_finalized_gone(const Queue::Item& item, CrashGuard::Seat& seat);
  void note_gone(const Object& last) override;
  void poll_ended(const Poll& poll) override;
  void reconcile_gone(const Object& last, const Queue::Item& item, CrashGuard::Seat& seat);
  void defer_quarantined(const Queue::Item& item, const Object& object, const Quarantined& held);
  void report_dispute(const ObjectKey& key);
  void forget_children(const ObjectKey& key);
  [[nodiscard]] Step unless_still_there(const Step& step) const;
  [[nodiscard]] Result<Object> cached_object(const ObjectKey& key) const;
  [[nodiscard]] Object find(const ObjectKey& key) const;
  [[nodiscard]] bool is_gone(const Object& cached) const;
  std::string note_thrown(std::string_view function, const ObjectKey& key) const override;
  [[nodiscard]] AnyController with_safe_tenant(AnyController spec);
  void defer_paused(const Queue::Item& item);
  [[nodiscard]] bool has_only_own_writes(const Queue::Item& item) const;
  void put_back(const Queue::Item& item);
  [[nodiscard]] bool was_interrupted(const Outcome& outcome) const;
  void follow_up(const Queue::Item& item, const Outcome& outcome);
  // The parts of a reconcile for its record.
  struct Noted {
    NotedWrites::Collected writes{};
    std::shared_ptr<NotedSpans::Collected> spans{};
  };
  Outcome run_noted(const Object& object, const Queue::Item& item, const Step& step, Noted& noted);
  void note_end(const Queue::Item& item, Instant begun, const Outcome& outcome, Noted noted);
  [[nodiscard]] ReconcileRecord record_of(const Queue::Item& item, Duration took, const Outcome& outcome) const;

  const AnyController spec_;
  const int workers_count_;
  const Surroundings around_;
  ManagedCluster& cluster_;  // the cluster of the watched objects
  Client& client_;           // the client of that cluster
  Executor& executor_;
  EventRecorder& events_;
  CrashGuard* const crash_guard_;
  const Log log_;
  Tracing* const tracing_;  // null without a tracer
  const std::string field_manager_;
  const ClusterHandles clusters_;
  const std::shared_ptr<ClusterHandle>& handle_;  // the cluster of the watched objects among `clusters_`
  OwnWriteGate own_writes_;
  const std::shared_ptr<NotedWrites> writes_;  // for the history; null without it
  QueueMetrics queue_metrics_;
  Queue queue_;
  RequeuePolicy requeue_;
  PausedKeys paused_;
  GoneObjects gone_;  // for spec_.gone
  OverflowSweep sweep_;
  ResyncTimer resync_;
  const ReconcileMetrics metrics_;
  ControllerSources sources_;
  std::stop_source stop_;
  StepRunner steps_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::map<ObjectKey, Instant> busy_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::string_view, std::uint64_t> reconciles_ PINTLE_GUARDED_BY(mutex_);  // by metric_label()
  std::optional<ControllerCounts::LastError> last_error_ PINTLE_GUARDED_BY(mutex_);
  std::optional<Outcome> last_outcome_ PINTLE_GUARDED_BY(mutex_);       // for run_once()
  int running_ PINTLE_GUARDED_BY(mutex_) = 0;                           // workers
  std::multiset<std::string> running_polls_ PINTLE_GUARDED_BY(mutex_);  // their names
  std::vector<Thread> workers_;
};

}  // namespace pintle
