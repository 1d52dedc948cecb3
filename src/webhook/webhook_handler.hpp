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
  CallPoolOptions calls{};
  Log log{};
  MetricsRegistry* metrics = nullptr;
  std::shared_ptr<Tracer> tracer{};               // null: no spans
  Duration slow_after = std::chrono::seconds(1);  // a call that takes longer is logged
};

// The response to an AdmissionReview or a ConversionReview has HTTP status 200. Any other request is refused with a
// text and a status that the API server treats as a failure of the webhook. Calls of webhooks that do not exist are
// counted with the label webhook="other", and each of their first paths is logged once. handle() does not block.
// Thread-safe.
class WebhookHandler final : public http::Handler {
 public:
  WebhookHandler(Executor& executor, std::vector<AdmissionWebhook> webhooks, WebhookHandlerOptions options);

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Refuses further requests, requests the functions of the author to stop and waits for them. Call it after the
  // responses in progress were sent.
  void stop() { pool_.stop(); }
  // As stop(), without waiting for the functions.
  void request_stop() { pool_.request_stop(); }
  // Waits for the functions, after request_stop(). Returns false if some still run at the deadline.
  [[nodiscard]] bool wait_until(Instant deadline) { return pool_.wait_until(deadline); }
  // The paths of the webhooks whose functions run.
  [[nodiscard]] std::vector<std::string> running() const { return pool_.running(); }

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
  [[nodiscard]] http::Response start(const Call& call, Duration limit, PendingWork work);
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
  CallPool pool_;
};

// Returns the time in which a call must complete: the declared one or that of the query parameter `timeout` if it is
// shorter, less the time that the response needs on the network.
[[nodiscard]] Duration max_call_time(Duration declared, const http::Target& target);

}  // namespace pintle
