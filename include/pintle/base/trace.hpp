// SPDX-License-Identifier: Apache-2.0
// Tracing: spans as in OpenTelemetry, the W3C Trace Context, and the Tracer that creates spans.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// The identity of a span within a trace. A plain value.
struct PINTLE_EXPORT SpanContext {
  std::array<std::uint8_t, 16> trace_id{};
  std::array<std::uint8_t, 8> span_id{};
  bool sampled = false;  ///< the span is recorded

  /// Parses a `traceparent` header of format version 00 or later. Error: invalid.
  [[nodiscard]] static Result<SpanContext> parse(std::string_view traceparent);

  /// Whether this identifies a span: neither id is all zeros.
  [[nodiscard]] bool is_valid() const noexcept;
  /// Returns the `traceparent` header: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".
  [[nodiscard]] std::string traceparent() const;
  /// The ids in lower-case hexadecimal.
  [[nodiscard]] std::string trace_id_text() const;
  [[nodiscard]] std::string span_id_text() const;

  friend bool operator==(const SpanContext&, const SpanContext&) = default;
};

/// One named value, as in a log line. It must not contain a secret.
using SpanAttribute = LogField;

/// One operation of a trace. It ends when the span is destroyed. One thread at a time may use a span. No call blocks or
/// throws.
class PINTLE_EXPORT Span {
 public:
  virtual ~Span() = default;
  [[nodiscard]] virtual const SpanContext& context() const noexcept = 0;
  /// Sets an attribute. It replaces an earlier value of the same name.
  virtual void set_attribute(SpanAttribute attribute) = 0;
  /// Adds an event with the current time.
  virtual void add_event(std::string_view name, std::vector<SpanAttribute> attributes) = 0;
  /// Marks the operation as failed and describes the failure.
  virtual void set_error(std::string_view what) = 0;
};

/// A span that records nothing. Its context is not valid.
class PINTLE_EXPORT NoopSpan final : public Span {
 public:
  [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
  void set_attribute(SpanAttribute) override {}
  void add_event(std::string_view, std::vector<SpanAttribute>) override {}
  void set_error(std::string_view) override {}

 private:
  const SpanContext context_{};
};

enum class SpanKind { internal, server, client };

struct StartSpanOptions {
  std::string name{};
  SpanKind kind = SpanKind::internal;
  SpanContext parent{};  ///< if not valid, a new trace begins
  std::vector<SpanAttribute> attributes{};
};

/// Creates spans. Implement it to use a tracing library. A tracer chooses the ids, decides which spans are sampled, and
/// reads the clock. It must outlive its spans. Thread-safe; no call blocks or throws.
class PINTLE_EXPORT Tracer {
 public:
  virtual ~Tracer() = default;
  /// Starts a span now. Never returns null.
  [[nodiscard]] virtual std::unique_ptr<Span> start(StartSpanOptions start) = 0;
};

}  // namespace pintle
