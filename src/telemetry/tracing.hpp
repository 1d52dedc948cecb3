// SPDX-License-Identifier: Apache-2.0
// Tracing: a tracer, and the current span of each thread, which becomes the parent of its requests.
#pragma once

#include <memory>
#include <utility>

#include <pintle/base/per_thread.hpp>
#include <pintle/base/trace.hpp>

namespace pintle {

// Thread-safe.
class Tracing {
 public:
  Tracing(Executor& executor, std::shared_ptr<Tracer> tracer) : tracer_(std::move(tracer)), spans_(executor) {}

  [[nodiscard]] Tracer& tracer() const noexcept { return *tracer_; }
  [[nodiscard]] PerThread<Span>& spans() noexcept { return spans_; }
  // Returns the innermost span of the reconcile that runs on the calling thread; null outside of a reconcile.
  [[nodiscard]] Span* current() const { return spans_.get(); }

 private:
  const std::shared_ptr<Tracer> tracer_;
  PerThread<Span> spans_;
};

// Records that the work of a span failed, with the code. A cancellation has a code but does not count as a failure.
void note_error(Span& span, const Error& error);

}  // namespace pintle
