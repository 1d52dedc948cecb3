// ControllerRunner: one controller at work: its sources, its queue, its workers, the mapping of outcomes to the queue.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/controller/controller.hpp>

#include "controller/apply/references.hpp"
#include "controller/crash/crash_guard.hpp"
#include "controller/managed_cluster.hpp"
#include "controller/pass.hpp"
#include "controller/pass_deadline.hpp"
#include "controller_queue.hpp"
#include "gone_objects.hpp"
#include "overflow_sweep.hpp"
#include "own_write_gate.hpp"
#include "pass_span.hpp"
#include "paused_keys.hpp"
#include "reconcile_metrics.hpp"
#include "requeue_policy.hpp"

namespace pintle {

// What became of one pass, for people.
struct PassRecord {
  ObjectKey key{};
  WallTime begun{};
  Duration took{};
  std::string outcome{};  // success, requeue, requeue_after, error
  std::string error{};
  std::vector<ReconcileCause> causes{};  // the first few
};

// Thread-safe but for connect() and start().
class ControllerRunner {
 public:
  static constexpr std::size_t most_records = 100;

  // What it works with; outlives it.
  struct Surroundings {
    const ManagedClusters& clusters;
    SecretClusters& secret_clusters;
    MetricsRegistry& metrics;
    const std::string& manager;
    CrashGuard* crash_guard = nullptr;  // null when nobody keeps what is in work
    Tracing* tracing = nullptr;         // null when nobody traces
  };
  // The cluster that the spec names is one of them.
  ControllerRunner(ControllerSpec spec, const Surroundings& around, Log log);
  ~ControllerRunner();
  ControllerRunner(const ControllerRunner&) = delete;
  ControllerRunner& operator=(const ControllerRunner&) = delete;

  // Before the informers start: has them feed it.
  Result<void> connect(const std::stop_token& stop);

  void start();
  // No new pass begins, and those that run are asked to end.
  void request_stop();
  // Waits for the workers; false when some still ran at the deadline (join them all the same by destroying this).
  bool wait_until(Instant deadline);
  // The keys that workers are busy with.
  [[nodiscard]] std::vector<ObjectKey> busy() const;
  [[nodiscard]] bool is_quiet();
  // Brings the metrics that grow with time up to date.
  void measure() const { queue_.measure(); }
  // The last passes, the newest last.
  [[nodiscard]] std::vector<PassRecord> records() const;
  // What waits or is in work, and the last passes.
  [[nodiscard]] json::Value debug() const;

  // Looks at an object now. False when the queue is full.
  bool wake(const ObjectKey& key, ReconcileCause cause, int priority = normal_priority);
  // False when there is no object of this key, nor one that has gone and that a function has still to be called for.
  [[nodiscard]] bool knows(const ObjectKey& key) const;
  // Has a key that is held back be tried when it is woken next.
  void release(const ObjectKey& key);

  [[nodiscard]] const ControllerSpec& spec() const noexcept { return spec_; }

 private:
  using Queue = ControllerQueue;
  using Step = std::function<Outcome(const Object&, Context&)>;

  void watch(Informer& informer);
  void note_writes(Informer& informer);
  void observe(const Change& change) const;
  void watch_owned(Informer& informer, const Owns& owned);
  void watch_mapped(Informer& informer, const Watches& watched, Site& site);
  [[nodiscard]] KeyMap with_copies(const KeyMapWithCopies& map) const;
  [[nodiscard]] std::vector<ObjectKey> mapped(const KeyMap& map, const Object& object) const;
  void poll(const Poll& poll);

  void work();
  void sweep_after_overflow();
  void process(Queue::Item& item, CrashGuard::Seat& seat);
  Outcome pass(const Object& object, const Queue::Item& item, CrashGuard::Seat& seat, PassSpan& span, const Step& step);
  [[nodiscard]] bool has_finalized_gone(const Queue::Item& item, CrashGuard::Seat& seat);
  void note_gone(const Object& last);
  void pass_over_gone(const Object& last, const Queue::Item& item, CrashGuard::Seat& seat);
  void hold_back(const Queue::Item& item, const Object& object, const HeldBack& held);
  void forget_children(const ObjectKey& key);
  [[nodiscard]] Step unless_still_there(const Step& step) const;
  [[nodiscard]] Result<Object> look_up(const ObjectKey& key) const;
  [[nodiscard]] Object find(const ObjectKey& key) const;
  std::string note_thrown(std::string_view function, const ObjectKey& key) const;
  [[nodiscard]] ControllerSpec with_safe_tenant(ControllerSpec spec);
  [[nodiscard]] bool lets_through(const Predicate& predicate, const Change& change, std::string_view whose) const;
  [[nodiscard]] PassDeadline::Reports overdue_reports(const ObjectKey& key) const;
  void defer_paused(const Queue::Item& item);
  [[nodiscard]] bool has_only_own_writes(const Queue::Item& item) const;
  void put_back(const Queue::Item& item);
  Outcome run(const Object& object, const Queue::Item& item, const Step& step);
  Outcome run_caught(const Object& object, Context& context, const Step& step);
  Outcome reconcile(const Object& object, Context& context);
  [[nodiscard]] bool was_cut_short(const Outcome& outcome) const;
  void follow_up(const Queue::Item& item, const Outcome& outcome);
  [[nodiscard]] Log log_of_pass(const ObjectKey& key) const;
  void record(const Queue::Item& item, Duration took, const Outcome& outcome);

  const ControllerSpec spec_;
  const Surroundings around_;
  ManagedCluster& cluster_;  // of its objects
  Client& client_;           // there
  Executor& executor_;
  EventRecorder& events_;
  CrashGuard* const crash_guard_;
  const Log log_;
  Tracing* const tracing_;  // null: nobody traces
  const std::string field_manager_;
  const Sites sites_;
  const std::shared_ptr<Site>& site_;  // of them, that of its objects
  std::optional<FinalizedReconcile> finalized_;
  StatusWriter status_writer_;
  OwnWriteGate own_writes_;
  QueueMetrics queue_metrics_;
  Queue queue_;
  RequeuePolicy requeue_;
  PausedKeys paused_;
  GoneObjects gone_;  // for spec_.gone
  OverflowSweep sweep_;
  Informer* primary_ = nullptr;
  std::map<const Watches*, References> references_;  // on the dispatcher's thread
  const ReconcileMetrics metrics_;
  std::stop_source stop_;

  mutable Mutex mutex_;
  Condition changed_;
  std::map<ObjectKey, Instant> busy_ PINTLE_GUARDED_BY(mutex_);
  std::deque<PassRecord> records_ PINTLE_GUARDED_BY(mutex_);
  int running_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::vector<Thread> workers_;
  std::vector<Thread> polls_;
};

}  // namespace pintle
