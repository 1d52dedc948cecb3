// SPDX-License-Identifier: Apache-2.0
// NotedSpans: a tracer that also collects the spans of a reconcile for its record.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/per_thread.hpp>
#include <pintle/base/trace.hpp>

#include "reconcile_record.hpp"

namespace pintle {

// Thread-safe.
class NotedSpans final : public Tracer {
 public:
  // The spans of one reconcile that have ended. Thread-safe.
  class Collected {
   public:
    explicit Collected(Executor& executor) : begun_(executor.now()), mutex_(executor) {}

    void add(SpanRecord span);
    // Moves the first spans into the record, in the order of their begin.
    void move_to(ReconcileRecord& record);
    [[nodiscard]] Instant begun() const noexcept { return begun_; }

   private:
    const Instant begun_;
    Mutex mutex_;
    std::vector<SpanRecord> spans_ PINTLE_GUARDED_BY(mutex_);
    std::size_t dropped_ PINTLE_GUARDED_BY(mutex_) = 0;
  };
  using Collector = const std::shared_ptr<Collected>;

  // `inner` also receives the spans; null: nothing else does.
  NotedSpans(Executor& executor, std::shared_ptr<Tracer> inner)
      : executor_(executor), inner_(std::move(inner)), collectors_(executor) {}

  // Collects the spans that begin on this thread as long as the binding exists.
  [[nodiscard]] PerThread<Collector>::Binding collect(Collector& into) { return {collectors_, into}; }
  [[nodiscard]] std::unique_ptr<Span> start(StartSpanOptions start) override;

 private:
  Executor& executor_;
  const std::shared_ptr<Tracer> inner_;
  PerThread<Collector> collectors_;
};

}  // namespace pintle
