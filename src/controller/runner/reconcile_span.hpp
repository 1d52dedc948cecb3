// SPDX-License-Identifier: Apache-2.0
// ReconcileSpan: the trace span of one reconcile.
#pragma once

#include <memory>
#include <optional>

#include <pintle/base/per_thread.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/queue/work_queue.hpp>

#include "telemetry/tracing.hpp"

namespace pintle {

// The span exists as long as this object and is Tracing::current() of the thread that created it. Does nothing if
// `tracing` is null.
class ReconcileSpan {
 public:
  ReconcileSpan(Tracing* tracing, const AnyController& controller, const QueueItem<ObjectKey, ReconcileCause>& item);

  void set_outcome(const Outcome& outcome);

 private:
  std::unique_ptr<Span> span_;
  std::optional<PerThread<Span>::Binding> binding_;
};

}  // namespace pintle
