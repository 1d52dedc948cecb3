// SPDX-License-Identifier: Apache-2.0
#include "call_record.hpp"

#include <utility>

namespace pintle {
namespace {

std::unique_ptr<Span> start_span(Tracer* tracer, const http::Request& request, const std::string& path) {
  if (tracer == nullptr) return nullptr;
  // Without a valid header, a new trace begins.
  const auto parent = SpanContext::parse(request.headers.get("traceparent").value_or(""));
  return tracer->start({.name = "webhook " + path,
                        .kind = SpanKind::server,
                        .parent = parent ? *parent : SpanContext(),
                        .attributes = {{"http.request.method", request.method}, {"url.path", path}}});
}

}  // namespace

CallRecord::CallRecord(const Clock& clock, const WebhookMetrics& metrics, const http::Request& request,
                       CallRecordOptions options)
    : clock_(clock),
      metrics_(metrics),
      slow_after_(options.slow_after),
      begin_(clock.now()),
      log_(options.log.with({{"webhook", options.path}})),
      span_(start_span(options.tracer.get(), request, options.path)) {
  metrics_.started();
}

void CallRecord::describe(const std::string& request, const std::string& uid, std::string_view operation) {
  operation_ = operation;
  log_ = log_.with({{"request", request}, {"uid", uid}});
  if (span_ == nullptr) return;
  span_->set_attribute({"pintle.webhook.request", request});
  span_->set_attribute({"pintle.webhook.uid", uid});
}

void CallRecord::finished(AdmissionOutcome outcome, const std::string& error) {
  const Duration duration = clock_.now() - begin_;
  metrics_.finished(outcome, operation_, duration);
  if (outcome != AdmissionOutcome::timed_out) note_duration(duration, to_string(outcome));
  if (span_ == nullptr) return;
  span_->set_attribute({"http.response.status_code", 200});
  span_->set_attribute({"pintle.outcome", to_string(outcome)});
  if (!error.empty() && outcome != AdmissionOutcome::cancelled) span_->set_error(error);
  span_.reset();
}

void CallRecord::refused(int status, const std::string& reason) {
  const Duration duration = clock_.now() - begin_;
  metrics_.refused(status, duration);
  log_.warning("a request to a webhook was refused", {{"status", status}, {"error", reason}});
  if (span_ == nullptr) return;
  span_->set_attribute({"http.response.status_code", status});
  span_->set_error(reason);
  span_.reset();
}

void CallRecord::note_duration(Duration duration, std::string_view outcome) const {
  if (duration < slow_after_) return;
  log_.warning("a webhook is slow; each request to the API server that it decides about takes this time longer",
               {{"duration", format_duration(duration)}, {"outcome", outcome}});
}

}  // namespace pintle
