// SPDX-License-Identifier: Apache-2.0
// CallRecord: the metrics, the span and the log lines of one request to a webhook.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/http/message.hpp>

#include "webhook_metrics.hpp"

namespace pintle {

struct CallRecordOptions {
  std::string path{};  // of the webhook
  Log log{};
  std::shared_ptr<Tracer> tracer{};  // null: no span
  Duration slow_after{};             // a call that takes this time or longer is logged
};

// Begins when the request arrives, and ends with finished() or refused(). The span is a child of the span of the API
// server. After describe(), log() and threw() may be called concurrently with the other functions.
class CallRecord {
 public:
  CallRecord(const Clock& clock, const WebhookMetrics& metrics, const http::Request& request,
             CallRecordOptions options);

  [[nodiscard]] Instant begin() const noexcept { return begin_; }
  // Adds the name of the webhook and, after describe(), the request.
  [[nodiscard]] const Log& log() const noexcept { return log_; }
  // The review was parsed. `request`: for messages. `operation`: for the metrics. Must precede finished().
  void describe(const std::string& request, const std::string& uid, std::string_view operation);
  // A function of the author has thrown an exception.
  void threw() const { metrics_.threw(); }
  // The response has HTTP status 200. `error` is empty unless the call failed.
  void finished(AdmissionOutcome outcome, const std::string& error);
  // The response has another HTTP status.
  void refused(int status, const std::string& reason);

 private:
  void note_duration(Duration duration, std::string_view outcome) const;

  const Clock& clock_;
  const WebhookMetrics& metrics_;
  const Duration slow_after_;
  const Instant begin_;
  std::string operation_;
  Log log_;
  std::unique_ptr<Span> span_;  // null: none, or ended
};

}  // namespace pintle
