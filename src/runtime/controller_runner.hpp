// ControllerRunner: one controller at work: its queue, its workers, the mapping of outcomes to the queue.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/queue/work_queue.hpp>
#include <pintle/runtime/controller.hpp>

#include "pass.hpp"

namespace pintle {

// Thread-safe but for start().
class ControllerRunner {
 public:
  ControllerRunner(ControllerSpec spec, Client& client, EventRecorder& events, Log log, MetricsRegistry& metrics,
                   const std::string& manager);
  ~ControllerRunner();
  ControllerRunner(const ControllerRunner&) = delete;
  ControllerRunner& operator=(const ControllerRunner&) = delete;

  // Before the informers start: which of them feed it.
  void watch(Informer& informer);
  void watch_owned(Informer& informer);

  void start();
  // No new pass begins, and those that run are asked to end.
  void request_stop();
  // Waits for the workers; false when some still ran at the deadline (join them all the same by destroying this).
  bool wait_until(Instant deadline);
  // The keys that workers are busy with.
  [[nodiscard]] std::vector<ObjectKey> busy() const;
  [[nodiscard]] bool is_quiet();

  [[nodiscard]] const ControllerSpec& spec() const noexcept { return spec_; }

 private:
  using Queue = WorkQueue<ObjectKey, ReconcileCause>;
  struct Metrics;

  void work();
  void pass(const Queue::Item& item);
  Outcome reconcile(const Object& object, const Queue::Item& item);
  void follow_up(const Queue::Item& item, const Outcome& outcome);

  const ControllerSpec spec_;
  Client& client_;
  Runtime& runtime_;
  EventRecorder& events_;
  const Log log_;
  const std::string field_manager_;
  Applier applier_;
  QueueMetrics queue_metrics_;
  Queue queue_;
  Informers informers_;
  const Informer* primary_ = nullptr;
  std::unique_ptr<Metrics> metrics_;
  std::stop_source stop_;

  mutable Mutex mutex_;
  Condition changed_;
  std::map<ObjectKey, Instant> busy_ PINTLE_GUARDED_BY(mutex_);
  int running_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::vector<Thread> workers_;
};

}  // namespace pintle
