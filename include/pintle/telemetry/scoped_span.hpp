// SPDX-License-Identifier: Apache-2.0
// ScopedSpan: a span for a part of a reconcile, which ends with its scope.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/trace.hpp>

namespace pintle {

class Tracing;

/// Context::start_span() creates it. While the span exists, it is the parent of the requests and further spans that the
/// thread of the reconcile starts. The spans of a reconcile must therefore end in the reverse order of their beginning.
/// Without a tracer, a span discards all data. Only the thread of the reconcile may use it.
///
///   ScopedSpan span = context.start_span("resize", {{"disk.name", disk.name}});
///   const auto resized = resize(disk);
///   if (!resized) span.set_error(resized.error());
class PINTLE_EXPORT ScopedSpan {
 public:
  ~ScopedSpan();
  ScopedSpan(const ScopedSpan&) = delete;
  ScopedSpan& operator=(const ScopedSpan&) = delete;

  [[nodiscard]] const SpanContext& context() const noexcept;
  /// If an attribute is set twice, the later value is kept.
  void set_attribute(SpanAttribute attribute);
  /// Records an event that happens now.
  void add_event(std::string_view name, std::vector<SpanAttribute> attributes = {});
  /// Marks this part as failed, unless the error is a cancellation. Sets the attribute "error.type" to the code of the
  /// error.
  void set_error(const Error& error);

 private:
  friend class Context;  // start_span()
  ScopedSpan(Tracing* tracing, StartSpanOptions start);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pintle
