// SPDX-License-Identifier: Apache-2.0
#include <pintle/telemetry/scoped_span.hpp>

#include <optional>
#include <utility>

#include <pintle/base/per_thread.hpp>

#include "tracing.hpp"

namespace pintle {

struct ScopedSpan::State {
  std::unique_ptr<Span> span;
  std::optional<PerThread<Span>::Binding> binding;
};

ScopedSpan::ScopedSpan(Tracing* tracing, StartSpanOptions start) : state_(std::make_unique<State>()) {
  if (tracing == nullptr) {
    state_->span = std::make_unique<NoopSpan>();
    return;
  }
  if (const Span* around = tracing->current()) start.parent = around->context();
  state_->span = tracing->tracer().start(std::move(start));
  state_->binding.emplace(tracing->spans(), *state_->span);
}
ScopedSpan::~ScopedSpan() = default;

const SpanContext& ScopedSpan::context() const noexcept { return state_->span->context(); }

void ScopedSpan::set_attribute(SpanAttribute attribute) { state_->span->set_attribute(std::move(attribute)); }

void ScopedSpan::add_event(std::string_view name, std::vector<SpanAttribute> attributes) {
  state_->span->add_event(name, std::move(attributes));
}

void ScopedSpan::set_error(const Error& error) { note_error(*state_->span, error); }

}  // namespace pintle
