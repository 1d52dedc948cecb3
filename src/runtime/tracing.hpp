// Tracing: one span for each pass, and where the requests of a pass find it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <pintle/base/thread_bound.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/queue/work_queue.hpp>
#include <pintle/runtime/controller.hpp>
#include <pintle/runtime/outcome.hpp>

namespace pintle {

// A tracer, and the span that each thread works on. Thread-safe.
class Tracing {
 public:
  Tracing(Runtime& runtime, std::shared_ptr<Tracer> tracer) : tracer_(std::move(tracer)), spans_(runtime) {}

  [[nodiscard]] Tracer& tracer() const noexcept { return *tracer_; }
  [[nodiscard]] ThreadBound<Span>& spans() noexcept { return spans_; }
  // Of the pass that runs on the calling thread, the innermost span; null outside of one.
  [[nodiscard]] Span* current() const { return spans_.get(); }

 private:
  const std::shared_ptr<Tracer> tracer_;
  ThreadBound<Span> spans_;
};

// The span of one pass, from its making to its end, as Tracing::current() of the thread that makes it. Nothing when
// `tracing` is null.
class PassSpan {
 public:
  PassSpan(Tracing* tracing, const ControllerSpec& controller, const QueueItem<ObjectKey, ReconcileCause>& item);

  void came_to(const Outcome& outcome);

 private:
  std::unique_ptr<Span> span_;
  std::optional<ThreadBound<Span>::Binding> binding_;
};

// That the work of a span failed, and by which code; a cancellation has a code but is no failure.
void note_error(Span& span, const Error& error);

}  // namespace pintle
