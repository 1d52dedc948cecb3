#include <pintle/telemetry/scoped_span.hpp>

#include "tracing.hpp"

namespace pintle {

ScopedSpan::ScopedSpan(Tracing* tracing, StartSpanOptions start) {
  if (tracing == nullptr) {
    span_ = std::make_unique<NoopSpan>();
    return;
  }
  if (const Span* around = tracing->current()) start.parent = around->context();
  span_ = tracing->tracer().start(std::move(start));
  binding_.emplace(tracing->spans(), *span_);
}

void ScopedSpan::set_error(const Error& error) { note_error(*span_, error); }

}  // namespace pintle
