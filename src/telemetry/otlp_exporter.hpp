// SPDX-License-Identifier: Apache-2.0
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

// Uses OTLP over HTTP, in JSON. Making spans never blocks and never fails: ending a span only takes a lock for a
// moment. Ended spans wait and are sent in batches (see Batching). A batch is sent again after 429, 502, 503, 504 or a
// missing response, at most five times and within its delivery timeout. Dropped spans are counted in
// pintle_trace_spans_dropped_total; the first failure after a success is logged. A span keeps 128 attributes and 128
// events, and 4 KiB of each text. Thread-safe.
class OtlpExporter final : public Tracer {
 public:
  OtlpExporter(std::shared_ptr<http::Transport> transport, OtlpOptions options, Log log, MetricsRegistry& metrics);
  ~OtlpExporter() override;
  OtlpExporter(const OtlpExporter&) = delete;
  OtlpExporter& operator=(const OtlpExporter&) = delete;

  [[nodiscard]] std::unique_ptr<Span> start(StartSpanOptions start) override;

  // Accepts no more spans, sends the waiting ones for at most `grace`, then joins the thread. Idempotent.
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
  [[nodiscard]] Result<http::BufferedResponse> post(const http::Request& request);
  [[nodiscard]] std::size_t rejected_in(const http::BufferedResponse& response);
  void failing(const std::string& why);
  void exporting();

  const std::shared_ptr<http::Transport> transport_;
  Executor& executor_;
  const OtlpOptions options_;
  const Log log_;
  const Counter exported_;
  const Counter dropped_at_bound_;
  const Counter dropped_unsent_;
  const Counter dropped_by_collector_;
  std::stop_source stop_;
  bool is_failing_ = false;  // used by thread_ only

  Mutex mutex_;
  CondVar changed_;
  std::deque<FinishedSpan> waiting_ PINTLE_GUARDED_BY(mutex_);
  Instant due_ PINTLE_GUARDED_BY(mutex_) = Instant::max();  // of the waiting spans
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
