// Trace: spans of work as OpenTelemetry and the W3C Trace Context know them, and the Tracer that takes them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

// Which span of which trace. A plain value.
struct SpanContext {
  std::array<std::uint8_t, 16> trace_id{};
  std::array<std::uint8_t, 8> span_id{};
  bool sampled = false;  // it is recorded

  // The context a `traceparent` header carries, of this version of the format or a later one. Error: invalid.
  [[nodiscard]] static Result<SpanContext> parse(std::string_view traceparent);

  // Of a span that there is: neither id is all zeros.
  [[nodiscard]] bool is_valid() const noexcept;
  // "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".
  [[nodiscard]] std::string traceparent() const;
  // In lower-case hexadecimal.
  [[nodiscard]] std::string trace_id_text() const;
  [[nodiscard]] std::string span_id_text() const;

  friend bool operator==(const SpanContext&, const SpanContext&) = default;
};

// One named value, as in a line of the log. Never give it a secret.
using SpanAttribute = LogField;

// One piece of work. It ends when it is destroyed. Used by one thread at a time; no call waits or throws.
class Span {
 public:
  virtual ~Span() = default;
  [[nodiscard]] virtual const SpanContext& context() const noexcept = 0;
  // Of two values of one name the later holds.
  virtual void set(SpanAttribute attribute) = 0;
  // Something that happened now.
  virtual void add_event(std::string_view name, std::vector<SpanAttribute> attributes) = 0;
  // The work failed.
  virtual void set_error(std::string_view what) = 0;
};

// A span that is not there: its context is not valid, and what it is told is forgotten.
class NoSpan final : public Span {
 public:
  [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
  void set(SpanAttribute) override {}
  void add_event(std::string_view, std::vector<SpanAttribute>) override {}
  void set_error(std::string_view) override {}

 private:
  const SpanContext context_{};
};

enum class SpanKind { internal, server, client };

struct SpanStart {
  std::string name{};
  SpanKind kind = SpanKind::internal;
  SpanContext parent{};  // not valid: a new trace begins
  std::vector<SpanAttribute> attributes{};
};

// Takes spans. Implement it to hand them to a tracing library; it decides on ids and on what is sampled, and reads the
// clock. It must outlive its spans. Thread-safe; no call waits or throws.
class Tracer {
 public:
  virtual ~Tracer() = default;
  // A span that begins now; never null.
  [[nodiscard]] virtual std::unique_ptr<Span> start(SpanStart start) = 0;
};

}  // namespace pintle
