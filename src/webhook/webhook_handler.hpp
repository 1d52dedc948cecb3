// SPDX-License-Identifier: Apache-2.0
// WebhookHandler: the HTTP side of webhooks: routes, limits, and one response to each request before its deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/http/handler.hpp>

#include "admission_review.hpp"
#include "admission_webhook.hpp"
#include "byte_limit.hpp"
#include "call_pool.hpp"
#include "call_record.hpp"
#include "conversions.hpp"
#include "pending_call.hpp"
#include "webhook_metrics.hpp"

namespace pintle {

struct WebhookHandlerOptions {
  // The limits of one admission, and of all that are in progress, in bytes. An admission contains up to two objects of
  // the largest size that etcd stores.
  std::size_t max_body_size = std::size_t{7} << 20U;
  std::size_t max_admissions_size = std::size_t{64} << 20U;
  // The same for conversions, which may contain a whole list.
  std::size_t max_conversion_size = std::size_t{32} << 20U;
  std::size_t max_conversions_size = std::size_t{128} << 20U;
  std::vector<AnyConversion> conversions{};
  bool serves_conversions = false;  // also without conversions; each object then has an unknown kind
  CallPoolOptions calls{};          // of the admissions, and again of the conversions
  Log log{};
  MetricsRegistry* metrics = nullptr;
  std::shared_ptr<Tracer> tracer{};               // null: no spans
  Duration slow_after = std::chrono::seconds(1);  // a call that takes longer is logged
};

// The response to an AdmissionReview or a ConversionReview has HTTP status 200. Any other request is refused with a
// text and a status that the API server treats as a failure of the webhook. Calls of webhooks that do not exist are
// counted with the label webhook="other", and each of their first paths is logged once. Conversions have their own
// threads: admissions cannot delay them, and may themselves read objects that must be converted. handle() does not
// block. Thread-safe.
class WebhookHandler final : public http::Handler {
 public:
  WebhookHandler(Executor& executor, std::vector<AdmissionWebhook> webhooks, WebhookHandlerOptions options);

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Refuses further requests, requests the functions of the author to stop and waits for them. Call it after the
  // responses in progress were sent.
  void stop();
  // As stop(), without waiting for the functions.
  void request_stop();
  // Waits for the functions, after request_stop(). Returns false if some still run at the deadline.
  [[nodiscard]] bool wait_until(Instant deadline);
  // The paths of the webhooks whose functions run.
  [[nodiscard]] std::vector<std::string> running() const;
  // Error: unavailable, if all threads of the admissions, or all of the conversions, are occupied by functions that
  // have exceeded their time limits by `time` or more.
  [[nodiscard]] Result<void> check(Duration time) const;

 private:
  struct Route {
    AdmissionWebhook webhook;
    WebhookMetrics metrics;
  };
  struct Call {
    const http::Request& request;
    const http::Target& target;
    std::shared_ptr<CallRecord> record;
  };

  [[nodiscard]] Call begin(const http::Request& request, const http::Target& target,
                           const WebhookMetrics& metrics) const;
  [[nodiscard]] http::Response refuse_unknown(const http::Request& request, const http::Target& target);
  [[nodiscard]] http::Response admit(const Route& route, const Call& call);
  [[nodiscard]] http::Response convert(const Call& call);
  [[nodiscard]] http::Response start(const Call& call, Duration limit, PendingWork work, CallPool& pool);
  // `taken`: the bytes of the request, counted as long as the request exists.
  [[nodiscard]] static PendingWork admission_work(const Route& route, AdmissionRequest request,
                                                  std::shared_ptr<const void> taken,
                                                  const std::shared_ptr<CallRecord>& record);
  [[nodiscard]] PendingWork conversion_work(ConversionRequest request, std::shared_ptr<const void> taken,
                                            const std::shared_ptr<CallRecord>& record);

  Executor& executor_;
  const WebhookHandlerOptions options_;
  std::map<std::string, Route, std::less<>> routes_;
  const Conversions conversions_;
  std::optional<WebhookMetrics> conversion_metrics_;  // nothing without conversions
  AdmissionReviewReader reviews_;
  ByteLimit admitting_;
  ByteLimit converting_;
  Mutex mutex_;
  std::set<std::string> unknown_paths_ PINTLE_GUARDED_BY(mutex_);  // that were logged
  CallPool admission_pool_;
  CallPool conversion_pool_;
};

// Returns the time in which a call must complete: the declared one or that of the query parameter `timeout` if it is
// shorter, less the time that the response needs on the network.
[[nodiscard]] Duration max_call_time(Duration declared, const http::Target& target);

}  // namespace pintle
