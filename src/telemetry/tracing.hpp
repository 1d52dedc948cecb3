// Tracing: a tracer, and where the requests of a pass find the span they belong to.
#pragma once

#include <memory>
#include <utility>

#include <pintle/base/thread_bound.hpp>
#include <pintle/base/trace.hpp>

namespace pintle {

// A tracer, and the span that each thread works on. Thread-safe.
class Tracing {
 public:
  Tracing(Executor& executor, std::shared_ptr<Tracer> tracer) : tracer_(std::move(tracer)), spans_(executor) {}

  [[nodiscard]] Tracer& tracer() const noexcept { return *tracer_; }
  [[nodiscard]] ThreadBound<Span>& spans() noexcept { return spans_; }
  // Of the pass that runs on the calling thread, the innermost span; null outside of one.
  [[nodiscard]] Span* current() const { return spans_.get(); }

 private:
  const std::shared_ptr<Tracer> tracer_;
  ThreadBound<Span> spans_;
};

// That the work of a span failed, and by which code; a cancellation has a code but is no failure.
void note_error(Span& span, const Error& error);

}  // namespace pintle
