// OtlpExporter: a Tracer that sends its spans to an OpenTelemetry collector in the background.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <stop_token>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/http/transport.hpp>

#include "otlp_json.hpp"
#include "otlp_settings.hpp"

namespace pintle {

// OTLP over HTTP, in JSON. Nothing that happens to spans reaches whoever makes them: ending one takes a lock for a
// moment. Those that have ended wait and go together as settings.batching says. A batch is sent again at 429, 502, 503,
// 504 or when no answer came, five times and while its time lasts. What is dropped is counted in
// pintle_trace_spans_dropped_total; the first failure after a success is said in the log. A span keeps 128 attributes
// and 128 events, and 4 KiB of each text. Thread-safe.
class OtlpExporter final : public Tracer {
 public:
  OtlpExporter(std::shared_ptr<http::Transport> transport, OtlpSettings settings, Log log, MetricsRegistry& metrics);
  ~OtlpExporter() override;
  OtlpExporter(const OtlpExporter&) = delete;
  OtlpExporter& operator=(const OtlpExporter&) = delete;

  [[nodiscard]] std::unique_ptr<Span> start(SpanStart start) override;

  // Takes no more, sends what waits while `grace` lasts, then joins. Idempotent.
  void stop(Duration grace);

 private:
  class RecordedSpan;
  using Batch = std::vector<FinishedSpan>;

  static Counter dropped(MetricsRegistry& metrics, const char* why);
  [[nodiscard]] SpanContext new_context(const SpanContext& parent);
  void take(FinishedSpan span);
  void run();
  [[nodiscard]] Batch next_batch();
  void deliver(const Batch& batch);
  [[nodiscard]] Result<http::Answer> post(const http::Request& request);
  [[nodiscard]] std::size_t rejected_in(const http::Answer& answer);
  void failing(const std::string& why);
  void exporting();

  const std::shared_ptr<http::Transport> transport_;
  Executor& executor_;
  const OtlpSettings settings_;
  const Log log_;
  const Counter exported_;
  const Counter dropped_at_bound_;
  const Counter dropped_unsent_;
  const Counter dropped_by_collector_;
  std::stop_source stop_;
  bool is_failing_ = false;  // of the thread below

  Mutex mutex_;
  Condition changed_;
  std::deque<FinishedSpan> waiting_ PINTLE_GUARDED_BY(mutex_);
  Instant due_ PINTLE_GUARDED_BY(mutex_) = Instant::max();  // of what waits
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
