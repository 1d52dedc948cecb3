// SPDX-License-Identifier: Apache-2.0
// StepRunner: calls the functions of the author for one object, with context, deadline, finalizer and status.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/client/write_observer.hpp>
#include <pintle/controller/controller.hpp>

#include "controller/clusters/managed_cluster.hpp"
#include "controller/reconcile_deadline.hpp"
#include "controller/reconcile_state.hpp"
#include "controller_queue.hpp"
#include "controller_sources.hpp"
#include "own_write_gate.hpp"
#include "reconcile_metrics.hpp"

namespace pintle {

// Thread-safe.
class StepRunner {
 public:
  using Step = std::function<Outcome(const Object&, Context&)>;

  // The parts of the runner that a step uses. They must outlive this object.
  struct Surroundings {
    const AnyController& spec;
    Client& client;  // of the cluster of the watched objects
    const std::shared_ptr<ClusterHandle>& handle;
    const ClusterHandles& handles;
    SecretClusters& secret_clusters;
    EventRecorder& events;
    ControllerSources& sources;
    OwnWriteGate& own_writes;
    const ReconcileMetrics& metrics;
    std::weak_ptr<WriteObserver> writes{};  // of the history
    Tracing* tracing = nullptr;             // null without a tracer
    const std::string& field_manager;
    Duration timeout{};  // 0: none
    const std::stop_source& stop;
    const Log& log;
  };
  explicit StepRunner(const Surroundings& around);

  // Runs a step with its context and its timeout, and writes the status.
  [[nodiscard]] Outcome run(const Object& object, const ControllerQueue::Item& item, const Step& step);
  // The step of a reconcile: the functions of the author, with the finalizer.
  [[nodiscard]] Outcome reconcile(const Object& object, Context& context);
  // Null without a finalizer.
  [[nodiscard]] FinalizerReconciler* finalized() noexcept { return finalized_ ? &*finalized_ : nullptr; }
  // 0: none.
  [[nodiscard]] Duration timeout() const noexcept { return around_.timeout; }
  // The log for one reconcile.
  [[nodiscard]] Log log_for(const ObjectKey& key) const;

 private:
  Outcome run_caught(const Object& object, Context& context, const Step& step);
  [[nodiscard]] ReconcileDeadline::Reports overdue_reports(const ObjectKey& key) const;

  const Surroundings around_;
  const AnyController& spec_;
  StatusWriter status_writer_;
  std::optional<FinalizerReconciler> finalized_;
};

}  // namespace pintle
