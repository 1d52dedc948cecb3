// ScopedSpan: a part of a pass as a span of its own, to the end of its scope.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/thread_bound.hpp>
#include <pintle/base/trace.hpp>

namespace pintle {

class Tracing;

// Made by Context::begin_span(). Requests that the thread of the pass makes while it lives, and spans that it begins,
// are below it; so those of a pass end in the reverse order of their beginnings. One that nobody traces forgets what it
// is told. Used by the thread of the pass alone.
//
//   ScopedSpan span = context.begin_span("resize", {{"disk.name", disk.name}});
//   const auto resized = resize(disk);
//   if (!resized) span.set_error(resized.error());
class ScopedSpan {
 public:
  ScopedSpan(Tracing* tracing, SpanStart start);
  ScopedSpan(const ScopedSpan&) = delete;
  ScopedSpan& operator=(const ScopedSpan&) = delete;

  [[nodiscard]] const SpanContext& context() const noexcept { return span_->context(); }
  // Of two values of one name the later holds.
  void set(SpanAttribute attribute) { span_->set(std::move(attribute)); }
  // Something that happened now.
  void add_event(std::string_view name, std::vector<SpanAttribute> attributes = {}) {
    span_->add_event(name, std::move(attributes));
  }
  // This part failed, unless it was cancelled; the attribute "error.type" has the code.
  void set_error(const Error& error);

 private:
  std::unique_ptr<Span> span_;
  std::optional<ThreadBound<Span>::Binding> binding_;
};

}  // namespace pintle
